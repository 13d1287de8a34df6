// The order in which a reduction combines its elements. Free of MLIR.
#pragma once

#include <functional>

#include "reference/scalar.h"
#include <span>
#include <vector>

namespace tilewright::reference {

/// The k carried values of a reduction.
using Carried = std::vector<Scalar>;

/// A reduction of `count` elements, its bodies resolved.
struct Reduction {
  int64_t count = 0;
  Carried seed, identity;
  std::function<Carried(const Carried &accumulator, int64_t element)> step;
  std::function<Carried(const Carried &left, const Carried &right)> merge;
};

/// step(... step(step(seed, 0), 1) ..., count - 1).
Carried fold_left(const Reduction &reduction);

/// step(... step(step(seed, count - 1), count - 2) ..., 0).
Carried fold_right(const Reduction &reduction);

/// Element e goes to slot e mod `slots`; slots start at the identity and take their elements in
/// increasing e; a halving tree merges them; the seed merges with the result, the seed on the left.
/// Over no element the result is the seed.
Carried combine_in_slots(const Reduction &reduction, int64_t slots);

} // namespace tilewright::reference
