// RUN: tilewright-opt %s --split-input-file --run=contract | FileCheck %s

// CHECK-LABEL: tile.kernel @forms
tile.kernel @forms(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed 65xf32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  // CHECK: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: %[[B:.*]] = math.exp %[[A]]
  // CHECK-NEXT: %[[C:.*]] = math.sqrt %[[A]]
  %w = tile.map(%v) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    %c = math.sqrt %a : f32
    // CHECK-NEXT: %[[F1:.*]] = math.fma %[[A]], %[[B]], %[[C]]
    %p1 = arith.mulf %a, %b : f32
    %f1 = arith.addf %p1, %c : f32
    // CHECK-NEXT: %[[F2:.*]] = math.fma %[[A]], %[[B]], %[[F1]]
    %p2 = arith.mulf %a, %b : f32
    %f2 = arith.addf %f1, %p2 : f32
    // CHECK-NEXT: %[[N3:.*]] = arith.negf %[[F2]]
    // CHECK-NEXT: %[[F3:.*]] = math.fma %[[A]], %[[C]], %[[N3]]
    %p3 = arith.mulf %a, %c : f32
    %f3 = arith.subf %p3, %f2 : f32
    // CHECK-NEXT: %[[N4:.*]] = arith.negf %[[B]]
    // CHECK-NEXT: %[[F4:.*]] = math.fma %[[N4]], %[[C]], %[[F3]]
    %p4 = arith.mulf %b, %c : f32
    %f4 = arith.subf %f3, %p4 : f32
    // Of two products the left one is contracted.
    // CHECK-NEXT: %[[P6:.*]] = arith.mulf %[[F4]], %[[C]]
    // CHECK-NEXT: %[[F5:.*]] = math.fma %[[F4]], %[[A]], %[[P6]]
    %p5 = arith.mulf %f4, %a : f32
    %p6 = arith.mulf %f4, %c : f32
    %f5 = arith.addf %p5, %p6 : f32
    // A product that is used twice stays.
    // CHECK-NEXT: %[[P7:.*]] = arith.mulf %[[F5]], %[[A]]
    // CHECK-NEXT: %[[F7:.*]] = arith.addf %[[P7]], %[[P7]]
    %p7 = arith.mulf %f5, %a : f32
    %f7 = arith.addf %p7, %p7 : f32
    // CHECK-NEXT: tile.yield %[[F7]]
    tile.yield %f7 : f32
  }
  tile.store %w, %y[@c] : !tile.tile<[c:65], f32>, !tile.view<packed 65xf32>
}

// -----

// CHECK-LABEL: tile.kernel @sum_of_squares
// CHECK: step {
// CHECK-NEXT: ^bb0(%[[ACC:.*]]: f32, %[[A:.*]]: f32):
// CHECK-NEXT: %[[F:.*]] = math.fma %[[A]], %[[A]], %[[ACC]]
// CHECK-NEXT: tile.yield %[[F]]
// CHECK: merge {
// CHECK-NEXT: ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT: arith.addf %[[L]], %[[R]]
tile.kernel @sum_of_squares(%x: !tile.view<const packed 65xf32>, %y: !tile.view<packed f32>) {
  tile.axis @c = %x[0] : !tile.view<const packed 65xf32>
  %v = tile.load %x[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
  %zero = arith.constant -0.0 : f32
  %s = tile.reduce(%v) over [@c] seed(%zero) identity [-0.0 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32)
  step {
  ^bb0(%acc: f32, %a: f32):
    %p = arith.mulf %a, %a : f32
    %n = arith.addf %acc, %p : f32
    tile.yield %n : f32
  } merge {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    tile.yield %n : f32
  }
  tile.store %s, %y[] : f32, !tile.view<packed f32>
}

// -----

// CHECK-LABEL: tile.kernel @forbidden
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
tile.kernel @forbidden(%x: !tile.view<const packed f32>, %y: !tile.view<packed f32>) attributes {contract = false} {
  %a = tile.load %x[] : !tile.view<const packed f32> -> f32
  %p = arith.mulf %a, %a : f32
  %s = arith.addf %p, %a : f32
  tile.store %s, %y[] : f32, !tile.view<packed f32>
}
