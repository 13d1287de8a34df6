#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Replaces functions that are defined by others: rsqrt(x) becomes 1 / sqrt(x), both rounded. After
/// it no `math.rsqrt` is left. Functions with a rounding of their own (exp, fma, sqrt) stay.
mlir::LogicalResult expand_functions(mlir::ModuleOp module);

} // namespace tilewright::simplify
