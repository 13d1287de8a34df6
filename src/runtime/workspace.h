// Scratch memory of compiled kernels.
#pragma once

#include <cstdint>

#include "tilewright/abi.h"
#include "tilewright/result.h"

namespace tilewright::runtime {

/// Memory for this thread's next call of a phase: at least `bytes` bytes on a 64-byte border, with
/// unspecified contents. The thread keeps it for later calls, so that only growth allocates.
/// `limit` is the most it may be, 0 for any amount; `kernel` is named in the error.
Result<tw_worker> thread_workspace(int64_t bytes, int64_t limit, const std::string &kernel);

} // namespace tilewright::runtime
