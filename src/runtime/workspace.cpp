#include "runtime/workspace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace tilewright::runtime {
namespace {

constexpr int64_t alignment = 64;

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

struct Workspace {
  std::unique_ptr<void, Free> memory;
  int64_t bytes = 0;
};

thread_local Workspace workspace;

int64_t memory_of_the_machine() {
  return int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
}

bool grow(int64_t bytes) {
  workspace.memory.reset(); // first, so that old and new need not fit together
  workspace.bytes = 0;
  if (bytes > memory_of_the_machine())
    return false;
  int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  workspace.memory.reset(std::aligned_alloc(alignment, static_cast<std::size_t>(rounded)));
  if (!workspace.memory)
    return false;
  workspace.bytes = rounded;
  return true;
}

} // namespace

Result<tw_worker> thread_workspace(int64_t bytes, int64_t limit, const std::string &kernel) {
  if (limit > 0 && bytes > limit)
    return Error{
        ErrorKind::user,
        fmt::format("launch of {}: a worker needs {} bytes of scratch memory, more than the "
                    "device's limit of {}; raise DeviceOptions::workspace_limit or use "
                    "smaller tiles",
                    kernel, bytes, limit),
        {}};
  if (bytes > workspace.bytes && !grow(bytes))
    return Error{
        ErrorKind::user,
        fmt::format("launch of {}: a worker needs {} bytes of scratch memory, which could not "
                    "be allocated on this machine of {} bytes; use smaller tiles or fewer "
                    "workers",
                    kernel, bytes, memory_of_the_machine()),
        {}};
  return tw_worker{.workspace = workspace.memory.get(), .workspace_bytes = workspace.bytes};
}

} // namespace tilewright::runtime
