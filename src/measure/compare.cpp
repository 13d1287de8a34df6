#include "measure/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilewright {
namespace {

bool passes(double got, double want, Tolerance tolerance) {
  if (std::isnan(got) || std::isnan(want))
    return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want))
    return got == want;
  return std::fabs(got - want) <= tolerance.absolute + tolerance.relative * std::fabs(want);
}

std::string describe(std::size_t index, double got, double want) {
  char text[128];
  std::snprintf(text, sizeof text, "element %zu is %.9g, want %.9g", index, got, want);
  return text;
}

template <typename T>
Comparison compare_as_double(std::span<const T> got, std::span<const double> want,
                             Tolerance tolerance) {
  Comparison result;
  std::size_t common = std::min(got.size(), want.size());
  for (std::size_t i = 0; i < common; ++i) {
    double g = double(got[i]), w = want[i];
    result.nan_agrees &= std::isnan(g) == std::isnan(w);
    if (std::isfinite(g) && std::isfinite(w)) {
      double error = std::fabs(g - w);
      result.max_absolute_error = std::max(result.max_absolute_error, error);
      if (w != 0)
        result.max_relative_error = std::max(result.max_relative_error, error / std::fabs(w));
    }
    if (passes(g, w, tolerance))
      continue;
    if (result.failures++ == 0) {
      result.first_failure = i;
      result.message = describe(i, g, w);
    }
  }
  if (got.size() != want.size()) {
    result.failures += std::max(got.size(), want.size()) - common;
    if (!result.first_failure) {
      result.first_failure = common;
      result.message =
          "got " + std::to_string(got.size()) + " elements, want " + std::to_string(want.size());
    }
  }
  return result;
}

} // namespace

Comparison compare(std::span<const float> got, std::span<const double> want, Tolerance tolerance) {
  return compare_as_double(got, want, tolerance);
}

Comparison compare(std::span<const double> got, std::span<const double> want, Tolerance tolerance) {
  return compare_as_double(got, want, tolerance);
}

} // namespace tilewright
