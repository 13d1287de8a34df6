// Tile IR under plans written by hand: the loops that each choice gives.
// RUN: tilewright-opt %s --run=lower --split-input-file | FileCheck %s

// Two loops behind a guard: packets in lock step, one packet at a time, a masked tail, a tree.
tile.kernel @rms_norm(%x: !tile.view<const ?x43xf32>, %y: !tile.view<?x43xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1], packets = 2, prefetch_programs = 2},
                          {ops = [2, 3], packets = 1, tail = "peeled"}],
                 edges = [{value = 0, loop = 1, source = "reload"}]},
    tile.safe_plan = {mapping = "row", width = 8, guard = false,
                      loops = [{ops = [0, 1]}, {ops = [2, 3]}],
                      edges = [{value = 0, loop = 1, source = "keep"}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x43xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x43xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x43xf32> -> !tile.tile<[c:43], f32>
    %zero = arith.constant 0.5 : f32
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 32> : (!tile.tile<[c:43], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %e: f32): %n = math.fma %e, %e, %acc : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    %root = math.sqrt %s : f32
    %w = tile.map (%v) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.divf %a, %root : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:43], f32>, !tile.view<?x43xf32>
  }
}

// CHECK-LABEL: lane.phase @rms_norm width 8 (
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.view<const ?x43xf32>, %[[Y:[a-z0-9]+]]: !tile.view<?x43xf32>)
// CHECK-SAME: programs (%[[BEGIN:.*]], %[[END:.*]]) {
// CHECK: %[[OK:.*]] = lane.guard(%[[Y]]) against(%[[X]]) same_element_first [true]
// CHECK-NEXT: scf.if %[[OK]] {
// CHECK-NEXT: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK-DAG: %[[SEED:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[NONE:.*]] = arith.constant -0.000000e+00 : f32
// CHECK-DAG: %[[LANE:.*]] = lane.id : index

// Four accumulators; each step takes two, one after the other, and turns the list by two.
// CHECK: %[[MAIN:.*]]:4 = scf.for %[[E:.*]] = %c0 to %c32 step %c16
// CHECK-SAME: iter_args(%[[A:.*]] = %[[NONE]], %[[B:.*]] = %[[NONE]], %[[C:.*]] = %[[NONE]], %[[D:.*]] = %[[NONE]])
// CHECK: %[[LATER:.*]] = arith.addi %[[ROW]], %c2 : index
// CHECK: lane.prefetch %[[X]][%[[LATER]], %[[E]]]
// CHECK-NOT: lane.prefetch
// CHECK: %[[V0:.*]] = lane.load %[[X]][%[[ROW]], %{{.*}}] consecutive
// CHECK-NEXT: %[[N0:.*]] = math.fma %[[V0]], %[[V0]], %[[A]] : f32
// CHECK: %[[V1:.*]] = lane.load %[[X]][%[[ROW]], %{{.*}}] consecutive
// CHECK-NEXT: %[[N1:.*]] = math.fma %[[V1]], %[[V1]], %[[B]] : f32
// CHECK-NEXT: scf.yield %[[C]], %[[D]], %[[N0]], %[[N1]]

// The one full packet that is left is straight code.
// CHECK: %[[AT:.*]] = arith.addi %c32, %[[LANE]] : index
// CHECK: %[[V:.*]] = lane.load %[[X]][%[[ROW]], %[[AT]]]
// CHECK-NEXT: %[[N:.*]] = math.fma %[[V]], %[[V]], %[[MAIN]]#0 : f32

// CHECK: %[[AT:.*]] = arith.addi %c40, %[[LANE]] : index
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[AT]], %c43 : index
// CHECK-NEXT: %[[ALL:.*]]:4 = scf.if %[[INSIDE]]
// CHECK: %[[T:.*]] = math.fma %{{.*}}, %{{.*}}, %[[MAIN]]#1 : f32
// CHECK-NEXT: scf.yield %[[T]], %[[MAIN]]#2, %[[MAIN]]#3, %[[N]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[MAIN]]#1, %[[MAIN]]#2, %[[MAIN]]#3, %[[N]]

