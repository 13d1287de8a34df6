#pragma once

#include <cstddef>
#include <span>

namespace tilewright {

/// The middle value, or the mean of the two middle values of an even count. NaN for no values.
double median(std::span<const double> values);

/// How `a` compares with `b` over rounds in which both were timed: below one, `a` is faster.
struct Ratio {
  double median = 0;      ///< median over rounds of a[i] / b[i]
  double lowest = 0;      ///< smallest same-round ratio
  double highest = 0;     ///< largest same-round ratio
  std::size_t wins = 0;   ///< rounds in which a[i] < b[i]
  std::size_t rounds = 0; ///< rounds compared; zero leaves the other members NaN or zero
};

/// Pairs a[i] with b[i]: the two values come from the same round. Both spans have the same length.
Ratio paired_ratio(std::span<const double> a, std::span<const double> b);

} // namespace tilewright
