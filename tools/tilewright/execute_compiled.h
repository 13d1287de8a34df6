// Running compiled code without a device.
#pragma once

#include <span>

#include "pipeline.h"

namespace tilewright::cli {

struct RunReport {
  bool safe_body = false;
};

/// Checks the arguments as a launch does and runs the kernel to completion on `threads` workers,
/// 0 for one per hardware thread.
Result<RunReport> execute_compiled(const CompiledKernel &kernel,
                                   std::span<const Argument> arguments, int threads);

} // namespace tilewright::cli