// The seed comes last and once.
// CHECK: %[[TREE:.*]] = lane.reduce(%[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2, %[[ALL]]#3) packets 4
// CHECK: %[[SUM:.*]] = arith.addf %[[SEED]], %[[TREE]] : f32
// CHECK-NEXT: %[[ROOT:.*]] = math.sqrt %[[SUM]] : f32

// The second loop loads again.
// CHECK: scf.for %{{.*}} = %c0 to %c40 step %c8 {
// CHECK: %[[AGAIN:.*]] = lane.load %[[X]]
// CHECK-NEXT: %[[W:.*]] = arith.divf %[[AGAIN]], %[[ROOT]] : f32
// CHECK: lane.store %[[W]], %[[Y]][%[[ROW]], %{{.*}}] consecutive : f32
// CHECK: scf.if
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}] consecutive step_down : f32

// CHECK: } else {
// CHECK-NEXT: lane.safe_body
// CHECK-NEXT: %[[KEPT:.*]] = lane.private : !lane.private<6xf32>
// CHECK-NEXT: scf.for
// CHECK: lane.put %{{.*}}, %[[KEPT]]
// CHECK: lane.get %[[KEPT]]
// CHECK-NOT: lane.fence

// -----

// Element-wise kernels on packed views are one long row.
tile.kernel @add(%x: !tile.view<const packed ?x5xf32>, %y: !tile.view<packed ?x5xf32>) attributes {
    tile.plan = {mapping = "flat", width = 4, guard = true,
                 loops = [{ops = [0, 1, 2], packets = 2}]},
    tile.safe_plan = {mapping = "row", width = 4, guard = false,
                      loops = [{ops = [0, 1]}, {ops = [2]}],
                      edges = [{value = 1, loop = 1, source = "keep"}]}} {
  tile.axis @r = %x[0] : !tile.view<const packed ?x5xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x5xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const packed ?x5xf32> -> !tile.tile<[c:5], f32>
    %w = tile.map (%v) : (!tile.tile<[c:5], f32>) -> !tile.tile<[c:5], f32> {
    ^bb0(%a: f32):
      %p = arith.addf %a, %a : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:5], f32>, !tile.view<packed ?x5xf32>
  }
}

// CHECK-LABEL: lane.phase @add width 4
// CHECK-SAME: (%[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}) programs (%[[BEGIN:.*]], %[[END:.*]]) {
// CHECK: lane.guard
// CHECK: %[[XROW:.*]] = lane.flatten %[[X]] : !tile.view<const packed ?x5xf32> -> !tile.view<const packed ?xf32>
// CHECK: %[[YROW:.*]] = lane.flatten %[[Y]] : !tile.view<packed ?x5xf32> -> !tile.view<packed ?xf32>
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]] : index
// CHECK-NEXT: scf.if %[[ANY]] {
// CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[BEGIN]], %c5 : index
// CHECK-NEXT: %[[ROWS:.*]] = arith.subi %[[END]], %[[BEGIN]] : index
// CHECK-NEXT: %[[LENGTH:.*]] = arith.muli %[[ROWS]], %c5 : index
// CHECK: %[[MAIN:.*]] = arith.andi %[[LENGTH]], %c-8 : index
// CHECK-NEXT: scf.for %[[E:.*]] = %c0 to %[[MAIN]] step %c8 {
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// CHECK-NEXT: lane.load %[[XROW]][%[[AT]]] consecutive
// CHECK: lane.store %{{.*}}, %[[YROW]][%{{.*}}] consecutive
// CHECK: scf.for %{{.*}} = %[[MAIN]] to %[[PACKETS:.*]] step %c4 {
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %[[LENGTH]] : index
// CHECK-NEXT: scf.if %[[IN]] {
// CHECK: } else {
// CHECK-NEXT: lane.safe_body
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK: lane.load %[[X]][%[[ROW]], %{{.*}}]

// -----

// Stores on the output's grid: the first and the last packet are computed before the main loop and
// stored after it.
tile.kernel @aligned(%x: !tile.view<const ?x43xf32>, %y: !tile.view<?x43xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1, 2], tail = "overlapped", align_stores = true}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x43xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x43xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x43xf32> -> !tile.tile<[c:43], f32>
    %w = tile.map (%v) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.negf %a : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:43], f32>, !tile.view<?x43xf32>
  }
}

