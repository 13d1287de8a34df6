// Functions as vector IR that is inline, precise and the same at every width.
#pragma once

#include <string>
#include <vector>

#include "mlir/IR/BuiltinOps.h"
#include "native/target.h"

namespace tilewright::native {

/// Before: any op of the math dialect on scalars and vectors. After: only those that are one or a
/// few instructions (fma, sqrt, absf, copysign, rounding, bit counts). exp, rsqrt, and erf of
/// f32, and arith's maximumf and minimumf, are expanded, with the same bits for every width and
/// every target; others become calls of the C library, one per lane, of which a note tells.
mlir::LogicalResult expand_math(mlir::ModuleOp module, const Target &target,
                                std::vector<std::string> &notes);

} // namespace tilewright::native
