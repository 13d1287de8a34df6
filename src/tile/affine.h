// Index arithmetic as a sum of what a launch decides, to compare positions and to prove them inside
// a view.
#pragma once

#include <optional>

#include "tile/tile.h"

namespace tilewright::tile {

/// constant + sum of factor * symbol, each symbol once and with a factor that is not zero.
struct Affine {
  /// An extent known only at launch (`value` is its view), an index of a nest, or any other index
  /// value.
  struct Symbol {
    mlir::Value value;
    int64_t dim = -1; ///< of the view; -1 for other symbols

    bool is_extent() const { return dim >= 0; }
    bool operator==(const Symbol &) const = default;
  };
  struct Term {
    Symbol symbol;
    int64_t factor = 0;
  };

  int64_t constant = 0;
  llvm::SmallVector<Term, 2> terms;
};

/// An index value of a kernel. Where it is no such sum, it is a symbol of its own.
Affine affine_value(mlir::Value index);

/// The extent of a view's dimension; a constant where the type knows it.
Affine affine_extent(mlir::Value view, int64_t dim);

/// a + factor * b; none where a number leaves 64 bits.
std::optional<Affine> add(const Affine &a, const Affine &b, int64_t factor = 1);

/// The axis whose points this nest index counts; null when the value is no nest index.
AxisOp indexed_axis(mlir::Value index);

/// Whether it is never negative, because extents are not and an index of a nest is at least 0 and
/// less than its axis's extent.
bool never_negative(const Affine &number);

/// Whether its value as a 64-bit number is always the sum itself: it wraps nowhere.
bool fits_a_number(const Affine &number);

/// What is known at every launch of a block of `axis` from `origin` on, in dimension `dim` of the
/// view.
struct BlockProof {
  bool starts_inside = false; ///< no point comes before the dimension's first position
  bool ends_inside = false;   ///< no point comes behind its last
};
BlockProof prove_block(mlir::Value view, int64_t dim, AxisOp axis, mlir::Value origin);

} // namespace tilewright::tile