// CHECK-LABEL: lane.phase @aligned width 8
// CHECK-SAME: (%[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}) programs
// CHECK: scf.for %[[ROW:.*]] = %begin to %end
// CHECK: %[[PAST:.*]] = lane.misalignment %[[Y]][%[[ROW]], %c0] bytes 32
// CHECK-NEXT: %[[BACK:.*]] = arith.subi %c0, %[[PAST]] : index
// CHECK-NEXT: %[[FROM:.*]] = arith.andi %[[BACK]], %c7 : index
// CHECK-NEXT: %[[HEAD:.*]] = lane.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK-NEXT: arith.addi %c35, %{{.*}}
// CHECK-NEXT: %[[LAST:.*]] = lane.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK-NEXT: %[[HEAD_OUT:.*]] = arith.negf %[[HEAD]] : f32
// CHECK-NEXT: %[[LAST_OUT:.*]] = arith.negf %[[LAST]] : f32
// CHECK-NOT: lane.store
// CHECK: scf.for %{{.*}} = %[[FROM]] to %{{.*}} step %c8 {
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}] consecutive aligned : f32
// CHECK-NEXT: }
// CHECK: lane.store %[[HEAD_OUT]], %[[Y]][%[[ROW]], %{{.*}}] consecutive : f32
// CHECK: lane.store %[[LAST_OUT]], %[[Y]][%[[ROW]], %{{.*}}] consecutive : f32
// CHECK: lane.overlap

// -----

// Whole cache lines past the caches. One loop of masked packets for what comes before the first
// line, and then for what comes after the last.
tile.kernel @nontemporal(%x: !tile.view<const ?x43xf32>, %y: !tile.view<?x43xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1, 2], tail = "masked", align_stores = true, nontemporal = true}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x43xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x43xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x43xf32> -> !tile.tile<[c:43], f32>
    %w = tile.map (%v) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.negf %a : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:43], f32>, !tile.view<?x43xf32>
  }
}

// CHECK-LABEL: lane.phase @nontemporal width 8
// CHECK-SAME: (%[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}) programs
// CHECK: scf.for %[[ROW:.*]] = %begin to %end
// CHECK: lane.misalignment %[[Y]][%[[ROW]], %c0] bytes 64
// CHECK: %[[LINE:.*]] = arith.andi %{{.*}}, %c15 : index
// CHECK-NEXT: %[[FROM:.*]] = arith.minsi %[[LINE]], %c43 : index
// CHECK-NEXT: %[[COUNT:.*]] = arith.subi %c43, %[[FROM]] : index
// CHECK-NEXT: %[[WHOLE:.*]] = arith.andi %[[COUNT]], %c-16 : index
// CHECK-NEXT: %[[TO:.*]] = arith.addi %[[FROM]], %[[WHOLE]] : index
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c8 {
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}] consecutive aligned nontemporal
// CHECK-NEXT: }
// CHECK: %[[UP:.*]] = arith.addi %[[FROM]], %c7 : index
// CHECK-NEXT: %[[FIRST:.*]] = arith.andi %[[UP]], %c-8 : index
// CHECK-NEXT: %[[SHIFT:.*]] = arith.subi %[[TO]], %[[FIRST]] : index
// CHECK-NEXT: %[[ALL:.*]] = arith.subi %c43, %[[SHIFT]] : index
// CHECK-NEXT: scf.for %[[NUMBER:.*]] = %c0 to %[[ALL]] step %c8 {
// CHECK-NEXT: %[[BEFORE:.*]] = arith.cmpi slt, %[[NUMBER]], %[[FIRST]] : index
// CHECK-DAG: %[[END:.*]] = arith.select %[[BEFORE]], %[[FROM]], %c43 : index
// CHECK-DAG: %[[LATER:.*]] = arith.addi %[[NUMBER]], %[[SHIFT]] : index
// CHECK-DAG: %[[BASE:.*]] = arith.select %[[BEFORE]], %[[NUMBER]], %[[LATER]] : index
// CHECK: %[[ELEMENT:.*]] = arith.addi %[[BASE]], %{{.*}} : index
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[ELEMENT]], %[[END]] : index
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}] consecutive : f32
// CHECK: {{^}}    lane.fence

