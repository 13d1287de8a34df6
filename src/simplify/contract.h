#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Where the kernel's `contract` allows it, turns a product and the sum or difference that is its
/// only use, in one block, into one fma:
///
///     a * b + c  ->  fma(a, b, c)         a * b - c  ->  fma(a, b, -c)
///     c + a * b  ->  fma(a, b, c)         c - a * b  ->  fma(-a, b, c)
///
/// Of two such products in one sum the left one is contracted. This is the one place where two
/// roundings become one; it runs after merge_maps, so that it sees whole expressions and the steps
/// of reductions (`sum(v * v, c)` steps with an fma), and before fold_scalars, so that what it does
/// depends on no extent.
mlir::LogicalResult contract(mlir::ModuleOp module);

} // namespace tilewright::simplify
