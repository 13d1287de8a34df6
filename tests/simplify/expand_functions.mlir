// RUN: tilewright-opt %s --run=expand_functions | FileCheck %s

// CHECK-LABEL: tile.kernel @rsqrt
tile.kernel @rsqrt(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed 65xf32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  // CHECK: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: %[[ROOT:.*]] = math.sqrt %[[A]] : f32
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: %[[QUOTIENT:.*]] = arith.divf %[[ONE]], %[[ROOT]] : f32
  // CHECK-NEXT: math.exp %[[QUOTIENT]]
  %w = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = math.rsqrt %a : f32
    %e = math.exp %r : f32
    tile.yield %e : f32
  }
  tile.store %w, %y[@c] : !tile.tile<[c:65], f32>, !tile.view<packed 65xf32>
}
