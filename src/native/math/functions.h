// Functions of one packet as a few dozen arithmetic operations, without a call and without a
// branch.
#pragma once

#include "native/math/lanes.h"
#include "native/target.h"

namespace tilewright::native {

/// e^x of f32 or f64 lanes, within one ULP. NaN gives NaN; exp(-inf) = 0; results below the
/// smallest normal number are rounded once more, to a subnormal. The same bits at every width.
mlir::Value expand_exp(Lanes &lanes, const Target &target, mlir::Value x);

/// e^x for those who add it to a constant for which adds_exp_exactly holds, in fewer operations:
/// plus(constant) has the bits of expand_exp(x) + constant.
struct AddedExp {
  mlir::Value first, second; ///< e^x is `first`, or its exact product with `second` where given

  mlir::Value plus(Lanes &lanes, mlir::Value constant) const {
    return second ? lanes.fma(first, second, constant) : lanes.add(first, constant);
  }
};
AddedExp expand_exp_to_add(Lanes &lanes, const Target &target, mlir::Value x);
bool adds_exp_exactly(double constant);

/// The bits of expand_exp(x) for x that is at most zero, or NaN, in fewer operations; f32 only.
mlir::Value expand_exp_of_never_positive(Lanes &lanes, const Target &target, mlir::Value x);

/// erf of f32 lanes, within one ULP. NaN gives NaN, erf(-0) = -0 and erf(inf) = 1. The same bits at
/// every width.
mlir::Value expand_erf_f32(Lanes &lanes, const Target &target, mlir::Value x);

/// The smaller lane of two: NaN when either is NaN, and -0 < +0.
mlir::Value expand_minimum(Lanes &lanes, mlir::Value a, mlir::Value b);

/// The larger lane of two: NaN when either is NaN, and -0 < +0.
mlir::Value expand_maximum(Lanes &lanes, mlir::Value a, mlir::Value b);

/// The smaller, or larger, lane of a and b where that is no NaN; a where b is NaN. a is a number.
mlir::Value expand_minimum_number(Lanes &lanes, mlir::Value a, mlir::Value b);
mlir::Value expand_maximum_number(Lanes &lanes, mlir::Value a, mlir::Value b);

} // namespace tilewright::native