// -----

// A map that two loops need goes through a private array: one slot for each packet. One view: no
// guard, no safe body.
tile.kernel @keep(%x: !tile.view<?x19xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1, 2]}, {ops = [3, 4]}],
                 edges = [{value = 1, loop = 1, source = "keep"}]}} {
  tile.axis @r = %x[0] : !tile.view<?x19xf32>
  tile.axis @c = %x[1] : !tile.view<?x19xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<?x19xf32> -> !tile.tile<[c:19], f32>
    %e = tile.map (%v) : (!tile.tile<[c:19], f32>) -> !tile.tile<[c:19], f32> {
    ^bb0(%a: f32):
      %p = math.exp %a : f32
      tile.yield %p : f32
    }
    %zero = arith.constant 0.0 : f32
    %s = tile.reduce (%e) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 8> : (!tile.tile<[c:19], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %b: f32): %n = arith.addf %acc, %b : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    %w = tile.map (%e) : (!tile.tile<[c:19], f32>) -> !tile.tile<[c:19], f32> {
    ^bb0(%a: f32):
      %p = arith.divf %a, %s : f32
      tile.yield %p : f32
    }
    tile.store %w, %x[%row, @c] : !tile.tile<[c:19], f32>, !tile.view<?x19xf32>
  }
}

// CHECK-LABEL: lane.phase @keep
// CHECK-NOT: lane.guard
// CHECK: %[[KEPT:.*]] = lane.private : !lane.private<3xf32>
// CHECK-NEXT: scf.for
// CHECK: scf.for %[[E:.*]] = %c0 to %c16 step %c8 iter_args
// CHECK: %[[EXP:.*]] = math.exp
// CHECK-NEXT: lane.put %[[EXP]], %[[KEPT]][%[[E]]] row
// CHECK: scf.if
// CHECK: lane.put %{{.*}}, %[[KEPT]][%c16] row
// CHECK: lane.reduce
// CHECK: scf.for %[[E:.*]] = %c0 to %c16 step %c8 {
// CHECK-NEXT: %[[V:.*]] = lane.get %[[KEPT]][%[[E]]] row
// CHECK-NEXT: arith.divf %[[V]], %{{.*}} : f32
// CHECK: scf.if
// CHECK-NEXT: lane.get %[[KEPT]][%c16] row
// CHECK-NOT: lane.safe_body

// -----

// Two rows at once, operation by operation, and what is left one by one.
tile.kernel @rows(%x: !tile.view<const ?x8xf32>, %y: !tile.view<?x8xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true, programs_per_step = 2,
                 loops = [{ops = [0, 1, 2]}]},
    tile.safe_plan = {mapping = "row", width = 8, guard = false,
                      loops = [{ops = [0, 1]}, {ops = [2]}],
                      edges = [{value = 1, loop = 1, source = "keep"}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x8xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x8xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x8xf32> -> !tile.tile<[c:8], f32>
    %w = tile.map (%v) : (!tile.tile<[c:8], f32>) -> !tile.tile<[c:8], f32> {
    ^bb0(%a: f32):
      %p = math.absf %a : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:8], f32>, !tile.view<?x8xf32>
  }
}

