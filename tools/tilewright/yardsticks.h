// What a kernel's time is held against: hand-written code for the same job, and bare loops over the
// same bytes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checked_case.h"
#include "measure/sampler.h"

namespace tilewright::cli {

/// A yardstick ready to be timed. Valid as long as the case.
struct Yardstick {
  std::string variant; ///< "c", "avx2", "avx512"; "plain", "prefetched", "nontemporal"
  Subject subject;
};

/// How large an argument is.
std::size_t bytes_of(const Argument &argument);

/// Hand-written code that this CPU runs. None for a kernel without a family.
std::vector<Yardstick> hand_written(CheckedCase &checked);

/// Loops that load every input and store every output once. None when they cannot take that many.
std::vector<Yardstick> streams(CheckedCase &checked);

/// The fastest of them by a short look; nothing when there is none or none computes the answer.
std::optional<Yardstick> fastest(std::vector<Yardstick> yardsticks);

} // namespace tilewright::cli
