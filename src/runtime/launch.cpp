// A launch: check, find the code or make it, run.
#include <span>

#include "runtime/check_arguments.h"
#include "runtime/device_state.h"
#include "runtime/execute.h"
#include "tilewright/device.h"

namespace tilewright::detail {
namespace {

/// The code for these arguments, which fit it.
Result<runtime::CacheEntry *> prepare(DeviceState &state, const KernelSource &source,
                                      std::span<const Argument> arguments) {
  if (Status status = runtime::check_arguments(source.name, source.parameters, arguments); !status)
    return status.error();
  runtime::CacheEntry *entry = state.cache().find(source.identity, arguments);
  if (!entry) {
    Result<runtime::CacheEntry *> made = state.cache().find_or_compile(source, arguments);
    if (!made)
      return made.error();
    entry = *made;
  }
  if (Status status = runtime::check_extents(source.name, entry->kernel->checks, arguments);
      !status)
    return status.error();
  return entry;
}

Status launch_without_line(DeviceState &state, const KernelSource &source,
                           std::span<const Argument> arguments) {
  Result<runtime::CacheEntry *> entry = prepare(state, source, arguments);
  if (!entry)
    return entry.error();
  Result<runtime::ExecuteReport> report =
      runtime::execute(state.pool(), *(*entry)->kernel, arguments, state.workspace_limit());
  if (!report)
    return report.error();
  if (report->safe_body)
    (*entry)->safe_launches.fetch_add(1, std::memory_order_relaxed);
  return {};
}

} // namespace

Status launch(Device &device, const KernelSource &source, std::span<const Argument> arguments) {
  Status status = launch_without_line(device.state(), source, arguments);
  if (status || status.error().where.line != 0)
    return status;
  Error error = status.error();
  error.where = source.where;
  return error;
}

} // namespace tilewright::detail