// CHECK-LABEL: lane.phase @rows width 8
// CHECK-SAME: (%[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}) programs
// CHECK: %[[COUNT:.*]] = arith.subi %end, %begin : index
// CHECK-NEXT: %[[EVEN:.*]] = arith.andi %[[COUNT]], %c-2 : index
// CHECK-NEXT: %[[LAST:.*]] = arith.addi %begin, %[[EVEN]] : index
// CHECK-NEXT: scf.for %[[R0:.*]] = %begin to %[[LAST]] step %c2 {
// CHECK-NEXT: %[[R1:.*]] = arith.addi %[[R0]], %c1 : index
// CHECK: %[[V0:.*]] = lane.load %[[X]][%[[R0]], %{{.*}}]
// CHECK-NEXT: %[[V1:.*]] = lane.load %[[X]][%[[R1]], %{{.*}}]
// CHECK-NEXT: %[[W0:.*]] = math.absf %[[V0]] : f32
// CHECK-NEXT: %[[W1:.*]] = math.absf %[[V1]] : f32
// CHECK-NEXT: lane.store %[[W0]], %[[Y]][%[[R0]], %{{.*}}]
// CHECK-NEXT: lane.store %[[W1]], %[[Y]][%[[R1]], %{{.*}}]
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %{{.*}} = %[[LAST]] to %end step %c1 {
// -----

// A view that only lends its extents may have any strides.
tile.kernel @extent_only(%n: !tile.view<const ?xi8, unit = none>, %x: !tile.view<packed ?xf32>) attributes {
    tile.plan = {mapping = "flat", width = 4, loops = [{ops = [0, 1]}]}} {
  tile.axis @c = %n[0] : !tile.view<const ?xi8, unit = none>
  %v = tile.load %x[@c] : !tile.view<packed ?xf32> -> !tile.tile<[c:?], f32>
  tile.store %v, %x[@c] : !tile.tile<[c:?], f32>, !tile.view<packed ?xf32>
}

// CHECK-LABEL: lane.phase @extent_only width 4
// CHECK-SAME: (%[[N:[a-z0-9]+]]: {{.*}}, %[[X:[a-z0-9]+]]: {{.*}}) programs
// CHECK-NOT: lane.flatten %[[N]]
// CHECK: lane.flatten %[[X]]
// CHECK: lane.extent %[[N]][0]

// -----

// Overlapped programs: the first program's first loop before all, then each program's last loop with
// the next one's first loop beside it; the sum goes from program to program. The second loop computes
// the doubled tile again.
tile.kernel @overlap(%x: !tile.view<const packed ?x43xf32>, %y: !tile.view<packed ?x43xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true, overlap_programs = true,
                 loops = [{ops = [0, 1, 2], packets = 2, prefetch_bytes = 256},
                          {ops = [3, 4], packets = 1, tail = "overlapped"}],
                 edges = [{value = 1, loop = 1, source = "recompute"},
                          {value = 0, loop = 1, source = "reload"}]},
    tile.safe_plan = {mapping = "row", width = 8, guard = false,
                      loops = [{ops = [0, 1, 2]}, {ops = [3, 4]}],
                      edges = [{value = 1, loop = 1, source = "keep"}]}} {
  tile.axis @r = %x[0] : !tile.view<const packed ?x43xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x43xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const packed ?x43xf32> -> !tile.tile<[c:43], f32>
    %d = tile.map (%v) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.addf %a, %a : f32
      tile.yield %p : f32
    }
    %zero = arith.constant 0.5 : f32
    %s = tile.reduce (%d) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 16> : (!tile.tile<[c:43], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %e: f32): %n = arith.addf %acc, %e : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    %w = tile.map (%d) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.mulf %a, %s : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:43], f32>, !tile.view<packed ?x43xf32>
  }
}

// CHECK-LABEL: lane.phase @overlap width 8 (
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{.*}}, %[[Y:[a-z0-9]+]]: {{.*}}) programs (%[[BEGIN:.*]], %[[END:.*]]) {
// CHECK: lane.guard(%[[Y]]) against(%[[X]]) same_element_first [true]
// CHECK: %[[ANY:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]] : index
// CHECK-NEXT: scf.if %[[ANY]] {
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %c1 : index
// CHECK: scf.for
// CHECK: lane.load %[[X]][%[[BEGIN]], %{{.*}}]
// CHECK: lane.reduce
// CHECK: }
// CHECK: %[[FIRST_SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step %c1 iter_args(%[[SUM:.*]] = %[[FIRST_SUM]]) -> (f32) {
// CHECK: %[[AFTER:.*]] = arith.addi %[[ROW]], %c1 : index
// CHECK-NEXT: %[[NEXT:.*]] = arith.minsi %[[AFTER]], %[[LAST]] : index

// The packet at the end comes first. A step is as long as that of the longer loop.
// CHECK: lane.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK: scf.for %[[E:.*]] = %c0 to %c32 step %c16 iter_args(%{{.*}}, %{{.*}}) -> (f32, f32) {
// CHECK: lane.prefetch %[[X]][%[[NEXT]], %{{.*}}]
// CHECK: lane.load %[[X]][%[[NEXT]], %{{.*}}]
// CHECK: lane.load %[[X]][%[[NEXT]], %{{.*}}]
// CHECK-NOT: lane.prefetch
// CHECK: %[[V:.*]] = lane.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[V]], %[[V]] : f32
// CHECK-NEXT: %[[W:.*]] = arith.mulf %[[D]], %[[SUM]] : f32
// CHECK: lane.store %[[W]], %[[Y]][%[[ROW]], %{{.*}}]
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}]
// CHECK: scf.yield

