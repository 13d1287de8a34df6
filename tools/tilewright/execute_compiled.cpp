#include "execute_compiled.h"

#include "compile_kernel.h"
#include "runtime/check_arguments.h"
#include "runtime/execute.h"
#include "runtime/worker_pool.h"
#include "runtime/workspace.h"

namespace tilewright::cli {

namespace {

/// The arguments as the kernel takes them, or what a launch with them is refused for.
Result<std::vector<Argument>> admit(const CompiledKernel &kernel, std::span<const Argument> given) {
  std::vector<Argument> arguments = as_stored(given, kernel.parameters);
  if (Status status = runtime::check_arguments(kernel.name, kernel.parameters, arguments); !status)
    return status.error();
  if (Status status = runtime::check_extents(kernel.name, kernel.checks, arguments); !status)
    return status.error();
  return arguments;
}

} // namespace

Result<RunReport> execute_compiled(const CompiledKernel &kernel, std::span<const Argument> given,
                                   int threads) {
  Result<std::vector<Argument>> arguments = admit(kernel, given);
  if (!arguments)
    return arguments.error();
  runtime::WorkerPool pool(threads);
  Result<runtime::ExecuteReport> report = runtime::execute(pool, kernel, *arguments, 0);
  if (!report)
    return report.error();
  return RunReport{report->safe_body};
}

Result<RunReport> execute_in_tasks(const CompiledKernel &kernel, std::span<const Argument> given,
                                   int threads, int64_t task_programs) {
  CompiledKernel divided = kernel;
  for (CompiledPhase &phase : divided.phases)
    phase.task_programs = task_programs;
  return execute_compiled(divided, given, threads);
}

Result<RunReport> execute_in_two_calls(const CompiledKernel &kernel,
                                       std::span<const Argument> given, int64_t cut) {
  Result<std::vector<Argument>> arguments = admit(kernel, given);
  if (!arguments)
    return arguments.error();
  const runtime::LaunchViews views(*arguments);
  RunReport report;
  for (std::size_t phase = 0; phase < kernel.phases.size(); ++phase) {
    Result<int64_t> programs = runtime::count_programs(kernel, kernel.phases[phase], *arguments);
    if (!programs)
      return programs.error();
    const int64_t middle = *programs > 0 ? cut % *programs : 0;
    for (auto [begin, end] : {std::pair<int64_t, int64_t>(0, middle), {middle, *programs}}) {
      Result<runtime::ExecuteReport> ran =
          runtime::run_programs(kernel, phase, views.launch(), begin, end, [&](int64_t bytes) {
            return runtime::thread_workspace(bytes, 0, kernel.name);
          });
      if (!ran)
        return ran.error();
      report.safe_body |= ran->safe_body;
    }
  }
  return report;
}

} // namespace tilewright::cli
