#include "reference/grouping.h"

namespace tilewright::reference {

Carried fold_left(const Reduction &reduction) {
  Carried accumulator = reduction.seed;
  for (int64_t element = 0; element < reduction.count; ++element)
    accumulator = reduction.step(accumulator, element);
  return accumulator;
}

Carried fold_right(const Reduction &reduction) {
  Carried accumulator = reduction.seed;
  for (int64_t element = reduction.count; element-- > 0;)
    accumulator = reduction.step(accumulator, element);
  return accumulator;
}

Carried combine_in_slots(const Reduction &reduction, int64_t slots) {
  if (reduction.count == 0)
    return reduction.seed;
  std::vector<Carried> slot(static_cast<size_t>(slots), reduction.identity);
  for (int64_t element = 0; element < reduction.count; ++element)
    slot[element % slots] = reduction.step(slot[element % slots], element);
  for (int64_t half = slots / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i)
      slot[i] = reduction.merge(slot[i], slot[i + half]);
  return reduction.merge(reduction.seed, slot[0]);
}

} // namespace tilewright::reference
