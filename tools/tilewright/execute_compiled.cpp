#include "execute_compiled.h"

#include "compile_kernel.h"
#include "runtime/check_arguments.h"
#include "runtime/execute.h"
#include "runtime/worker_pool.h"

namespace tilewright::cli {

Result<RunReport> execute_compiled(const CompiledKernel &kernel, std::span<const Argument> given,
                                   int threads) {
  const std::vector<Argument> arguments = as_stored(given, kernel.parameters);
  if (Status status = runtime::check_arguments(kernel.name, kernel.parameters, arguments); !status)
    return status.error();
  if (Status status = runtime::check_extents(kernel.name, kernel.checks, arguments); !status)
    return status.error();
  runtime::WorkerPool pool(threads);
  Result<runtime::ExecuteReport> report = runtime::execute(pool, kernel, arguments, 0);
  if (!report)
    return report.error();
  return RunReport{report->safe_body};
}

} // namespace tilewright::cli
