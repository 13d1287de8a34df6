#include "kernels/registry.h"

namespace tilewright::kernels {

// Each is defined in the file of its name.
Entry add();
Entry clamp();
Entry copy();
Entry layer_norm();
Entry masked_softmax();
Entry masked_softmax_div();
Entry rms_norm();
Entry rms_norm_div();
Entry row_sum();
Entry silu();
Entry softmax();
Entry swiglu();

const std::vector<Entry> &all() {
  static const std::vector<Entry> entries = {
      add(),      clamp(),        copy(),    layer_norm(), masked_softmax(), masked_softmax_div(),
      rms_norm(), rms_norm_div(), row_sum(), silu(),       softmax(),        swiglu()};
  return entries;
}

const Entry *find(const std::string &name) {
  for (const Entry &entry : all())
    if (entry.name() == name)
      return &entry;
  return nullptr;
}

std::vector<int64_t> extents(const ParameterRole &parameter, int64_t rows, int64_t columns) {
  std::vector<int64_t> result;
  for (char letter : parameter.shape)
    if (letter != ',')
      result.push_back(letter == 'R' ? rows : columns);
  return result;
}

} // namespace tilewright::kernels
