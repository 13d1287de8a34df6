#pragma once

#include <cstdint>

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Slots of a reduction along rows: 4 AVX-512, 8 AVX2 or 16 NEON accumulators of f32, which is
/// enough to hide the latency of an addition at every width.
inline constexpr int64_t row_slots = 64;

/// Slots of any other reduction: additions take 4 cycles and two start in each, so 8 are in flight.
inline constexpr int64_t other_slots = 8;

/// Gives every unordered reduction its canonical grouping: `row_slots` when the innermost reduced
/// axis spans the last dimension of a view that the elements come from, through maps or directly;
/// `other_slots` otherwise. Neither strides nor extents matter, so a strided slice, a static and a
/// dynamic kernel give the same bits. A grouping that is there already stays. After it every
/// unordered reduction has one.
mlir::LogicalResult set_grouping(mlir::ModuleOp module);

} // namespace tilewright::simplify
