// RUN: tilewright-opt %s --run=drop_dead | FileCheck %s

// CHECK-LABEL: tile.kernel @dead
// CHECK-NEXT: tile.axis @c
// CHECK-NEXT: tile.axis @unused
// CHECK-NEXT: %[[V:.*]] = tile.load %{{.*}}[@c]
// CHECK-NEXT: %[[W:.*]] = tile.map(%[[V]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: tile.yield %[[N]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.store %[[W]]
tile.kernel @dead(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed 65xf32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  tile.axis @unused = %y[0] : !tile.view<packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  %u = tile.load %y[@c] : !tile.view<packed 65xf32> -> !tile.tile<[c:65], f32>
  %extent = tile.extent @c : index
  %one = arith.constant 1 : index
  %w = tile.map(%u, %v) : (!tile.tile<[c:65], f32>, !tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    %n = arith.negf %b : f32
    tile.yield %n : f32
  }
  %e = tile.map(%w) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = math.exp %a : f32
    tile.yield %r : f32
  }
  tile.store %w, %y[@c] : !tile.tile<[c:65], f32>, !tile.view<packed 65xf32>
}
