// One case per rule of the types and attributes of the tile dialect.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{a view holds numbers, not 'index'}}
tile.kernel @k(%x: !tile.view<4xindex>) {}

// -----

// expected-error @+1 {{a view has at most 8 dimensions, not 9}}
tile.kernel @k(%x: !tile.view<1x1x1x1x1x1x1x1x1xf32>) {}

// -----

// expected-error @+1 {{unit dimension 2 is outside rank 2}}
tile.kernel @k(%x: !tile.view<4x4xf32, unit = 2>) {}

// -----

// expected-error @+1 {{a packed view has unit stride in its last dimension}}
tile.kernel @k(%x: !tile.view<packed 4x4xf32, unit = 0>) {}

// -----

tile.kernel @k() {
  // expected-error @+1 {{a tile has at least one axis; a scalar has none}}
  %v = tile.map () : () -> !tile.tile<[], f32> {
  }
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{a tile holds numbers, not 'index'}}
  %v = tile.map () : () -> !tile.tile<[c:4], index> {
  }
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{a tile has axis "c" only once}}
  %v = tile.map () : () -> !tile.tile<[c:4, c:4], f32> {
  }
}

// -----

tile.kernel @k() {
  // expected-error @+1 {{a tile's extent is not negative}}
  %v = tile.map () : () -> !tile.tile<[c:-4], f32> {
  }
}

// -----

// expected-error @+1 {{the slot count of a grouping is a power of two, not 48}}
tile.kernel @k() attributes {g = #tile.grouping<slots = 48>} {}

// -----

// expected-error @+1 {{the slot count of a grouping is a power of two, not 0}}
tile.kernel @k() attributes {g = #tile.grouping<slots = 0>} {}
