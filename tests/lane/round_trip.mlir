// Every operation, type and attribute of the lane dialect reads what it prints.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s

// CHECK-LABEL: lane.phase @all width 8 (%{{.*}}: !tile.view<const packed ?x65xf32>, %{{.*}}: !tile.view<?x65xf32>) programs (%{{.*}}, %{{.*}}) {
lane.phase @all width 8 (%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<?x65xf32>)
    programs (%begin, %end) {
  // CHECK: %[[ID:.*]] = lane.id : index
  %id = lane.id : index
  // CHECK: lane.extent %{{.*}}[1] : !tile.view<const packed ?x65xf32>
  %n = lane.extent %x[1] : !tile.view<const packed ?x65xf32>
  // CHECK: lane.flatten %{{.*}} : !tile.view<const packed ?x65xf32> -> !tile.view<const packed ?xf32>
  %f = lane.flatten %x : !tile.view<const packed ?x65xf32> -> !tile.view<const packed ?xf32>
  // CHECK: %[[V:.*]] = lane.load %{{.*}}[%{{.*}}, %[[ID]]] consecutive : !tile.view<const packed ?x65xf32> -> f32
  %v = lane.load %x[%begin, %id] consecutive : !tile.view<const packed ?x65xf32> -> f32
  // CHECK: lane.load {{.*}} uniform :
  %u = lane.load %x[%begin, %n] uniform : !tile.view<const packed ?x65xf32> -> f32
  // CHECK: lane.load {{.*}} strided :
  %w = lane.load %x[%id, %n] strided : !tile.view<const packed ?x65xf32> -> f32
  // CHECK: lane.load {{.*}} unknown :
  %z = lane.load %x[%id, %id] unknown : !tile.view<const packed ?x65xf32> -> f32
  // CHECK: lane.store %[[V]], %{{.*}}[%{{.*}}, %[[ID]]] consecutive : f32, !tile.view<?x65xf32>
  lane.store %v, %y[%begin, %id] consecutive : f32, !tile.view<?x65xf32>
  // CHECK: lane.store %[[V]], {{.*}} consecutive step_down : f32, !tile.view<?x65xf32>
  lane.store %v, %y[%begin, %id] consecutive step_down : f32, !tile.view<?x65xf32>
  // CHECK: lane.store %[[V]], {{.*}} consecutive aligned nontemporal : f32, !tile.view<?x65xf32>
  lane.store %v, %y[%begin, %id] consecutive aligned nontemporal : f32, !tile.view<?x65xf32>
  // CHECK: lane.prefetch %{{.*}}[%{{.*}}, %[[ID]]] : !tile.view<const packed ?x65xf32>
  lane.prefetch %x[%begin, %id] : !tile.view<const packed ?x65xf32>
  // CHECK: lane.fence
  lane.fence
  // CHECK: %[[A:.*]] = lane.private : !lane.private<9xf32>
  %a = lane.private : !lane.private<9xf32>
  // CHECK: lane.put %[[V]], %[[A]][%{{.*}}] : f32, !lane.private<9xf32>
  lane.put %v, %a[%begin] : f32, !lane.private<9xf32>
  // CHECK: lane.put %[[V]], %[[A]][%{{.*}}] row : f32, !lane.private<9xf32>
  lane.put %v, %a[%begin] row : f32, !lane.private<9xf32>
  // CHECK: lane.get %[[A]][%{{.*}}] row : !lane.private<9xf32> -> f32
  %h = lane.get %a[%begin] row : !lane.private<9xf32> -> f32
  // CHECK: %[[G:.*]] = lane.get %[[A]][%{{.*}}] : !lane.private<9xf32> -> f32
  %g = lane.get %a[%begin] : !lane.private<9xf32> -> f32
  // CHECK: lane.reduce(%[[V]], %[[G]]) packets 2 : (f32, f32) -> (f32) {
  // CHECK: lane.yield %{{.*}} : f32
  %r = lane.reduce (%v, %g) packets 2 : (f32, f32) -> (f32) {
  ^bb0(%l: f32, %m: f32):
    %s = arith.addf %l, %m : f32
    lane.yield %s : f32
  }
  // CHECK: lane.misalignment %{{.*}}[%{{.*}}, %{{.*}}] bytes 64 : !tile.view<?x65xf32>
  %p = lane.misalignment %y[%begin, %n] bytes 64 : !tile.view<?x65xf32>
  // CHECK: lane.guard(%[[Y:.*]]) against(%[[X:.*]]) same_element_first [false] : (!tile.view<?x65xf32>), (!tile.view<const packed ?x65xf32>)
  %c = lane.guard(%y) against(%x) same_element_first [false] : (!tile.view<?x65xf32>), (!tile.view<const packed ?x65xf32>)
  // CHECK: lane.guard(%[[Y]], %[[Y]]) against(%[[X]], %[[Y]]) same_element_first [true, false]
  %d = lane.guard(%y, %y) against(%x, %y) same_element_first [true, false] : (!tile.view<?x65xf32>, !tile.view<?x65xf32>), (!tile.view<const packed ?x65xf32>, !tile.view<?x65xf32>)
  // CHECK: lane.overlap
  lane.overlap
  // CHECK: lane.safe_body
  lane.safe_body
}
