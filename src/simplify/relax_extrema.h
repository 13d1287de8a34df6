#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Turns `arith.maximumf` and `arith.minimumf` of a reduction to a scalar into `arith.maxnumf` and
/// `arith.minnumf`, marked `first_is_number`, which take one instruction instead of five, where no
/// stored value can tell:
///
///  - If an element is NaN, every stored value that depends on the extremum is NaN whatever the
///    extremum is: so is the exponential of the NaN, and with it the sum that divides the row.
///  - No use tells zeros apart: comparisons do not, nor does the exponential of a difference.
///
/// Results keep their bits but for the payload of NaN. Runs after fold_scalars, when constants are
/// visible.
mlir::LogicalResult relax_extrema(mlir::ModuleOp module);

} // namespace tilewright::simplify
