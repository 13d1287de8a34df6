#include "measure/statistics.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace tilewright {

double median(std::span<const double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1)
    return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

Ratio paired_ratio(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  std::vector<double> ratios;
  Ratio result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ratios.push_back(a[i] / b[i]);
    result.wins += a[i] < b[i];
  }
  result.rounds = ratios.size();
  result.median = median(ratios);
  if (ratios.empty()) {
    result.lowest = result.highest = result.median;
    return result;
  }
  auto [lowest, highest] = std::minmax_element(ratios.begin(), ratios.end());
  result.lowest = *lowest;
  result.highest = *highest;
  return result;
}

} // namespace tilewright
