#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Evaluates what depends on constants alone, with correctly rounded operations only: extents of
/// static axes, integer operations, conversions, + - * / and sqrt, comparisons and selects. A
/// division by a constant whose reciprocal is exact (a power of two) becomes a multiplication: the
/// same real number, rounded once, so the same bits. No function that is not correctly rounded is
/// evaluated, no identity such as x + 0 is used.
mlir::LogicalResult fold_scalars(mlir::ModuleOp module);

} // namespace tilewright::simplify
