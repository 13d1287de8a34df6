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

/// The same on `threads` workers, with tasks of `task_programs` programs whatever was planned.
Result<RunReport> execute_in_tasks(const CompiledKernel &kernel,
                                   std::span<const Argument> arguments, int threads,
                                   int64_t task_programs);

/// The same on the calling thread, with two calls per phase: the programs before `cut`, which is
/// taken modulo their number, and the others.
Result<RunReport> execute_in_two_calls(const CompiledKernel &kernel,
                                       std::span<const Argument> arguments, int64_t cut);

} // namespace tilewright::cli