// The rest of the next program's loop, then of this one.
// CHECK: lane.load %[[X]][%[[NEXT]], %{{.*}}]
// CHECK: scf.if
// CHECK: lane.load %[[X]][%[[NEXT]], %{{.*}}]
// CHECK: lane.reduce
// CHECK: }
// CHECK: %[[NEXT_SUM:.*]] = arith.addf
// CHECK: lane.load %[[X]][%[[ROW]], %{{.*}}]
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}]
// CHECK: lane.store %{{.*}}, %[[Y]][%[[ROW]], %{{.*}}]
// CHECK: scf.yield %[[NEXT_SUM]] : f32

// -----

// Without a safe plan nothing runs where the guard fails.
tile.kernel @on_demand(%x: !tile.view<const 8xf32>, %y: !tile.view<8xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true, loops = [{ops = [0, 1]}]}} {
  tile.axis @c = %x[0] : !tile.view<const 8xf32>
  %v = tile.load %x[@c] : !tile.view<const 8xf32> -> !tile.tile<[c:8], f32>
  tile.store %v, %y[@c] : !tile.tile<[c:8], f32>, !tile.view<8xf32>
}

// CHECK-LABEL: lane.phase @on_demand
// CHECK: %[[OK:.*]] = lane.guard
// CHECK: scf.if %[[OK]] {
// CHECK: lane.store
// CHECK: } else {
// CHECK-NEXT: lane.overlap
// CHECK-NEXT: }
// CHECK-NOT: lane.safe_body

// -----

// Blocks: one that is inside is a load at a column further; one that is tested loads where its point
// lies in the view and gives the fill elsewhere. What is proved of one end is not tested.
tile.kernel @blocks(%x: !tile.view<const ?x40xf32>, %y: !tile.view<?x16xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = false,
                 loops = [{ops = [0, 1, 2, 3]}, {ops = [4]}],
                 edges = [{value = 3, loop = 1, source = "keep"}]}} {
  tile.axis @r = %y[0] : !tile.view<?x16xf32>
  tile.axis @c = %y[1] : !tile.view<?x16xf32>
  %three = arith.constant 3 : index
  %before = arith.constant -2 : index
  tile.parallel (%row) over [@r] {
    %a = tile.load %x[%row, @c at %three assume] : !tile.view<const ?x40xf32> -> !tile.tile<[c:16], f32>
    %b = tile.load %x[%row, @c at %before] {fill = 5.0 : f32} : !tile.view<const ?x40xf32> -> !tile.tile<[c:16], f32>
    %d = tile.load %x[%row, @c at %row] : !tile.view<const ?x40xf32> -> !tile.tile<[c:16], f32>
    %v = tile.map (%a, %b, %d) : (!tile.tile<[c:16], f32>, !tile.tile<[c:16], f32>, !tile.tile<[c:16], f32>) -> !tile.tile<[c:16], f32> {
    ^bb0(%i: f32, %j: f32, %k: f32):
      %p = math.fma %i, %j, %k : f32
      tile.yield %p : f32
    }
    tile.store %v, %y[%row, @c at %before] : !tile.tile<[c:16], f32>, !tile.view<?x16xf32>
  }
}

