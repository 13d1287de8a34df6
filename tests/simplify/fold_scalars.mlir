// RUN: tilewright-opt %s --run=fold_scalars | FileCheck %s

// CHECK-LABEL: tile.kernel @fold
tile.kernel @fold(%x: !tile.view<const packed ?x64xf32>, %y: !tile.view<packed f32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x64xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x64xf32>
  %a = tile.load %y[] : !tile.view<packed f32> -> f32

  // The extent of a static axis, and its conversions, are constants; 1 / 64 is exact.
  // CHECK: %[[INVERSE:.*]] = arith.constant 1.562500e-02 : f32
  // CHECK-NEXT: %[[MEAN:.*]] = arith.mulf %{{.*}}, %[[INVERSE]] : f32
  %c = tile.extent @c : index
  %c64 = arith.index_cast %c : index to i64
  %cf = arith.sitofp %c64 : i64 to f32
  %mean = arith.divf %a, %cf : f32

  // That of a dynamic axis is not.
  // CHECK: %[[ROWS:.*]] = tile.extent @r
  // CHECK: arith.sitofp
  // CHECK: %[[B:.*]] = arith.divf %[[MEAN]]
  %r = tile.extent @r : index
  %r64 = arith.index_cast %r : index to i64
  %rf = arith.sitofp %r64 : i64 to f32
  %b = arith.divf %mean, %rf : f32

  // 1 / 3 is rounded, so the division stays.
  // CHECK: %[[D:.*]] = arith.divf %[[B]]
  %three = arith.constant 3.0 : f32
  %d = arith.divf %b, %three : f32

  // Nothing is assumed of x + 0, x * 1 and x - x.
  // CHECK: arith.addf %[[D]]
  // CHECK: arith.mulf
  // CHECK: arith.subf
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = arith.addf %d, %zero : f32
  %f = arith.mulf %e, %one : f32
  %g = arith.subf %f, %f : f32

  // Square roots are correctly rounded, exp is not.
  // CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK: %[[ROOT:.*]] = arith.constant 1.41421354 : f32
  // CHECK: %[[EXP:.*]] = math.exp %[[ROOT]]
  %two = arith.constant 2.0 : f32
  %root = math.sqrt %two : f32
  %exp = math.exp %root : f32
  %h = arith.addf %g, %exp : f32
  tile.store %h, %y[] : f32, !tile.view<packed f32>
}
