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

/// One call of compiled code.
Result<tw_status> call(const CompiledPhase &phase, const tw_launch *launch, int64_t begin,
                       int64_t end, const MakeWorker &make_worker) {
  tw_worker worker{};
  if (phase.workspace_bytes > 0) {
    Result<tw_worker> made = make_worker(phase.workspace_bytes);
    if (!made)
      return made.error();
    worker = *made;
  }
  DefaultFloatEnvironment environment;
  return phase.function(launch, begin, end, &worker);
}

/// One phase of a launch.
struct PhaseRun {
  const CompiledKernel &kernel;
  std::size_t phase;
  const tw_launch *launch;
  int64_t workspace_limit;

  Result<ExecuteReport> operator()(int64_t begin, int64_t end) const {
    return run_programs(kernel, phase, launch, begin, end, [this](int64_t bytes) {
      return thread_workspace(bytes, workspace_limit, kernel.name);
    });
  }
};

/// Runs the programs [0, programs) on all workers.
Result<ExecuteReport> run_on_workers(WorkerPool &pool, const PhaseRun &run, int64_t programs) {
  const int64_t grain = run.kernel.phases[run.phase].task_programs;
  const int64_t tasks = (programs - 1) / grain + 1;
  std::atomic<bool> safe_body{false};
  std::mutex mutex;
  std::optional<Error> failure;
  pool.for_each_range(tasks, [&](int64_t first_task, int64_t last_task) {
    // The last range is cut off at the end by its size, since the product could overflow.
    const int64_t begin = first_task * grain;
    const int64_t end = last_task == tasks ? programs : last_task * grain;
    Result<ExecuteReport> report = run(begin, end);
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

Result<ExecuteReport> run_programs(const CompiledKernel &kernel, std::size_t phase,
                                   const tw_launch *launch, int64_t begin, int64_t end,
                                   const MakeWorker &make_worker) {
  Result<tw_status> status = call(kernel.phases[phase], launch, begin, end, make_worker);
  if (!status)
    return status.error();
  if (*status == TW_OVERLAP) {
    if (!kernel.safe_body)
      return Error{ErrorKind::internal,
                   kernel.phases[phase].symbol +
                       ": the guard failed, and the code has no safe body",
                   {}};
    Result<const CompiledKernel *> safe = kernel.safe_body->get();
    if (!safe)
      return safe.error();
    status = call((*safe)->phases[phase], launch, begin, end, make_worker);
    if (!status)
      return status.error();
    if (*status == TW_OK)
      return ExecuteReport{.safe_body = true};
  }
  if (*status != TW_OK && *status != TW_OK_SAFE_BODY)
    return Error{ErrorKind::internal,
                 fmt::format("{}: the compiled code returned the unknown status {}",
                             kernel.phases[phase].symbol, *status),
                 {}};
  return ExecuteReport{.safe_body = *status == TW_OK_SAFE_BODY};
}

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
  for (std::size_t number = 0; number < kernel.phases.size(); ++number) {
    const CompiledPhase &phase = kernel.phases[number];
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
    const PhaseRun run{kernel, number, views.launch(), workspace_limit};
    const bool small = phase.task_programs <= 0 || *programs <= phase.task_programs;
    Result<ExecuteReport> ran =
        small || pool.workers() == 1 ? run(0, *programs) : run_on_workers(pool, run, *programs);
    if (!ran)
      return ran.error();
    report.safe_body |= ran->safe_body;
  }
  return report;
}

} // namespace tilewright::runtime
