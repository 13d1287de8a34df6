// One case per rule of maps and reductions.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

tile.kernel @k() {
  %s = arith.constant 0.0 : f32
  // expected-error @+1 {{names axis @c, which the kernel does not declare}}
  %v = tile.map () : () -> !tile.tile<[c:4], f32> {
    tile.yield %s : f32
  }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  // expected-error @+1 {{gives axis @c another extent than its declaration}}
  %v = tile.map () : () -> !tile.tile<[c:5], f32> {
    tile.yield %s : f32
  }
}

// -----

tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @r = %x[0] : !tile.view<4x4xf32>
  tile.axis @c = %x[1] : !tile.view<4x4xf32>
  %v = tile.load %x[@r, @c] : !tile.view<4x4xf32> -> !tile.tile<[r:4, c:4], f32>
  // expected-error @+1 {{has an operand over axis @c, which the result lacks}}
  %m = tile.map (%v) : (!tile.tile<[r:4, c:4], f32>) -> !tile.tile<[r:4], f32> {
  ^bb0(%a: f32):
    tile.yield %a : f32
  }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{its body takes 'f32', but its block takes 'f64'}}
  %m = tile.map (%v) : (!tile.tile<[c:4], f32>) -> !tile.tile<[c:4], f64> {
  ^bb0(%a: f64):
    tile.yield %a : f64
  }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{its body holds scalar operations only, not 'tile.load'}}
  %m = tile.map () : () -> !tile.tile<[c:4], f32> {
    %i = arith.constant 0 : index
    %a = tile.load %x[%i] : !tile.view<4xf32> -> f32
    tile.yield %a : f32
  }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0 : i32
  // expected-error @+1 {{its body yields 'i32' where 'f32' is needed}}
  %m = tile.map () : () -> !tile.tile<[c:4], f32> {
    tile.yield %s : i32
  }
}

// -----

tile.kernel @k() {
  %s = arith.constant 0.0 : f32
  // expected-error @+1 {{reduces at least one tile}}
  %r = "tile.reduce"(%s) <{axes = [@c], identities = [0.0 : f32], order = 0 : i32,
                           operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32):
    tile.yield %a : f32
  }, {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }) : (f32) -> f32
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{has one seed, one identity and one result per carried value}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{reduces over at least one axis}}
  %r = tile.reduce (%v) over [] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>, %y: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  tile.axis @d = %y[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{reduces over axis @d, which its input lacks}}
  %r = tile.reduce (%v) over [@d] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{reduces over axis @c twice}}
  %r = tile.reduce (%v) over [@c, @c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>, %y: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  tile.axis @d = %y[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  %w = tile.load %y[@d] : !tile.view<4xf32> -> !tile.tile<[d:4], f32>
  // expected-error @+1 {{reduces tiles over the same axes only}}
  %r = tile.reduce (%v, %w) over [@c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>, !tile.tile<[d:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32, %e: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{has an identity of another type than its seed}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0 : i32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4x2xf32>) {
  tile.axis @r = %x[0] : !tile.view<4x2xf32>
  tile.axis @c = %x[1] : !tile.view<4x2xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@r, @c] : !tile.view<4x2xf32> -> !tile.tile<[r:4, c:2], f32>
  // expected-error @+1 {{gives '!tile.tile<[r:4], f32>', not 'f32'}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[r:4, c:2], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{has a grouping only when unordered}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0.0 : f32] fold_left grouping <slots = 64>
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{step takes 'f32', 'f32', but its block takes 'f32'}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{merge takes 'f32', 'f32', but its block takes 'f32'}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
    merge { ^bb0(%a: f32): tile.yield %a : f32 }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0.0 : f32
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
  // expected-error @+1 {{step yields 'f32', 'f32' where 'f32' is needed}}
  %r = tile.reduce (%v) over [@c] seed (%s) identity [0.0 : f32] unordered
      : (!tile.tile<[c:4], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %b: f32): tile.yield %a, %b : f32, f32 }
    merge { ^bb0(%a: f32, %b: f32): tile.yield %a : f32 }
}
