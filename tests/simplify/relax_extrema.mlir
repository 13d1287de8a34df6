// RUN: tilewright-opt %s --run=relax_extrema | FileCheck %s

// A NaN makes the sum NaN, and so every output; no use tells zeros apart.
// CHECK-LABEL: tile.kernel @softmax
// CHECK-COUNT-2: arith.maxnumf %{{.*}}, %{{.*}} {tile.first_is_number} : f32
// CHECK: math.exp
tile.kernel @softmax(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    }
    %none = arith.cmpf oeq, %m, %lowest : f32
    %shift = arith.select %none, %zero, %m : f32
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %shift : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    %s = tile.reduce(%e) over [@c] seed(%zero) identity [0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    }
    %one = arith.constant 1.0 : f32
    %i = arith.divf %one, %s : f32
    %empty = arith.cmpf oeq, %s, %zero : f32
    %scale = arith.select %empty, %zero, %i : f32
    %w = tile.map(%e) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %n = arith.mulf %a, %scale : f32
      tile.yield %n : f32
    }
    tile.store %w, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// Only the outputs at NaN elements are NaN here.
// CHECK-LABEL: tile.kernel @not_everywhere
// CHECK-COUNT-2: arith.maximumf
tile.kernel @not_everywhere(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    }
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %m : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    tile.store %e, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// A comparison that holds for NaN takes the other branch.
// CHECK-LABEL: tile.kernel @replaced
// CHECK-COUNT-2: arith.maximumf
tile.kernel @replaced(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    }
    %none = arith.cmpf oeq, %m, %lowest : f32
    %shift = arith.select %none, %zero, %m : f32
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %shift : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    %s = tile.reduce(%e) over [@c] seed(%zero) identity [0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    }
    %one = arith.constant 1.0 : f32
    %i = arith.divf %one, %s : f32
    %empty = arith.cmpf ueq, %s, %zero : f32
    %scale = arith.select %empty, %zero, %i : f32
    %w = tile.map(%e) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %n = arith.mulf %a, %scale : f32
      tile.yield %n : f32
    }
    tile.store %w, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// The difference is stored with the sign of its zeros.
// CHECK-LABEL: tile.kernel @signed_zeros
// CHECK-COUNT-2: arith.maximumf
tile.kernel @signed_zeros(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    }
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %n = arith.subf %a, %m : f32
      tile.yield %n : f32
    }
    %s = tile.reduce(%e) over [@c] seed(%zero) identity [0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      tile.yield %n : f32
    }
    %w = tile.map(%e) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %n = arith.mulf %a, %s : f32
      tile.yield %n : f32
    }
    tile.store %w, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// The sum leaves NaN out.
// CHECK-LABEL: tile.kernel @sum_of_minima
// CHECK-COUNT-2: arith.maximumf
tile.kernel @sum_of_minima(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.maximumf %a, %b : f32
      tile.yield %n : f32
    }
    %none = arith.cmpf oeq, %m, %lowest : f32
    %shift = arith.select %none, %zero, %m : f32
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %shift : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    %s = tile.reduce(%e) over [@c] seed(%zero) identity [0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.minnumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.minnumf %a, %b : f32
      tile.yield %n : f32
    }
    %one = arith.constant 1.0 : f32
    %i = arith.divf %one, %s : f32
    %empty = arith.cmpf oeq, %s, %zero : f32
    %scale = arith.select %empty, %zero, %i : f32
    %w = tile.map(%e) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %n = arith.mulf %a, %scale : f32
      tile.yield %n : f32
    }
    tile.store %w, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}
