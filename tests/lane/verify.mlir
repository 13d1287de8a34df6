// One case per rule of the lane dialect.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{has a width that is a power of two, not 6}}
lane.phase @p width 6 () programs (%begin, %end) {}

// -----

// expected-error @+1 {{takes its first and last program as two indices}}
lane.phase @p width 8 () programs (%begin) {}

// -----

// expected-error @+1 {{takes views, not 'f32'}}
lane.phase @p width 8 (%x: f32) programs (%begin, %end) {}

// -----

lane.phase @p width 8 (%x: !tile.view<?x?xf32>) programs (%begin, %end) {
  // expected-error @+1 {{flattens packed views only}}
  %f = lane.flatten %x : !tile.view<?x?xf32> -> !tile.view<packed ?xf32>
}

// -----

lane.phase @p width 8 (%x: !tile.view<packed ?x?xf32>) programs (%begin, %end) {
  // expected-error @+1 {{gives a packed view of rank one and the same element type}}
  %f = lane.flatten %x : !tile.view<packed ?x?xf32> -> !tile.view<?xf32>
}

// -----

lane.phase @p width 8 (%x: !tile.view<?x?xf32>) programs (%begin, %end) {
  // expected-error @+1 {{has 1 indices for a view of rank 2}}
  %v = lane.load %x[%begin] uniform : !tile.view<?x?xf32> -> f32
}

// -----

lane.phase @p width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  // expected-error @+1 {{moves 'f64' where the view holds 'f32'}}
  %v = lane.load %x[%begin] uniform : !tile.view<?xf32> -> f64
}

// -----

lane.phase @p width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  %v = arith.constant 0 : i32
  // expected-error @+1 {{moves 'i32' where the view holds 'f32'}}
  lane.store %v, %x[%begin] uniform : i32, !tile.view<?xf32>
}

// -----

lane.phase @p width 8 (%x: !tile.view<const ?xf32>) programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{writes through a const view}}
  lane.store %v, %x[%begin] uniform : f32, !tile.view<const ?xf32>
}

// -----

lane.phase @p width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{is nontemporal only when aligned}}
  lane.store %v, %x[%begin] consecutive nontemporal : f32, !tile.view<?xf32>
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  // expected-error @+2 {{a private array has one slot count}}
  %a = lane.private : !lane.private<3x4xf32>
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{has a packet count that is a power of two, not 3}}
  %r = lane.reduce (%v, %v, %v) packets 3 : (f32, f32, f32) -> (f32) {
  ^bb0(%a: f32, %b: f32):
    lane.yield %a : f32
  }
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{has 1 accumulators for 1 values in 2 packets}}
  %r = lane.reduce (%v) packets 2 : (f32) -> (f32) {
  ^bb0(%a: f32, %b: f32):
    lane.yield %a : f32
  }
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{has accumulators of another type than its result}}
  %r = lane.reduce (%v) packets 1 : (f32) -> (f64) {
  ^bb0(%a: f64, %b: f64):
    lane.yield %a : f64
  }
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{has a merge of 2 arguments}}
  %r = lane.reduce (%v) packets 1 : (f32) -> (f32) {
  ^bb0(%a: f32):
    lane.yield %a : f32
  }
}

// -----

lane.phase @p width 8 () programs (%begin, %end) {
  %v = arith.constant 0.0 : f32
  // expected-error @+1 {{has a merge that yields one value per result}}
  %r = lane.reduce (%v) packets 1 : (f32) -> (f32) {
  ^bb0(%a: f32, %b: f32):
    lane.yield %a, %b : f32, f32
  }
}

// -----

lane.phase @p width 8 (%y: !tile.view<4xf32>) programs (%begin, %end) {
  // expected-error @+1 {{has no pair of views}}
  %ok = "lane.guard"() <{operandSegmentSizes = array<i32: 0, 0>, same_element_first = array<i1>}> : () -> i1
}

// -----

lane.phase @p width 8 (%y: !tile.view<4xf32>) programs (%begin, %end) {
  // expected-error @+1 {{has 1 stored views, 1 others and 2 flags; they are pairs}}
  %ok = lane.guard(%y) against(%y) same_element_first [true, false] : (!tile.view<4xf32>), (!tile.view<4xf32>)
}
