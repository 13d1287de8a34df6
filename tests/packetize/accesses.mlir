// Loads and stores by the relation of the lanes' addresses.
// RUN: tilewright-opt %s --run=packetize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @classes
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr,
lane.phase @classes width 4 (%x: !tile.view<?x?xf32>, %b: !tile.view<?xi1>)
    programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %lane = lane.id : index
  // The same element in all lanes: one scalar.
  // CHECK: %[[U:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
  // CHECK: %[[UV:.*]] = vector.broadcast %[[U]] : f32 to vector<4xf32>
  %u = lane.load %x[%begin, %c0] uniform : !tile.view<?x?xf32> -> f32
  // CHECK: %[[C:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %c = lane.load %x[%begin, %lane] consecutive : !tile.view<?x?xf32> -> f32
  %s = arith.addf %u, %c : f32
  // One row per lane: the row stride times the lane.
  // CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %{{.*}} : vector<4xi64>
  // CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[ROWS]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
  // CHECK: llvm.intr.masked.scatter %{{.*}}, %[[AT]], %{{.*}} {alignment = 4 : i32}
  lane.store %s, %x[%lane, %c4] strided : f32, !tile.view<?x?xf32>
  // Booleans are bytes in memory.
  // CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
  // CHECK: %[[BITS:.*]] = arith.cmpi ne, %[[BYTES]], %{{.*}} : vector<4xi8>
  // CHECK: arith.extui %[[BITS]] : vector<4xi1> to vector<4xi8>
  %e = arith.addi %lane, %c4 : index
  %bit = lane.load %b[%e] consecutive : !tile.view<?xi1> -> i1
  lane.store %bit, %b[%lane] consecutive : i1, !tile.view<?xi1>
  // Aligned to the packet.
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
  // CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
  lane.store %s, %x[%begin, %lane] consecutive aligned nontemporal : f32, !tile.view<?x?xf32>
  lane.fence
  // CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
  lane.prefetch %x[%begin, %lane] : !tile.view<?x?xf32>
}

// -----

// Packed views: strides follow from the extents, and a flat view is one dimension of all elements.
// CHECK-LABEL: func.func @packed
// CHECK-SAME: (%[[X:.*]]: !llvm.ptr, %[[R:[a-z0-9]*]]: i64,
// CHECK: %[[N:.*]] = arith.muli %[[R]], %c6_i64
// CHECK: scf.for %[[Q:.*]] = %{{.*}} to %[[N]]
// CHECK: %[[P:.*]] = llvm.getelementptr %[[X]][%[[Q]]]
// CHECK-NEXT: llvm.load %[[P]]
lane.phase @packed width 2 (%x: !tile.view<packed ?x6xf64>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %lane = lane.id : index
  %flat = lane.flatten %x : !tile.view<packed ?x6xf64> -> !tile.view<packed ?xf64>
  %n = lane.extent %flat[0] : !tile.view<packed ?xf64>
  scf.for %q = %c0 to %n step %c2 {
    %e = arith.addi %q, %lane : index
    %v = lane.load %flat[%e] consecutive : !tile.view<packed ?xf64> -> f64
    %d = arith.addf %v, %v : f64
    lane.store %d, %flat[%e] consecutive : f64, !tile.view<packed ?xf64>
  }
}

// -----

// A private slot is one aligned vector; inactive lanes of a store keep what they held.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: tilewright.workspace_bytes = 0 : i64
// CHECK: %[[A:.*]] = llvm.alloca %c96_i64 x i8 {alignment = 64 : i64}
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[A]][8]
// CHECK: %[[OLD:.*]] = llvm.load %[[SLOT]] {alignment = 32 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: %[[NEW:.*]] = arith.select %{{.*}}, %{{.*}}, %[[OLD]] : vector<8xi1>, vector<8xf32>
// CHECK: llvm.store %[[NEW]], %[[SLOT]] {alignment = 32 : i64}
lane.phase @kept width 8 (%x: !tile.view<5xf32>) programs (%begin, %end) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %lane = lane.id : index
  %kept = lane.private : !lane.private<3xf32>
  %in = arith.cmpi ult, %lane, %c5 : index
  scf.if %in {
    %v = lane.load %x[%lane] consecutive : !tile.view<5xf32> -> f32
    lane.put %v, %kept[%c1] : f32, !lane.private<3xf32>
    %w = lane.get %kept[%c1] : !lane.private<3xf32> -> f32
    lane.store %w, %x[%lane] consecutive : f32, !tile.view<5xf32>
  }
}

// -----

// Beyond 8 KiB they move to the workspace, each on a cache line.
// CHECK-LABEL: func.func @spilled
// CHECK-SAME: %[[WORKSPACE:[a-z0-9]*]]: !llvm.ptr) -> i32
// CHECK-SAME: tilewright.workspace_bytes = 9664 : i64
// CHECK-NOT: llvm.alloca
// CHECK: llvm.getelementptr %[[WORKSPACE]][9600] : (!llvm.ptr) -> !llvm.ptr, i8
lane.phase @spilled width 8 (%x: !tile.view<8xf32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %lane = lane.id : index
  %large = lane.private : !lane.private<300xf32>
  %small = lane.private : !lane.private<1xi1>
  %b = lane.get %small[%c0] : !lane.private<1xi1> -> i1
  %v = lane.get %large[%c7] : !lane.private<300xf32> -> f32
  %z = arith.select %b, %v, %v : f32
  lane.store %z, %x[%lane] consecutive : f32, !tile.view<8xf32>
}

// -----

// A row is addressed by element, and aligned where that is a whole number of packets.
// CHECK-LABEL: func.func @row
// CHECK: scf.for %[[E:.*]] =
// CHECK: %[[AT:.*]] = llvm.getelementptr %{{.*}}[%[[E]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[BEYOND:.*]] = llvm.getelementptr %[[AT]][8] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK: llvm.store %{{.*}}, %[[AT]] {alignment = 32 : i64} : vector<8xf32>
// CHECK: llvm.store %{{.*}}, %[[BEYOND]] {alignment = 32 : i64} : vector<8xf32>
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
lane.phase @row width 8 (%x: !tile.view<64xf32>) programs (%begin, %end) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c53 = arith.constant 53 : index
  %c64 = arith.constant 64 : index
  %lane = lane.id : index
  %one = arith.constant 1.0 : f32
  %kept = lane.private : !lane.private<8xf32>
  scf.for %e = %c0 to %c64 step %c16 {
    %next = arith.addi %e, %c8 : index
    lane.put %one, %kept[%e] row : f32, !lane.private<8xf32>
    lane.put %one, %kept[%next] row : f32, !lane.private<8xf32>
  }
  %last = lane.get %kept[%c53] row : !lane.private<8xf32> -> f32
  lane.store %last, %x[%lane] consecutive : f32, !tile.view<64xf32>
}
