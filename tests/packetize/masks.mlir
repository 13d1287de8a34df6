// Masks: intervals of lanes where the structure shows them, constant or vanishing where known.
// RUN: tilewright-opt %s --run=packetize --split-input-file | FileCheck %s

// A run-time count is clamped as a scalar, outside the loop, and compared in the data's width.
// CHECK-LABEL: func.func @prefix
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %{{.*}}: i64, %[[N:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %[[Y:.*]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64,
// CHECK: %[[FULL:.*]] = arith.andi %[[N]], %{{.*}} : i64
// CHECK: %[[MOST:.*]] = arith.maxui %[[N]], %[[FULL]] : i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[MOST]], %[[FULL]] : i64
// CHECK: %[[COUNT:.*]] = arith.minui %[[LEFT]], %{{.*}} : i64
// CHECK: %[[NARROW:.*]] = arith.trunci %[[COUNT]] : i64 to i32
// CHECK: %[[COUNTS:.*]] = vector.broadcast %[[NARROW]] : i32 to vector<8xi32>
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %{{.*}}, %[[COUNTS]] : vector<8xi32>
// CHECK: scf.for
// CHECK: %[[V:.*]] = llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 4 : i32}
// CHECK: llvm.intr.masked.store %[[V]], %{{.*}}, %[[MASK]] {alignment = 4 : i32}
lane.phase @prefix width 8 (%x: !tile.view<const ?x?xf32>, %y: !tile.view<?x?xf32>)
    programs (%begin, %end) {
  %c1 = arith.constant 1 : index
  %m8 = arith.constant -8 : index
  %n = lane.extent %x[1] : !tile.view<const ?x?xf32>
  %full = arith.andi %n, %m8 : index
  scf.for %row = %begin to %end step %c1 {
    %lane = lane.id : index
    %e = arith.addi %full, %lane : index
    %in = arith.cmpi ult, %e, %n : index
    scf.if %in {
      %v = lane.load %x[%row, %e] consecutive : !tile.view<const ?x?xf32> -> f32
      lane.store %v, %y[%row, %e] consecutive : f32, !tile.view<?x?xf32>
    }
  }
}

// -----

// All lanes, no lane, and five lanes in pieces of four and one.
// CHECK-LABEL: func.func @known
// CHECK-NOT: scf.if
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK: %[[V:.*]] = llvm.intr.masked.load
// CHECK: %[[FOUR:.*]] = vector.shuffle %[[V]], %[[V]] [0, 1, 2, 3]
// CHECK: llvm.store %[[FOUR]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK: %[[ONE:.*]] = vector.extract %[[V]][4] : f32 from vector<8xf32>
// CHECK: llvm.store %[[ONE]], %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: return
lane.phase @known width 8 (%x: !tile.view<const 13xf32>, %y: !tile.view<13xf32>)
    programs (%begin, %end) {
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %c16 = arith.constant 16 : index
  %lane = lane.id : index
  %all = arith.cmpi ult, %lane, %c13 : index
  scf.if %all {
    %v = lane.load %x[%lane] consecutive : !tile.view<const 13xf32> -> f32
    lane.store %v, %y[%lane] consecutive : f32, !tile.view<13xf32>
  }
  %e = arith.addi %lane, %c8 : index
  %some = arith.cmpi slt, %e, %c13 : index
  scf.if %some {
    %v = lane.load %x[%e] consecutive : !tile.view<const 13xf32> -> f32
    lane.store %v, %y[%e] consecutive step_down : f32, !tile.view<13xf32>
  }
  %f = arith.addi %lane, %c16 : index
  %none = arith.cmpi ult, %f, %c13 : index
  scf.if %none {
    %v = lane.load %x[%f] consecutive : !tile.view<const 13xf32> -> f32
    lane.store %v, %y[%f] consecutive : f32, !tile.view<13xf32>
  }
}

// -----

// A condition of the data: both sides run, the results are selected, divisors are made harmless.
// CHECK-LABEL: func.func @divergent
// CHECK: %[[D:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<4xi32>
// CHECK: %[[ODD:.*]] = arith.cmpi ne, %[[D]], %{{.*}} : vector<4xi32>
// CHECK: %[[BY:.*]] = arith.select %[[ODD]], %[[D]], %{{.*}} : vector<4xi1>, vector<4xi32>
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %[[BY]] : vector<4xi32>
// CHECK: %[[R:.*]] = arith.select %[[ODD]], %[[Q]], %[[D]] : vector<4xi1>, vector<4xi32>
// CHECK: llvm.store %[[R]]
lane.phase @divergent width 4 (%d: !tile.view<4xi32>) programs (%begin, %end) {
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %lane = lane.id : index
  %v = lane.load %d[%lane] consecutive : !tile.view<4xi32> -> i32
  %c = arith.cmpi ne, %v, %zero : i32
  %r = scf.if %c -> i32 {
    %q = arith.divsi %ten, %v : i32
    scf.yield %q : i32
  } else {
    scf.yield %v : i32
  }
  lane.store %r, %d[%lane] consecutive : i32, !tile.view<4xi32>
}

// -----

// Carried through both sides unchanged: nothing to select.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: arith.select
// CHECK: return
lane.phase @unchanged width 4 (%d: !tile.view<4xi32>) programs (%begin, %end) {
  %zero = arith.constant 0 : i32
  %lane = lane.id : index
  %v = lane.load %d[%lane] consecutive : !tile.view<4xi32> -> i32
  %c = arith.cmpi ne, %v, %zero : i32
  %r = scf.if %c -> i32 {
    scf.yield %v : i32
  } else {
    scf.yield %v : i32
  }
  lane.store %r, %d[%lane] consecutive : i32, !tile.view<4xi32>
}

// -----

// A walk that starts before the view: the interval of lanes behind its start.
// CHECK-LABEL: func.func @head
// CHECK: %[[P:.*]] = arith.shrui %{{.*}}, %c2_i64 : i64
// CHECK: %[[BACK:.*]] = arith.subi %c0_i64, %[[P]] : i64
// CHECK-DAG: arith.cmpi sge, %{{.*}} : vector<8xi32>
// CHECK-DAG: arith.cmpi slt, %{{.*}} : vector<8xi32>
// CHECK: arith.andi %{{.*}} : vector<8xi1>
// CHECK: llvm.intr.masked.store
lane.phase @head width 8 (%y: !tile.view<?xf32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = lane.extent %y[0] : !tile.view<?xf32>
  %lane = lane.id : index
  %p = lane.misalignment %y[%c0] bytes 32 : !tile.view<?xf32>
  %e = arith.subi %lane, %p : index
  %in = arith.cmpi ult, %e, %n : index
  scf.if %in {
    lane.store %one, %y[%e] consecutive step_down : f32, !tile.view<?xf32>
  }
}
