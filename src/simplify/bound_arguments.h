#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Marks exp(x - m) `never_positive` where m is the maximum of the tile that x is an element of, or
/// a choice between it and constants that are no lower: then nothing can overflow. Changes no bit.
/// Runs after fold_scalars, when constants are visible.
mlir::LogicalResult bound_arguments(mlir::ModuleOp module);

} // namespace tilewright::simplify
