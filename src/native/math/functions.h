// Functions of one packet as a few dozen arithmetic operations, without a call and without a
// branch.
#pragma once

#include "native/math/lanes.h"

namespace tilewright::native {

/// e^x of f32 or f64 lanes, within one ULP. NaN gives NaN; exp(-inf) = 0; results below the
/// smallest normal number are rounded once, to a subnormal. The same bits at every width.
mlir::Value expand_exp(Lanes &lanes, mlir::Value x);

/// e^x as an exact product, for those who add it to a constant for which adds_exp_exactly holds:
/// fma(first, second, constant) has the bits of expand_exp(x) + constant, in fewer operations.
struct ExpFactors {
  mlir::Value first, second;
};
ExpFactors expand_exp_factors(Lanes &lanes, mlir::Value x);
bool adds_exp_exactly(double constant);

/// The smaller lane of two: NaN when either is NaN, and -0 < +0.
mlir::Value expand_minimum(Lanes &lanes, mlir::Value a, mlir::Value b);

/// The larger lane of two: NaN when either is NaN, and -0 < +0.
mlir::Value expand_maximum(Lanes &lanes, mlir::Value a, mlir::Value b);

} // namespace tilewright::native
