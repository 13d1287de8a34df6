// The reference: the definition of tile IR, evaluated element by element. Nothing here is shared
// with the compiled path, and nothing is fast.
//
// What it fixes beyond the text of tile_ops.td:
//  - Programs run in increasing order of their coordinates, the last axis fastest; operations run
//  in
//    the order of the text. A store writes in row-major order of the view's spanned dimensions.
//  - A reduction over several axes takes its elements in row-major order of these axes, in the
//  order
//    in which the operation lists them.
//  - An unordered reduction without a grouping (tile IR that `simplify` has not seen) is grouped
//  into
//    64 slots. Over no element the result is the seed itself.
//  - Functions that need not be correctly rounded (exp, log, sin, erf, ...) are the C library's in
//    double precision, rounded to the operand's type. rsqrt is 1 / sqrt, rounded twice.
//  - The arithmetic of a block's origin, and origin + i, wrap around 64 bits. A block that is
//  assumed
//    to lie inside and does not is an error of the user.
//  - The default floating-point environment is set while it runs and the caller's restored after.
#pragma once

#include "pipeline.h"

namespace tilewright {

/// As evaluate_reference, but every real number is computed in double precision and rounded only
/// where it is stored: a rough oracle for rounding, not for meaning.
Status evaluate_reference_in_double(const TileModule &module, std::span<const Argument> arguments);

} // namespace tilewright
