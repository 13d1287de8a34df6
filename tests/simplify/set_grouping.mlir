// RUN: tilewright-opt %s --run=set_grouping | FileCheck %s

// CHECK-LABEL: tile.kernel @groupings
tile.kernel @groupings(%x: !tile.view<const 17x65xf32, unit = none>, %y: !tile.view<packed 17xf32>, %z: !tile.view<packed 65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const 17x65xf32, unit = none>
  tile.axis @c = %x[1] : !tile.view<const 17x65xf32, unit = none>
  %v = tile.load %x[@r, @c] : !tile.view<const 17x65xf32, unit = none> -> !tile.tile<[r:17, c:65], f32>
  %e = tile.map(%v) : (!tile.tile<[r:17, c:65], f32>) -> !tile.tile<[r:17, c:65], f32> {
  ^bb0(%a: f32):
    %r = math.exp %a : f32
    tile.yield %r : f32
  }
  %zero = arith.constant -0.0 : f32
  // Along rows, through a map, whatever the strides.
  // CHECK: tile.reduce(%{{.*}}) over [@c] {{.*}} unordered grouping <slots = 64>
  %a = tile.reduce(%e) over [@c] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[r:17, c:65], f32>), (f32) -> (!tile.tile<[r:17], f32>)
  step { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  merge { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  // Along columns.
  // CHECK: tile.reduce(%{{.*}}) over [@r] {{.*}} unordered grouping <slots = 8>
  %b = tile.reduce(%v) over [@r] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[r:17, c:65], f32>), (f32) -> (!tile.tile<[c:65], f32>)
  step { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  merge { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  // Both: the innermost axis decides.
  // CHECK: tile.reduce(%{{.*}}) over [@r, @c] {{.*}} unordered grouping <slots = 64>
  %c = tile.reduce(%v) over [@r, @c] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[r:17, c:65], f32>), (f32) -> (f32)
  step { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  merge { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  // An ordered fold has none.
  // CHECK: tile.reduce(%{{.*}}) over [@c] {{.*}} fold_left :
  %d = tile.reduce(%v) over [@c] seed(%c) identity [-0.0 : f32] fold_left : (!tile.tile<[r:17, c:65], f32>), (f32) -> (!tile.tile<[r:17], f32>)
  step { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  merge { ^bb0(%p: f32, %q: f32): %n = arith.addf %p, %q : f32 tile.yield %n : f32 }
  tile.store %a, %y[@r] : !tile.tile<[r:17], f32>, !tile.view<packed 17xf32>
  tile.store %b, %z[@c] : !tile.tile<[c:65], f32>, !tile.view<packed 65xf32>
  tile.store %d, %y[@r] : !tile.tile<[r:17], f32>, !tile.view<packed 17xf32>
}
