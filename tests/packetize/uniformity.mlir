// What the analysis finds, also through carried values and branches.
// RUN: tilewright-opt %s --run=annotate_uniformity | FileCheck %s

lane.phase @spreads width 8 (%x: !tile.view<?x?xf32>, %i: !tile.view<?xi32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: lane.id {tilewright.spread = ["steps 1"]}
  %lane = lane.id : index
  // CHECK: arith.addi %{{.*}} {tilewright.spread = ["steps 1"]}
  %e = arith.addi %begin, %lane : index
  // CHECK: arith.muli %{{.*}} {tilewright.spread = ["steps 3"]}
  %t = arith.muli %e, %c3 : index
  // CHECK: arith.subi %{{.*}} {tilewright.spread = ["steps 2"]}
  %d = arith.subi %t, %e : index
  // CHECK: arith.subi %{{.*}} {tilewright.spread = ["uniform"]}
  %u = arith.subi %e, %lane : index
  // A product with an unknown uniform has no constant stride.
  // CHECK: arith.muli %{{.*}} {tilewright.spread = ["varying"]}
  %m = arith.muli %lane, %end : index
  // CHECK: arith.cmpi ult, %{{.*}} {tilewright.spread = ["varying"]}
  %in = arith.cmpi ult, %e, %end : index
  // CHECK: arith.cmpi ult, %{{.*}} {tilewright.spread = ["uniform"]}
  %some = arith.cmpi ult, %begin, %end : index
  // CHECK: lane.load %{{.*}} uniform {tilewright.spread = ["uniform"]}
  %v = lane.load %x[%begin, %c0] uniform : !tile.view<?x?xf32> -> f32
  // CHECK: lane.load %{{.*}} consecutive {tilewright.spread = ["varying"]}
  %w = lane.load %x[%begin, %e] consecutive : !tile.view<?x?xf32> -> f32

  // A swap makes both carried values vary; a walk keeps its stride; the sum stays uniform.
  // CHECK: tilewright.carried = ["varying", "varying", "steps 1", "uniform"]
  %r:4 = scf.for %k = %c0 to %c3 step %c1
      iter_args(%a = %v, %b = %w, %at = %e, %s = %v) -> (f32, f32, index, f32) {
    %next = arith.addi %at, %k : index
    %sum = arith.addf %s, %v : f32
    scf.yield %b, %a, %next, %sum : f32, f32, index, f32
  }

  // CHECK: {tilewright.spread = ["uniform", "steps 1"]}
  %p:2 = scf.if %some -> (f32, index) {
    scf.yield %v, %e : f32, index
  } else {
    scf.yield %zero, %lane : f32, index
  }
  // What leaves a branch that lanes take differently varies.
  // CHECK: {tilewright.spread = ["varying", "varying"]}
  %q:2 = scf.if %in -> (f32, index) {
    scf.yield %v, %e : f32, index
  } else {
    scf.yield %zero, %lane : f32, index
  }
}
