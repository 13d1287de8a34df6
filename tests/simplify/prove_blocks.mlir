// RUN: tilewright-opt %s --run=prove_blocks --split-input-file | FileCheck %s

// Constant origins: what fits is inside, one position more is not.
// CHECK-LABEL: tile.kernel @constants
tile.kernel @constants(%x: !tile.view<const ?x8xf32>, %y: !tile.view<?x4xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x4xf32>
  tile.axis @h = %y[1] : !tile.view<?x4xf32>
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %five = arith.constant 5 : index
  %before = arith.constant -1 : index
  %far = arith.constant 9223372036854775807 : index
  tile.parallel (%row) over [@r] {
    // CHECK: tile.load %{{.*}}[%{{.*}}, @h at %c0 assume] : !tile.view
    %a = tile.load %x[%row, @h at %zero] {fill = 1.0 : f32} : !tile.view<const ?x8xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %{{.*}}[%{{.*}}, @h at %c4 assume] : !tile.view
    %b = tile.load %x[%row, @h at %four] : !tile.view<const ?x8xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %{{.*}}[%{{.*}}, @h at %c5] {fill = 1.000000e+00 : f32} : !tile.view
    %c = tile.load %x[%row, @h at %five] {fill = 1.0 : f32} : !tile.view<const ?x8xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %{{.*}}[%{{.*}}, @h at %c-1] : !tile.view
    %d = tile.load %x[%row, @h at %before] : !tile.view<const ?x8xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %{{.*}}[%{{.*}}, @h at %c9223372036854775807] : !tile.view
    %e = tile.load %x[%row, @h at %far] : !tile.view<const ?x8xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, @h at %c0 assume] : !tile.tile
    tile.store %a, %y[%row, @h at %zero] : !tile.tile<[h:4], f32>, !tile.view<?x4xf32>
  }
}

// -----

// Indices of a nest run up to their axis's extent.
// CHECK-LABEL: tile.kernel @indices
tile.kernel @indices(%x: !tile.view<const 12xf32>, %z: !tile.view<const 11xf32>, %y: !tile.view<3x4xf32>) {
  tile.axis @r = %y[0] : !tile.view<3x4xf32>
  tile.axis @h = %y[1] : !tile.view<3x4xf32>
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  tile.parallel (%row) over [@r] {
    %start = arith.muli %row, %four : index
    // CHECK: tile.load %arg0[@h at %{{.*}} assume]
    %a = tile.load %x[@h at %start] : !tile.view<const 12xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.load %arg1[@h at %{{[0-9a-z]*}}] :
    %b = tile.load %z[@h at %start] : !tile.view<const 11xf32> -> !tile.tile<[h:4], f32>
    %back = arith.subi %eight, %start : index
    // CHECK: tile.load %arg0[@h at %{{.*}} assume]
    %c = tile.load %x[@h at %back] : !tile.view<const 12xf32> -> !tile.tile<[h:4], f32>
  }
}

// -----

// An origin that may wrap around proves nothing; one that cannot does, of dynamic extents too.
// CHECK-LABEL: tile.kernel @wrapping
tile.kernel @wrapping(%x: !tile.view<const 9xf32>, %y: !tile.view<?x4xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x4xf32>
  tile.axis @h = %y[1] : !tile.view<?x4xf32>
  %zero = arith.constant 0 : index
  %far = arith.constant -9223372036854775807 : index
  tile.parallel (%row) over [@r] {
    %before = arith.muli %row, %far : index
    // CHECK: tile.load %arg0[@h at %{{[0-9a-z]*}}] :
    %a = tile.load %x[@h at %before] : !tile.view<const 9xf32> -> !tile.tile<[h:4], f32>
    // CHECK: tile.store %{{.*}}, %arg1[@r at %c0 assume, @h at %c0 assume]
    tile.store %a, %y[@r at %zero, @h at %zero] : !tile.tile<[h:4], f32>, !tile.view<?x4xf32>
  }
}

// -----

// Extents of the launch: a whole dimension is inside itself; another one, or a shift, may not be.
// CHECK-LABEL: tile.kernel @extents
tile.kernel @extents(%x: !tile.view<const ?xf32>, %y: !tile.view<const ?xf32>) {
  tile.axis @h = %x[0] : !tile.view<const ?xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tile.extent @h : index
  // CHECK: tile.load %arg0[@h at %c0 assume]
  %a = tile.load %x[@h at %zero] : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
  // CHECK: tile.load %arg1[@h at %c0] :
  %b = tile.load %y[@h at %zero] : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
  // CHECK: tile.load %arg0[@h at %c1] :
  %c = tile.load %x[@h at %one] : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
  // CHECK: tile.load %arg0[@h at %{{[0-9a-z]*}}] :
  %d = tile.load %x[@h at %n] : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
}
