// RUN: tilewright-opt %s --run=bound_arguments | FileCheck %s

// CHECK-LABEL: tile.kernel @difference
// CHECK: math.exp %{{.*}} {tile.never_positive} : f32
tile.kernel @difference(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
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

// Zero stands for a maximum that is below it.
// CHECK-LABEL: tile.kernel @chosen
// CHECK: math.exp %{{.*}} {tile.never_positive} : f32
tile.kernel @chosen(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
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
    tile.store %e, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// Zero may stand for a maximum above it.
// CHECK-LABEL: tile.kernel @chosen_too_low
// CHECK: math.exp %{{[^ ]*}} : f32
tile.kernel @chosen_too_low(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
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
    %big = arith.constant 1.0 : f32
    %none = arith.cmpf oeq, %m, %big : f32
    %shift = arith.select %none, %zero, %m : f32
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %shift : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    tile.store %e, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// CHECK-LABEL: tile.kernel @any_other_comparison
// CHECK: math.exp %{{[^ ]*}} : f32
tile.kernel @any_other_comparison(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
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
    %none = arith.cmpf ueq, %m, %lowest : f32
    %shift = arith.select %none, %zero, %m : f32
    %e = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %shift : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    tile.store %e, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}

// CHECK-LABEL: tile.kernel @minimum
// CHECK: math.exp %{{[^ ]*}} : f32
tile.kernel @minimum(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %v = tile.load %x[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %lowest = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %m = tile.reduce(%v) over [@c] seed(%lowest) identity [0xFF800000 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%a: f32, %b: f32):
      %n = arith.minimumf %a, %b : f32
      tile.yield %n : f32
    } merge {
    ^bb0(%a: f32, %b: f32):
      %n = arith.minimumf %a, %b : f32
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

// CHECK-LABEL: tile.kernel @of_another_tile
// CHECK: math.exp %{{[^ ]*}} : f32
tile.kernel @of_another_tile(%x: !tile.view<const packed ?x65xf32>, %y: !tile.view<packed ?x65xf32>) {
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
    %u = tile.load %y[%r, @c] : !tile.view<packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %e = tile.map(%u) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32):
      %d = arith.subf %a, %m : f32
      %n = math.exp %d : f32
      tile.yield %n : f32
    }
    tile.store %e, %y[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}