// CHECK-LABEL: lane.phase @blocks width 8 (
// CHECK-SAME: %[[X:[a-z0-9]+]]: !tile.view<const ?x40xf32>, %[[Y:[a-z0-9]+]]: !tile.view<?x16xf32>)
// CHECK: scf.for %[[ROW:.*]] = %begin to %end
// Points 2 and up of the second load; of the third those up to 40 less the row.
// CHECK-DAG: %[[FILL:.*]] = arith.constant 5.000000e+00 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[ORDER:.*]] = arith.cmpi sle, %[[ROW]], %c40
// CHECK-DAG: %[[ROOM:.*]] = arith.subi %c40, %[[ROW]]
// CHECK-DAG: %[[POINTS:.*]] = arith.minui %[[ROOM]], %c16
// CHECK-DAG: %[[LAST:.*]] = arith.select %[[ORDER]], %[[POINTS]], %c0
// CHECK: %[[LANE:.*]] = lane.id
// CHECK: scf.for %[[E:.*]] = %c0 to %c16 step %c8
// CHECK: %[[AT:.*]] = arith.addi %[[E]], %[[LANE]]
// CHECK: %[[SHIFTED:.*]] = arith.addi %c3{{.*}}, %[[AT]]
// CHECK: lane.load %[[X]][%[[ROW]], %[[SHIFTED]]] consecutive
// CHECK: %[[BEHIND:.*]] = arith.cmpi sge, %{{.*}}, %c2
// CHECK-NEXT: scf.if %[[BEHIND]] -> (f32) {
// CHECK: lane.load %[[X]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[FILL]]
// CHECK: %[[WITHIN:.*]] = arith.cmpi slt, %{{.*}}, %[[LAST]]
// CHECK-NEXT: scf.if %[[WITHIN]] -> (f32) {
// CHECK: lane.load %[[X]]
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO]]
// The store is of the points that the view has; of a packet that is inside, without a mask.
// CHECK: scf.for %[[BASE:.*]] = %c0 to %c16 step %c8
// CHECK: %[[ALL:.*]] = arith.cmpi sge, %[[BASE]], %c2
// CHECK-NEXT: scf.if %[[ALL]] {
// CHECK: lane.store {{.*}}, %[[Y]]
// CHECK-NEXT: } else {
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %{{.*}}, %c2
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK: lane.store {{.*}}, %[[Y]]

// -----

// The main loop is aligned for the first store, and for others of the row at multiples of a line.

tile.kernel @both_aligned(%x: !tile.view<const ?x96xf32>, %y: !tile.view<?x192xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1, 2], packets = 1, tail = "masked", align_stores = true,
                           nontemporal = true}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x96xf32>
  tile.axis @h = %x[1] : !tile.view<const ?x96xf32>
  %zero = arith.constant 0 : index
  %half = arith.constant 96 : index
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @h] : !tile.view<const ?x96xf32> -> !tile.tile<[h:96], f32>
    tile.store %v, %y[%row, @h at %zero assume] : !tile.tile<[h:96], f32>, !tile.view<?x192xf32>
    tile.store %v, %y[%row, @h at %half assume] : !tile.tile<[h:96], f32>, !tile.view<?x192xf32>
  }
}

// CHECK-LABEL: lane.phase @both_aligned
// CHECK: scf.for %{{.*}} to %{{.*}} step %c8
// CHECK: lane.store {{.*}} consecutive aligned nontemporal
// CHECK: lane.store {{.*}} consecutive aligned nontemporal

// -----

tile.kernel @one_aligned(%x: !tile.view<const ?x88xf32>, %y: !tile.view<?x176xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = true,
                 loops = [{ops = [0, 1, 2], packets = 1, tail = "masked", align_stores = true,
                           nontemporal = true}]}} {
  tile.axis @r = %x[0] : !tile.view<const ?x88xf32>
  tile.axis @h = %x[1] : !tile.view<const ?x88xf32>
  %zero = arith.constant 0 : index
  %half = arith.constant 88 : index
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @h] : !tile.view<const ?x88xf32> -> !tile.tile<[h:88], f32>
    tile.store %v, %y[%row, @h at %zero assume] : !tile.tile<[h:88], f32>, !tile.view<?x176xf32>
    tile.store %v, %y[%row, @h at %half assume] : !tile.tile<[h:88], f32>, !tile.view<?x176xf32>
  }
}

// CHECK-LABEL: lane.phase @one_aligned
// CHECK: scf.for %{{.*}} to %{{.*}} step %c8
// CHECK: lane.store {{.*}} consecutive aligned nontemporal
// CHECK: lane.store {{.*}} consecutive :
