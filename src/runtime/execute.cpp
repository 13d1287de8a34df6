#include "runtime/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "runtime/float_environment.h"
#include "runtime/workspace.h"

namespace tilewright::runtime {
namespace {

struct PhaseRun {
  const CompiledKernel &kernel;
  const CompiledPhase &phase;
  const tw_launch *launch;
  int64_t workspace_limit;
};

/// Runs the programs [begin, end) on this thread.
Result<ExecuteReport> run_programs(const PhaseRun &run, int64_t begin, int64_t end) {
  tw_worker worker{};
  if (run.phase.workspace_bytes > 0) {
    Result<tw_worker> made =
        thread_workspace(run.phase.workspace_bytes, run.workspace_limit, run.kernel.name);
    if (!made)
      return made.error();
    worker = *made;
  }
  tw_status status;
  {
    DefaultFloatEnvironment environment;
    status = run.phase.function(run.launch, begin, end, &worker);
  }
  if (status != TW_OK && status != TW_OK_SAFE_BODY)
    return Error{ErrorKind::internal,
                 fmt::format("{}: the compiled code returned the unknown status {}",
                             run.phase.symbol, status),
                 {}};
  return ExecuteReport{.safe_body = status == TW_OK_SAFE_BODY};
}

/// Runs the programs [0, programs) on all workers.
Result<ExecuteReport> run_on_workers(WorkerPool &pool, const PhaseRun &run, int64_t programs) {
  const int64_t grain = run.phase.task_programs;
  const int64_t tasks = (programs - 1) / grain + 1;
  std::atomic<bool> safe_body{false};
  std::mutex mutex;
  std::optional<Error> failure;
  pool.for_each_range(tasks, [&](int64_t first_task, int64_t last_task) {
    // The last range is cut off at the end by its size, since the product could overflow.
    const int64_t begin = first_task * grain;
    const int64_t end = last_task == tasks ? programs : last_task * grain;
    Result<ExecuteReport> report = run_programs(run, begin, end);
    if (report && report->safe_body)
      safe_body.store(true, std::memory_order_relaxed);
    if (!report) {
      std::lock_guard lock(mutex);
      failure = report.error();
    }
  });
  if (failure)
    return *failure;
  return ExecuteReport{.safe_body = safe_body.load(std::memory_order_relaxed)};
}

} // namespace

LaunchViews::LaunchViews(std::span<const Argument> arguments) {
  tw_view *views = few_.data();
  if (arguments.size() > in_place) {
    many_.resize(arguments.size());
    views = many_.data();
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    views[i].data = arguments[i].data;
    std::copy(arguments[i].extents.begin(), arguments[i].extents.end(), views[i].extents);
    std::copy(arguments[i].strides.begin(), arguments[i].strides.end(), views[i].strides);
  }
  launch_ = {.views = views, .view_count = static_cast<int64_t>(arguments.size())};
}

Result<int64_t> count_programs(const CompiledKernel &kernel, const CompiledPhase &phase,
                               std::span<const Argument> arguments) {
  int64_t programs = 1;
  bool none = false;
  bool overflow = false;
  for (auto [view, dim] : phase.program_extents) {
    const int64_t extent = arguments[view].extents[dim];
    none |= extent == 0;
    overflow |= __builtin_mul_overflow(programs, extent, &programs);
  }
  if (none)
    return 0;
  if (overflow)
    return Error{ErrorKind::user,
                 fmt::format("launch of {}: the extents of its parallel axes multiply to more "
                             "programs than a 64-bit number counts; split the launch",
                             kernel.name),
                 {}};
  return programs;
}

Result<ExecuteReport> execute(WorkerPool &pool, const CompiledKernel &kernel,
                              std::span<const Argument> arguments, int64_t workspace_limit) {
  const LaunchViews views(arguments);
  ExecuteReport report;
  for (const CompiledPhase &phase : kernel.phases) {
    Result<int64_t> programs = count_programs(kernel, phase, arguments);
    if (!programs)
      return programs.error();
    if (*programs == 0)
      continue;
    if (!phase.function)
      return Error{ErrorKind::user,
                   fmt::format("launch of {}: it was compiled for instructions that this CPU does "
                               "not have; compile for an instruction set that it has",
                               kernel.name),
                   {}};
    const PhaseRun run{kernel, phase, views.launch(), workspace_limit};
    const bool small = phase.task_programs <= 0 || *programs <= phase.task_programs;
    Result<ExecuteReport> ran = small || pool.workers() == 1 ? run_programs(run, 0, *programs)
                                                             : run_on_workers(pool, run, *programs);
    if (!ran)
      return ran.error();
    report.safe_body |= ran->safe_body;
  }
  return report;
}

} // namespace tilewright::runtime
