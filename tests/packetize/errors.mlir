// What packetize refuses. These are bugs of earlier stages, never of a user.
// RUN: tilewright-opt %s --run=packetize --split-input-file --verify-diagnostics

lane.phase @claim width 8 (%x: !tile.view<?x?xf32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %lane = lane.id : index
  // expected-error @+1 {{internal: the plan claims consecutive, analysis found strided}}
  %v = lane.load %x[%lane, %c0] consecutive : !tile.view<?x?xf32> -> f32
}

// -----

lane.phase @claim_uniform width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  %zero = arith.constant 0.0 : f32
  %lane = lane.id : index
  // expected-error @+1 {{internal: the plan claims uniform, analysis found consecutive}}
  lane.store %zero, %x[%lane] uniform : f32, !tile.view<?xf32>
}

// -----

lane.phase @bounds width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lane = lane.id : index
  // expected-error @+1 {{internal: packetize: divergent loop}}
  scf.for %i = %c0 to %lane step %c1 {
  }
}

// -----

lane.phase @tree width 8 (%x: !tile.view<?xf32>) programs (%begin, %end) {
  %c5 = arith.constant 5 : index
  %lane = lane.id : index
  %v = lane.load %x[%lane] consecutive : !tile.view<?xf32> -> f32
  %in = arith.cmpi ult, %lane, %c5 : index
  scf.if %in {
    // expected-error @+1 {{internal: packetize: a reduction across lanes needs all of them active}}
    %s = lane.reduce (%v) packets 1 : (f32) -> (f32) {
    ^bb0(%l: f32, %r: f32):
      %n = arith.addf %l, %r : f32
      lane.yield %n : f32
    }
  }
}
