// One case per rule of kernels, axes and nests.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{takes views, not 'f32'}}
tile.kernel @k(%x: f32) {}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-error @+1 {{takes dimension 1 of a view of rank 1}}
  tile.axis @c = %x[1] : !tile.view<4xf32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-error @+1 {{takes dimension -1 of a view of rank 1}}
  tile.axis @c = %x[-1] : !tile.view<4xf32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-note @+1 {{see existing symbol definition here}}
  tile.axis @c = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{redefinition of symbol named 'c'}}
  tile.axis @c = %x[0] : !tile.view<4xf32>
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{names axis @c, which the kernel does not declare}}
  %n = tile.extent @c : index
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{runs over at least one axis}}
  tile.parallel () over [] {
  }
}

// -----

tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @r = %x[0] : !tile.view<4x4xf32>
  tile.axis @c = %x[1] : !tile.view<4x4xf32>
  // expected-error @+1 {{has 1 indices for 2 axes}}
  tile.parallel (%i) over [@r, @c] {
  }
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{names axis @r, which the kernel does not declare}}
  tile.parallel (%i) over [@r] {
  }
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @r = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{has indices of type index}}
  "tile.parallel"() <{axes = [@r]}> ({
  ^bb0(%i: i32):
  }) : () -> ()
}
