// Values of the reference: a number at every point of some axes. Free of MLIR.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reference/scalar.h"

namespace tilewright::reference {

/// A tile, or a scalar when it has no axes. Elements are row-major in the order of the axes.
struct Tensor {
  std::vector<std::string> axes;
  std::vector<int64_t> extents;
  std::vector<Scalar> elements;
};

inline Tensor scalar_tensor(Scalar value) { return {{}, {}, {value}}; }

/// How far apart in `elements` two points are that differ by one along each of `axes`; zero for an
/// axis that the tensor lacks, along which it is repeated.
std::vector<int64_t> strides_along(const Tensor &tensor, std::span<const std::string> axes);

/// The dot product of a point and strides.
int64_t offset(std::span<const int64_t> point, std::span<const int64_t> strides);

/// Calls `visit(point)` for every point of the extents, in row-major order; once, with an empty
/// point, when there are no extents; never when one of them is zero. Stops when it returns false.
template <typename Visit>
bool for_each_point(std::span<const int64_t> extents, Visit visit) {
  for (int64_t extent : extents)
    if (extent == 0)
      return true;
  std::vector<int64_t> point(extents.size(), 0);
  while (true) {
    if (!visit(std::span<const int64_t>(point)))
      return false;
    size_t dim = extents.size();
    while (dim > 0 && ++point[dim - 1] == extents[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return true;
  }
}

} // namespace tilewright::reference
