#include "kernels/registry.h"

#include <algorithm>
#include <sstream>

namespace tilewright::kernels {

// Each is defined in the file of its name.
Entry add();
Entry clamp();
Entry copy();
Entry gelu_residual();
Entry gelu_tanh();
Entry layer_norm();
Entry masked_softmax();
Entry masked_softmax_div();
Entry rms_norm();
Entry rms_norm_div();
Entry rope();
Entry row_sum();
Entry silu();
Entry softmax();
Entry swiglu();

const std::vector<Entry> &all() {
  static const std::vector<Entry> entries = {
      add(),       clamp(),        copy(),           gelu_residual(),
      gelu_tanh(), layer_norm(),   masked_softmax(), masked_softmax_div(),
      rms_norm(),  rms_norm_div(), rope(),           row_sum(),
      silu(),      softmax(),      swiglu()};
  return entries;
}

const Entry *find(const std::string &name) {
  for (const Entry &entry : all())
    if (entry.name() == name)
      return &entry;
  return nullptr;
}

int64_t fitting_columns(const Entry &entry, int64_t columns) {
  bool halves =
      std::any_of(entry.parameters.begin(), entry.parameters.end(), [](const ParameterRole &role) {
        return role.shape.find("C/2") != std::string::npos;
      });
  return columns + (halves ? columns % 2 : 0);
}

std::vector<int64_t> extents(const ParameterRole &parameter, int64_t rows, int64_t columns) {
  std::vector<int64_t> result;
  std::istringstream dimensions(parameter.shape);
  for (std::string extent; std::getline(dimensions, extent, ',');)
    result.push_back(extent == "R" ? rows : extent == "C" ? columns : columns / 2);
  return result;
}

} // namespace tilewright::kernels
