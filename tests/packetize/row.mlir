// A row kernel from end to end: guards and safe body, packets in lock step, a masked tail, a tree.
// RUN: tilewright-opt %s --run=packetize | FileCheck %s

// CHECK-LABEL: func.func @scale_rows.0(
// CHECK-SAME: %[[X:arg0]]: !llvm.ptr, %arg1: i64, %arg2: i64, %[[XS:arg3]]: i64, %arg4: i64
// CHECK-SAME: -> i32
// CHECK-SAME: tilewright.view_ranks = array<i64: 2, 2>
// CHECK-SAME: tilewright.width = 8 : i64
// CHECK-SAME: tilewright.workspace_bytes = 0 : i64
lane.phase @scale_rows.0 width 8 (%x: !tile.view<const ?x33xf32>, %y: !tile.view<?x33xf32>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %zero = arith.constant -0.0 : f32
  %ok = lane.guard(%y) against(%x) same_element_first [true]
      : (!tile.view<?x33xf32>), (!tile.view<const ?x33xf32>)
  // CHECK: %[[STATUS:.*]] = scf.if %{{.*}} -> (i32) {
  scf.if %ok {
    // CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
    // CHECK: %[[OFFSET:.*]] = arith.muli %[[ROW]], %[[XS]] : i64
    // CHECK: %[[XROW:.*]] = llvm.getelementptr %[[X]][%[[OFFSET]]]
    scf.for %row = %begin to %end step %c1 {
      %lane = lane.id : index
      // CHECK: %[[ACC:.*]]:2 = scf.for %[[Q:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}) -> (vector<8xf32>, vector<8xf32>) : i64 {
      // CHECK-NEXT: %[[P:.*]] = llvm.getelementptr %[[XROW]][%[[Q]]]
      // CHECK-NEXT: %[[P1:.*]] = llvm.getelementptr %[[P]][8]
      // CHECK-NEXT: %[[V0:.*]] = llvm.load %[[P]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
      // CHECK-NEXT: %[[V1:.*]] = llvm.load %[[P1]] {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
      // CHECK-NEXT: %[[N0:.*]] = math.fma %[[V0]], %[[V0]], %[[A0]] : vector<8xf32>
      // CHECK-NEXT: %[[N1:.*]] = math.fma %[[V1]], %[[V1]], %[[A1]] : vector<8xf32>
      // CHECK-NEXT: scf.yield %[[N0]], %[[N1]]
      %acc:2 = scf.for %q = %c0 to %c32 step %c16 iter_args(%a0 = %zero, %a1 = %zero) -> (f32, f32) {
        %e0 = arith.addi %q, %lane : index
        %e1 = arith.addi %e0, %c8 : index
        %v0 = lane.load %x[%row, %e0] consecutive : !tile.view<const ?x33xf32> -> f32
        %v1 = lane.load %x[%row, %e1] consecutive : !tile.view<const ?x33xf32> -> f32
        %n0 = math.fma %v0, %v0, %a0 : f32
        %n1 = math.fma %v1, %v1, %a1 : f32
        scf.yield %n0, %n1 : f32, f32
      }
      %t = arith.addi %c32, %lane : index
      %in = arith.cmpi ult, %t, %c33 : index
      // CHECK: llvm.intr.masked.load
      // CHECK: %[[TAIL:.*]] = math.fma %{{.*}}, %{{.*}}, %[[ACC]]#0
      // CHECK: %[[A:.*]] = arith.select %{{.*}}, %[[TAIL]], %[[ACC]]#0 : vector<8xi1>, vector<8xf32>
      %a = scf.if %in -> f32 {
        %v = lane.load %x[%row, %t] consecutive : !tile.view<const ?x33xf32> -> f32
        %n = math.fma %v, %v, %acc#0 : f32
        scf.yield %n : f32
      } else {
        scf.yield %acc#0 : f32
      }
      // CHECK: %[[S8:.*]] = arith.addf %[[A]], %[[ACC]]#1 : vector<8xf32>
      // CHECK: %[[L4:.*]] = vector.shuffle %[[S8]], %[[S8]] [0, 1, 2, 3]
      // CHECK: %[[H4:.*]] = vector.shuffle %[[S8]], %[[S8]] [4, 5, 6, 7]
      // CHECK: %[[S4:.*]] = arith.addf %[[L4]], %[[H4]] : vector<4xf32>
      // CHECK: %[[S2:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<2xf32>
      // CHECK: %[[L:.*]] = vector.extract %[[S2]][0] : f32 from vector<2xf32>
      // CHECK: %[[R:.*]] = vector.extract %[[S2]][1] : f32 from vector<2xf32>
      // CHECK: %[[SUM:.*]] = arith.addf %[[L]], %[[R]] : f32
      // CHECK-NEXT: vector.broadcast %[[SUM]] : f32 to vector<8xf32>
      %s = lane.reduce (%a, %acc#1) packets 2 : (f32, f32) -> (f32) {
      ^bb0(%l: f32, %r: f32):
        %n = arith.addf %l, %r : f32
        lane.yield %n : f32
      }
      // CHECK: scf.for
      // CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<8xf32>
      // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
      scf.for %q = %c0 to %c32 step %c8 {
        %e = arith.addi %q, %lane : index
        %v = lane.load %x[%row, %e] consecutive : !tile.view<const ?x33xf32> -> f32
        %o = arith.mulf %v, %s : f32
        lane.store %o, %y[%row, %e] consecutive : f32, !tile.view<?x33xf32>
      }
      // One lane is left: one piece.
      // CHECK: %[[PIECE:.*]] = vector.extract %{{.*}}[0] : f32 from vector<8xf32>
      // CHECK: llvm.store %[[PIECE]], %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
      scf.if %in {
        %v = lane.load %x[%row, %t] consecutive : !tile.view<const ?x33xf32> -> f32
        %o = arith.mulf %v, %s : f32
        lane.store %o, %y[%row, %t] consecutive step_down : f32, !tile.view<?x33xf32>
      }
    }
    // CHECK: scf.yield %c0_i32 : i32
    // CHECK: } else {
    // CHECK: scf.yield %c1_i32 : i32
  } else {
    lane.safe_body
    scf.for %row = %begin to %end step %c1 {
    }
  }
  // CHECK: return %[[STATUS]] : i32
}
