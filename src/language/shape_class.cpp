#include "language/shape_class.h"

#include <algorithm>
#include <cassert>

namespace tilewright {

bool is_packed(const Argument &argument) {
  int64_t stride = 1;
  bool packed = true;
  for (size_t dim = argument.extents.size(); dim-- > 0;) {
    if (argument.extents[dim] == 0)
      return true;
    if (argument.extents[dim] > 1 && argument.strides[dim] != stride)
      packed = false;
    stride *= argument.extents[dim];
  }
  return packed;
}

int unit_dimension(const Argument &argument) {
  int last = static_cast<int>(argument.extents.size()) - 1;
  if (last < 0 || is_packed(argument))
    return last;
  for (int dim = last; dim >= 0; --dim)
    if (argument.extents[dim] > 1 && argument.strides[dim] == 1)
      return dim;
  return argument.extents[last] <= 1 ? last : -1;
}

ShapeClass shape_class(const std::vector<std::vector<bool>> &dynamic,
                       std::span<const Argument> arguments) {
  assert(dynamic.size() == arguments.size() && "one row of marks per argument");
  ShapeClass result;
  for (size_t view = 0; view < arguments.size(); ++view) {
    std::vector<int64_t> extents = arguments[view].extents;
    for (size_t dim = 0; dim < extents.size(); ++dim)
      if (dynamic[view][dim])
        extents[dim] = -1;
    result.extents.push_back(std::move(extents));
    result.unit_dims.push_back(unit_dimension(arguments[view]));
    result.packed.push_back(is_packed(arguments[view]));
  }
  return result;
}

} // namespace tilewright
