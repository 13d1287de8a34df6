// The plan as an attribute, with the choices a test fixes; where it has a guard and its object the
// safe body, the safe plan too.
// RUN: tilewright-opt %s --isa=x86-64-v3 --stop-after=plan --safe-body=in-object | FileCheck %s
// RUN: tilewright-opt %s --isa=x86-64-v3 --stop-after=plan | FileCheck %s --check-prefix=DEMAND
// RUN: tilewright-opt %s --isa=x86-64-v3 --stop-after=plan --safe-body=only \
// RUN:   | FileCheck %s --check-prefix=ONLY
// RUN: tilewright-opt %s --isa=x86-64-v3 --stop-after=plan --safe-body=in-object \
// RUN:   --plan '{"width":4,"programs_per_step":2,"tail":"masked","packets":1,"source":"keep"}' \
// RUN:   | FileCheck %s --check-prefix=FIXED
// RUN: not tilewright-opt %s --isa=x86-64-v3 --stop-after=plan --plan '{"width":3}' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WIDTH
// RUN: not tilewright-opt %s --isa=x86-64-v3 --stop-after=plan --plan '{"mapping":"flat"}' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FLAT

// CHECK: tile.kernel @normalise
// CHECK-SAME: tile.plan = {edges = [
// CHECK-SAME: guard = true
// CHECK-SAME: mapping = "row"
// CHECK-SAME: width = 8 : i64}
// CHECK-SAME: tile.safe_plan = {
// CHECK-SAME: guard = false
// CHECK-SAME: mapping = "row", overlap_programs = false, programs_per_step = 1 : i64
// CHECK-SAME: width = 8 : i64}

// DEMAND: tile.plan = {{.*}}guard = true
// DEMAND-NOT: tile.safe_plan

// ONLY: tile.plan = {{.*}}guard = false
// ONLY-NOT: tile.safe_plan

// FIXED: tile.kernel @normalise
// FIXED-SAME: tile.plan = {edges = [{loop = 1 : i64, source = "keep", value = 0 : i64}]
// FIXED-SAME: packets = 1 : i64
// FIXED-SAME: tail = "masked"
// FIXED-SAME: mapping = "row", overlap_programs = false, programs_per_step = 2 : i64
// FIXED-SAME: width = 4 : i64}
// FIXED-SAME: tile.safe_plan = {
// FIXED-SAME: width = 4 : i64}

// WIDTH: kernel 'normalise': width is 3, not a power of two from 1 to
// FLAT: kernel 'normalise': mapping flat does not fit:
tile.kernel @normalise(%x: !tile.view<const ?x43xf32>, %y: !tile.view<?x43xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x43xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x43xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x43xf32> -> !tile.tile<[c:43], f32>
    %zero = arith.constant 0.0 : f32
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        : (!tile.tile<[c:43], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %e: f32): %n = arith.addf %acc, %e : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    %w = tile.map (%v) : (!tile.tile<[c:43], f32>) -> !tile.tile<[c:43], f32> {
    ^bb0(%a: f32):
      %p = arith.divf %a, %s : f32
      tile.yield %p : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:43], f32>, !tile.view<?x43xf32>
  }
}
