// Running compiled code on checked arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "pipeline.h"
#include "runtime/worker_pool.h"
#include "tilewright/argument.h"
#include "tilewright/result.h"

namespace tilewright::runtime {

struct ExecuteReport {
  bool safe_body = false; ///< the guard failed somewhere, so the safe body ran there
};

/// Scratch memory for a call of a phase that asks for so many bytes.
using MakeWorker = std::function<Result<tw_worker>(int64_t bytes)>;

/// Runs programs [begin, end) of a phase, by its number, on this thread in the default
/// floating-point environment. Where the guard fails and the code has no safe body, that is
/// compiled if it has not been yet, and runs these programs. (Every call of one launch comes to the
/// same answer; if one did not, each range of programs would still be right by itself.)
Result<ExecuteReport> run_programs(const CompiledKernel &kernel, std::size_t phase,
                                   const tw_launch *launch, int64_t begin, int64_t end,
                                   const MakeWorker &make_worker);

/// Runs all phases in order, each finished before the next begins. The arguments have passed
/// check_arguments and check_extents. Every thread that runs programs does so in the default
/// floating-point environment and gets its own back. `workspace_limit` is the most scratch memory a
/// worker may take, 0 for any amount.
Result<ExecuteReport> execute(WorkerPool &pool, const CompiledKernel &kernel,
                              std::span<const Argument> arguments, int64_t workspace_limit);

/// The views of a launch as compiled code takes them. Valid while the arguments' memory is.
class LaunchViews {
public:
  explicit LaunchViews(std::span<const Argument> arguments);
  LaunchViews(const LaunchViews &) = delete;
  LaunchViews &operator=(const LaunchViews &) = delete;

  const tw_launch *launch() const { return &launch_; }

private:
  static constexpr std::size_t in_place = 12; // more than that allocates

  std::array<tw_view, in_place> few_;
  std::vector<tw_view> many_;
  tw_launch launch_;
};

/// How many programs a phase has for these arguments, or an error when no 63-bit number holds it.
Result<int64_t> count_programs(const CompiledKernel &kernel, const CompiledPhase &phase,
                               std::span<const Argument> arguments);

} // namespace tilewright::runtime
