// Comparing arrays bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tilewright/argument.h"

namespace tilewright::cli {

struct BitComparison {
  int64_t different = 0;   ///< elements whose bits differ; any two NaNs count as the same
  int64_t first = -1;      ///< the first of them
  int64_t largest_ulp = 0; ///< floating point only: how many numbers lie between, at most
};

BitComparison compare_bits(ElementType type, std::span<const std::byte> a,
                           std::span<const std::byte> b);

} // namespace tilewright::cli
