// What a kernel of the library should compute, in FP64 and without the compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shape.h"

namespace tilewright::cli {

/// The measured family whose answer and yardsticks a kernel shares, or "" when there is none:
/// rms_norm_div computes what rms_norm does, but for rounding.
std::string family_of(const std::string &kernel);

/// The answer of a family's only output for these inputs, in the kernel's order; nothing for "".
std::optional<std::vector<double>> oracle_answer(const std::string &family, const Shape &shape,
                                                 std::span<const void *const> inputs);

} // namespace tilewright::cli
