// Facts about scalars that `simplify` proves and `native` uses: unit attributes of single
// operations, which every stage between carries along with the operation.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tilewright::tile {

/// Of `arith.maxnumf` and `arith.minnumf`: the first operand is never NaN, and which zero comes out
/// of two makes no difference.
inline constexpr llvm::StringLiteral first_is_number("tile.first_is_number");

/// Of a function: its argument is at most zero, or NaN.
inline constexpr llvm::StringLiteral never_positive("tile.never_positive");

} // namespace tilewright::tile
