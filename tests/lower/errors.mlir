// What `lower` refuses: kernels that the planner has not been over.
// RUN: tilewright-opt %s --run=lower --split-input-file --verify-diagnostics

// expected-error @+1 {{has no plan}}
tile.kernel @unplanned(%x: !tile.view<?x8xf32>) {
}
// -----

// expected-error @+1 {{has a plan that needs a guard}}
tile.kernel @no_guard(%x: !tile.view<const 8xf32>, %y: !tile.view<8xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, guard = false, loops = [{ops = [0, 1]}]}} {
  tile.axis @c = %x[0] : !tile.view<const 8xf32>
  %v = tile.load %x[@c] : !tile.view<const 8xf32> -> !tile.tile<[c:8], f32>
  tile.store %v, %y[@c] : !tile.tile<[c:8], f32>, !tile.view<8xf32>
}
// -----

// expected-error @+1 {{has a safe plan of another width than its plan}}
tile.kernel @other_width(%x: !tile.view<const 8xf32>, %y: !tile.view<8xf32>) attributes {
    tile.plan = {mapping = "row", width = 8, loops = [{ops = [0, 1]}]},
    tile.safe_plan = {mapping = "row", width = 4, guard = false, loops = [{ops = [0]}, {ops = [1]}],
                      edges = [{value = 0, loop = 1, source = "keep"}]}} {
  tile.axis @c = %x[0] : !tile.view<const 8xf32>
  %v = tile.load %x[@c] : !tile.view<const 8xf32> -> !tile.tile<[c:8], f32>
  tile.store %v, %y[@c] : !tile.tile<[c:8], f32>, !tile.view<8xf32>
}
