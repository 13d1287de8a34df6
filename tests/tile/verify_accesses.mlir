// One case per rule of loads and stores.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4x4xf32>
  // expected-error @+1 {{indexes 1 dimensions of a view of rank 2}}
  %v = tile.load %x[@c] : !tile.view<4x4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-error @+1 {{spans are axis symbols, blocks or unit}}
  %v = "tile.load"(%x) <{spans = [1 : i32]}> : (!tile.view<4xf32>) -> f32
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-error @+1 {{has 0 coordinates for 1 selected dimensions and blocks}}
  %v = "tile.load"(%x) <{spans = [unit]}> : (!tile.view<4xf32>) -> f32
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  // expected-error @+1 {{names axis @c, which the kernel does not declare}}
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>, %y: !tile.view<5xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{spans dimension 0 of extent 5 with axis @c of extent 4}}
  %v = tile.load %y[@c] : !tile.view<5xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4x4xf32>
  // expected-error @+1 {{spans two dimensions with axis @c}}
  %v = tile.load %x[@c, @c] : !tile.view<4x4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{gives '!tile.tile<[c:4], f32>', not '!tile.tile<[c:4], f64>'}}
  %v = tile.load %x[@c] : !tile.view<4xf32> -> !tile.tile<[c:4], f64>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  %i = arith.constant 0 : index
  // expected-error @+1 {{gives 'f32', not 'i32'}}
  %v = tile.load %x[%i] : !tile.view<4xf32> -> i32
}

// -----

tile.kernel @k(%x: !tile.view<const 4xf32>) {
  tile.axis @c = %x[0] : !tile.view<const 4xf32>
  %s = arith.constant 0.0 : f32
  // expected-error @+1 {{writes through a const view}}
  tile.store %s, %x[@c] : f32, !tile.view<const 4xf32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %s = arith.constant 0 : i32
  // expected-error @+1 {{stores 'i32' to a view of 'f32'}}
  tile.store %s, %x[@c] : i32, !tile.view<4xf32>
}

// -----

// Axes match by identity: equal extents do not help.
tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @r = %x[0] : !tile.view<4x4xf32>
  tile.axis @c = %x[1] : !tile.view<4x4xf32>
  %i = arith.constant 0 : index
  %v = tile.load %x[@r, %i] : !tile.view<4x4xf32> -> !tile.tile<[r:4], f32>
  // expected-error @+1 {{stores a tile over axis @r, which does not span the destination}}
  tile.store %v, %x[%i, @c] : !tile.tile<[r:4], f32>, !tile.view<4x4xf32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  %i = arith.constant 0 : index
  // expected-error @+1 {{names axis @h, which the kernel does not declare}}
  %v = tile.load %x[@h at %i] : !tile.view<4xf32> -> !tile.tile<[h:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4x4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4x4xf32>
  %i = arith.constant 0 : index
  // expected-error @+1 {{spans two dimensions with axis @c}}
  %v = tile.load %x[@c, @c at %i] : !tile.view<4x4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  // expected-error @+1 {{has 0 coordinates for 1 selected dimensions and blocks}}
  %v = "tile.load"(%x) <{spans = [#tile.block<@c, zero>]}> : (!tile.view<4xf32>) -> !tile.tile<[c:4], f32>
}

// -----

// A block is as long as its axis.
tile.kernel @k(%x: !tile.view<4xf32>, %y: !tile.view<9xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %i = arith.constant 0 : index
  // expected-error @+1 {{gives '!tile.tile<[c:4], f32>', not '!tile.tile<[c:9], f32>'}}
  %v = tile.load %y[@c at %i] : !tile.view<9xf32> -> !tile.tile<[c:9], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %i = arith.constant 0 : index
  // expected-error @+1 {{has a fill of 'f64' for a view of 'f32'}}
  %v = tile.load %x[@c at %i] {fill = 1.0 : f64} : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<4xf32>) {
  tile.axis @c = %x[0] : !tile.view<4xf32>
  %i = arith.constant 0 : index
  // expected-error @+1 {{has a fill, but no block whose bounds are zero}}
  %v = tile.load %x[@c at %i assume] {fill = 1.0 : f32} : !tile.view<4xf32> -> !tile.tile<[c:4], f32>
}

// -----

tile.kernel @k(%x: !tile.view<const 4xf32>) {
  tile.axis @c = %x[0] : !tile.view<const 4xf32>
  %i = arith.constant 0 : index
  %s = arith.constant 0.0 : f32
  // expected-error @+1 {{writes through a const view}}
  tile.store %s, %x[@c at %i] : f32, !tile.view<const 4xf32>
}
