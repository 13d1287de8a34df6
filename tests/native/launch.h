// Calls a phase on vectors, each a view of rank one with unit stride.
#pragma once

#include <cstdint>
#include <vector>

#include "tilewright/abi.h"

namespace tilewright::native {

/// Runs programs [0, programs) of `function`; the views are the whole vectors, in order.
template <typename T>
tw_status launch(void *function, const std::vector<std::vector<T> *> &arrays, int64_t programs) {
  std::vector<tw_view> views;
  for (std::vector<T> *array : arrays) {
    tw_view view{};
    view.data = array->data();
    view.extents[0] = static_cast<int64_t>(array->size());
    view.strides[0] = 1;
    views.push_back(view);
  }
  tw_launch launch{views.data(), static_cast<int64_t>(views.size())};
  tw_worker worker{};
  return reinterpret_cast<tw_phase>(function)(&launch, 0, programs, &worker);
}

inline tw_status launch(void *function, const std::vector<std::vector<float> *> &arrays,
                        int64_t programs) {
  return launch<float>(function, arrays, programs);
}

} // namespace tilewright::native
