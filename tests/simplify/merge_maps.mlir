// RUN: tilewright-opt %s --split-input-file --run=merge_maps | FileCheck %s

// A chain becomes one map; a tile that two of them use is one input.
// CHECK-LABEL: tile.kernel @chain
// CHECK: %[[V:.*]] = tile.load
// CHECK-NEXT: %[[M:.*]] = tile.map(%[[V]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[N]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[E]]
// CHECK-NEXT: tile.yield %[[P]]
// CHECK: tile.store %[[M]]
tile.kernel @chain(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed 65xf32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  %n = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = arith.negf %a : f32
    tile.yield %r : f32
  }
  %e = tile.map(%n) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = math.exp %a : f32
    tile.yield %r : f32
  }
  %p = tile.map(%v, %e) : (!tile.tile<[c:65], f32>, !tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    tile.yield %r : f32
  }
  tile.store %p, %y[@c] : !tile.tile<[c:65], f32>, !tile.view<packed 65xf32>
}

// -----

// A map whose only use is a reduction becomes part of its step.
// CHECK-LABEL: tile.kernel @step
// CHECK: %[[V:.*]] = tile.load
// CHECK-NOT: tile.map
// CHECK: tile.reduce(%[[V]]) over [@c]
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[A:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT: %[[N:.*]] = arith.addf %[[ACC]], %[[P]]
// CHECK-NEXT: tile.yield %[[N]]
// CHECK: merge
tile.kernel @step(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed f32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  %p = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = arith.mulf %a, %a : f32
    tile.yield %r : f32
  }
  %zero = arith.constant -0.0 : f32
  %s = tile.reduce(%p) over [@c] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32)
  step {
  ^bb0(%acc: f32, %a: f32):
    %n = arith.addf %acc, %a : f32
    tile.yield %n : f32
  } merge {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    tile.yield %n : f32
  }
  tile.store %s, %y[] : f32, !tile.view<packed f32>
}

// -----

// A map with two uses stays, and so does one that other axes repeat.
// CHECK-LABEL: tile.kernel @stays
// CHECK: %[[G:.*]] = tile.map(%{{.*}}) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32>
// CHECK: %[[E:.*]] = tile.map(%{{.*}}) : (!tile.tile<[r:17, c:65], f32>)
// CHECK: tile.reduce(%[[E]])
// CHECK: tile.map(%[[E]], %[[G]])
tile.kernel @stays(%x: !tile.view<const packed 17x65xf32>, %g: !tile.view<const packed 65xf32>, %y: !tile.view<packed 17x65xf32>, %z: !tile.view<packed 17xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed 17x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed 17x65xf32>
  %v = tile.load %x[@r, @c] : !tile.view<const packed 17x65xf32> -> !tile.tile<[r:17, c:65], f32>
  %w = tile.load %g[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  %n = tile.map(%w) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %r = arith.negf %a : f32
    tile.yield %r : f32
  }
  %e = tile.map(%v) : (!tile.tile<[r:17, c:65], f32>) -> !tile.tile<[r:17, c:65], f32> {
  ^bb0(%a: f32):
    %r = math.exp %a : f32
    tile.yield %r : f32
  }
  %zero = arith.constant -0.0 : f32
  %s = tile.reduce(%e) over [@c] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[r:17, c:65], f32>), (f32) -> (!tile.tile<[r:17], f32>)
  step {
  ^bb0(%acc: f32, %a: f32):
    %t = arith.addf %acc, %a : f32
    tile.yield %t : f32
  } merge {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    tile.yield %t : f32
  }
  %p = tile.map(%e, %n) : (!tile.tile<[r:17, c:65], f32>, !tile.tile<[c:65], f32>) -> !tile.tile<[r:17, c:65], f32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %b : f32
    tile.yield %r : f32
  }
  tile.store %p, %y[@r, @c] : !tile.tile<[r:17, c:65], f32>, !tile.view<packed 17x65xf32>
  tile.store %s, %z[@r] : !tile.tile<[r:17], f32>, !tile.view<packed 17xf32>
}
