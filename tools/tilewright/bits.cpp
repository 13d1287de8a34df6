#include "bits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilewright::cli {
namespace {

/// Numbers in the order of their values, so that neighbours differ by one. +0 and -0 are
/// neighbours.
template <typename Float, typename Integer>
int64_t rank_of(Float value) {
  Integer bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? -int64_t{bits & std::numeric_limits<Integer>::max()} - 1 : int64_t{bits};
}

int64_t distance(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(std::max(a, b), std::min(a, b), &result))
    return std::numeric_limits<int64_t>::max();
  return result;
}

void count(BitComparison &comparison, std::size_t element, int64_t ulp) {
  if (comparison.different++ == 0)
    comparison.first = static_cast<int64_t>(element);
  comparison.largest_ulp = std::max(comparison.largest_ulp, ulp);
}

template <typename Float, typename Integer>
BitComparison compare_floats(std::span<const std::byte> a, std::span<const std::byte> b) {
  BitComparison comparison;
  for (std::size_t i = 0; i < a.size() / sizeof(Float); ++i) {
    Float x, y;
    std::memcpy(&x, &a[i * sizeof x], sizeof x);
    std::memcpy(&y, &b[i * sizeof y], sizeof y);
    const bool same = (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
    if (!same)
      count(comparison, i,
            std::isnan(x) || std::isnan(y)
                ? std::numeric_limits<int64_t>::max()
                : distance(rank_of<Float, Integer>(x), rank_of<Float, Integer>(y)));
  }
  return comparison;
}

} // namespace

BitComparison compare_bits(ElementType type, std::span<const std::byte> a,
                           std::span<const std::byte> b) {
  if (type == ElementType::f32)
    return compare_floats<float, int32_t>(a, b);
  if (type == ElementType::f64)
    return compare_floats<double, int64_t>(a, b);
  BitComparison comparison;
  const auto size = static_cast<std::size_t>(byte_size(type));
  for (std::size_t i = 0; i < a.size() / size; ++i)
    if (std::memcmp(&a[i * size], &b[i * size], size) != 0)
      count(comparison, i, 0);
  return comparison;
}

} // namespace tilewright::cli
