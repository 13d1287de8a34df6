#include "reference/tensor.h"

#include <numeric>

namespace tilewright::reference {

std::vector<int64_t> strides_along(const Tensor &tensor, std::span<const std::string> axes) {
  std::vector<int64_t> strides;
  for (const std::string &axis : axes) {
    int64_t stride = 0, behind = 1;
    for (size_t dim = tensor.axes.size(); dim-- > 0; behind *= tensor.extents[dim])
      if (tensor.axes[dim] == axis)
        stride = behind;
    strides.push_back(stride);
  }
  return strides;
}

int64_t offset(std::span<const int64_t> point, std::span<const int64_t> strides) {
  return std::inner_product(point.begin(), point.end(), strides.begin(), int64_t(0));
}

} // namespace tilewright::reference
