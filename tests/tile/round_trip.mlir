// Every operation, type and attribute of the tile dialect reads what it prints.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @copy(%{{.*}}: !tile.view<const ?x65xf32>, %{{.*}}: !tile.view<?x65xf32>) {
tile.kernel @copy(%x: !tile.view<const ?x65xf32>, %y: !tile.view<?x65xf32>) {
  // CHECK: tile.axis @r = %{{.*}}[0] : !tile.view<const ?x65xf32>
  // CHECK: tile.axis @c = %{{.*}}[1] : !tile.view<const ?x65xf32>
  tile.axis @r = %x[0] : !tile.view<const ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x65xf32>
  // CHECK: %[[EXTENT:.*]] = tile.extent @c : index
  %n = tile.extent @c : index
  // CHECK: tile.parallel (%[[ROW:.*]]) over [@r] {
  tile.parallel (%row) over [@r] {
    // CHECK: %[[V:.*]] = tile.load %{{.*}}[%[[ROW]], @c] : !tile.view<const ?x65xf32> -> !tile.tile<[c:65], f32>
    // CHECK: tile.store %[[V]], %{{.*}}[%[[ROW]], @c] : !tile.tile<[c:65], f32>, !tile.view<?x65xf32>
    %v = tile.load %x[%row, @c] : !tile.view<const ?x65xf32> -> !tile.tile<[c:65], f32>
    tile.store %v, %y[%row, @c] : !tile.tile<[c:65], f32>, !tile.view<?x65xf32>
    // CHECK: %[[S:.*]] = tile.load %{{.*}}[%[[ROW]], %[[EXTENT]]] : !tile.view<const ?x65xf32> -> f32
    // CHECK: tile.store %[[S]], %{{.*}}[%[[ROW]], %[[EXTENT]]] : f32, !tile.view<?x65xf32>
    %s = tile.load %x[%row, %n] : !tile.view<const ?x65xf32> -> f32
    tile.store %s, %y[%row, %n] : f32, !tile.view<?x65xf32>
  }
}

// CHECK-LABEL: tile.kernel @views(
// CHECK-SAME: !tile.view<f32>
// CHECK-SAME: !tile.view<packed 2x3xf64>
// CHECK-SAME: !tile.view<const packed ?xi1>
// CHECK-SAME: !tile.view<?x?xi8, unit = 0>
// CHECK-SAME: !tile.view<const 4xi64, unit = none>
// CHECK-SAME: attributes {contract = false}
tile.kernel @views(%a: !tile.view<f32>, %b: !tile.view<packed 2x3xf64>,
                   %c: !tile.view<const packed ?xi1>, %d: !tile.view<?x?xi8, unit = 0>,
                   %e: !tile.view<const 4xi64, unit = none>, %f: !tile.view<4xi32, unit = 0>)
    attributes {contract = false} {
}

// CHECK-LABEL: tile.kernel @values(
tile.kernel @values(%x: !tile.view<const 2x?xf32>, %y: !tile.view<2x?xf32>) {
  tile.axis @r = %x[0] : !tile.view<const 2x?xf32>
  tile.axis @"odd name" = %x[1] : !tile.view<const 2x?xf32>
  %seed = arith.constant 0.0 : f32
  // CHECK: tile.load {{.*}}[@r, @"odd name"] : {{.*}} -> !tile.tile<[r:2, "odd name":?], f32>
  %v = tile.load %x[@r, @"odd name"] : !tile.view<const 2x?xf32> -> !tile.tile<[r:2, "odd name":?], f32>
  // CHECK: tile.map(%{{.*}}) : (!tile.tile<[r:2, "odd name":?], f32>) -> !tile.tile<["odd name":?, r:2], f32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %{{.*}} : f32
  // CHECK-NEXT: tile.yield %[[P]] : f32
  %m = tile.map (%v) : (!tile.tile<[r:2, "odd name":?], f32>) -> !tile.tile<["odd name":?, r:2], f32> {
  ^bb0(%a: f32):
    %p = arith.mulf %a, %seed : f32
    tile.yield %p : f32
  }
  // CHECK: tile.map() : () -> !tile.tile<[r:2], f32> {
  %n = tile.map () : () -> !tile.tile<[r:2], f32> {
    tile.yield %seed : f32
  }
  // CHECK: tile.reduce(%{{.*}}) over [@"odd name"] seed(%{{.*}}) identity [-0.000000e+00 : f32] unordered grouping <slots = 64>
  // CHECK-SAME: : (!tile.tile<["odd name":?, r:2], f32>), (f32) -> (!tile.tile<[r:2], f32>)
  // CHECK: step {
  // CHECK: merge {
  %s = tile.reduce (%m) over [@"odd name"] seed (%seed) identity [-0.0 : f32] unordered
      grouping <slots = 64> : (!tile.tile<["odd name":?, r:2], f32>), (f32) -> (!tile.tile<[r:2], f32>)
    step { ^bb0(%acc: f32, %e: f32): %q = arith.addf %acc, %e : f32
           tile.yield %q : f32 }
    merge { ^bb0(%a: f32, %b: f32): %q = arith.addf %a, %b : f32
            tile.yield %q : f32 }
  // CHECK: tile.reduce(%{{.*}}, %{{.*}}) over [@"odd name", @r] seed(%{{.*}}, %{{.*}}) identity [0.000000e+00 : f32, 1.000000e+00 : f32] fold_right :
  %t:2 = tile.reduce (%m, %m) over [@"odd name", @r] seed (%seed, %seed)
      identity [0.0 : f32, 1.0 : f32] fold_right
      : (!tile.tile<["odd name":?, r:2], f32>, !tile.tile<["odd name":?, r:2], f32>), (f32, f32) -> (f32, f32)
    step { ^bb0(%a: f32, %b: f32, %c: f32, %d: f32): tile.yield %c, %d : f32, f32 }
    merge { ^bb0(%a: f32, %b: f32, %c: f32, %d: f32): tile.yield %a, %d : f32, f32 }
  // CHECK: tile.reduce{{.*}} fold_left :
  %u = tile.reduce (%n) over [@r] seed (%seed) identity [0.0 : f32] fold_left
      : (!tile.tile<[r:2], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %b : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %b : f32 }
}

// CHECK-LABEL: tile.kernel @blocks(
tile.kernel @blocks(%x: !tile.view<const 2x9xf32>, %y: !tile.view<2x4xf32>) {
  tile.axis @r = %y[0] : !tile.view<2x4xf32>
  tile.axis @h = %y[1] : !tile.view<2x4xf32>
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  %one = arith.constant 1 : index
  tile.parallel (%row) over [@r] {
    // CHECK: %[[A:.*]] = tile.load %{{.*}}[%[[ROW:.*]], @h at %[[ONE]]] : !tile.view<const 2x9xf32> -> !tile.tile<[h:4], f32>
    %a = tile.load %x[%row, @h at %one] : !tile.view<const 2x9xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %{{.*}}[%[[ROW]], @h at %[[ROW]]] {fill = 1.000000e+00 : f32} : !tile.view
    %b = tile.load %x[%row, @h at %row] {fill = 1.0 : f32} : !tile.view<const 2x9xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.store %[[A]], %{{.*}}[@r at %[[ROW]], @h at %[[ONE]] assume] : !tile.tile<[h:4], f32>, !tile.view<2x4xf32>
    tile.store %a, %y[@r at %row, @h at %one assume] : !tile.tile<[h:4], f32>, !tile.view<2x4xf32>
  }
}
