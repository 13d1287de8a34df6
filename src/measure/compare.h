#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace tilewright {

/// `got` passes where |got − want| ≤ absolute + relative · |want|, where both are the same
/// infinity, and where both are NaN.
struct Tolerance {
  double absolute = 5e-5;
  double relative = 5e-5;
};

struct Comparison {
  double max_absolute_error = 0; ///< over the elements where both values are finite
  double max_relative_error = 0; ///< likewise, where want is not zero
  bool nan_agrees = true;        ///< got is NaN exactly where want is
  std::size_t failures = 0;
  std::optional<std::size_t> first_failure; ///< index of the first element that fails
  std::string message; ///< empty when all pass, else the first failure in words

  bool ok() const { return failures == 0; }
};

/// Compares element by element; a difference in length is a failure.
Comparison compare(std::span<const float> got, std::span<const double> want,
                   Tolerance tolerance = {});
Comparison compare(std::span<const double> got, std::span<const double> want,
                   Tolerance tolerance = {});

} // namespace tilewright
