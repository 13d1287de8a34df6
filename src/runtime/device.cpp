#include "tilewright/device.h"

#include <fmt/format.h>

#include "runtime/device_state.h"

namespace tilewright {

namespace {

CompileOptions compile_options(const DeviceOptions &options, int workers) {
  CompileOptions compile;
  compile.isa = options.isa;
  compile.plan_json = options.plan;
  compile.workers = workers;
  return compile;
}

} // namespace

DeviceState::DeviceState(const DeviceOptions &options)
    : pool_(options.workers), cache_(compile_options(options, pool_.workers())),
      workspace_limit_(options.workspace_limit) {}

Device::Device(DeviceOptions options) : state_(std::make_unique<DeviceState>(options)) {}
Device::Device(Device &&) noexcept = default;
Device &Device::operator=(Device &&) noexcept = default;
Device::~Device() = default;

int Device::workers() const { return state_->pool().workers(); }

int64_t Device::compile_count() const { return state_->cache().compile_count(); }

int64_t Device::safe_launch_count() const {
  int64_t count = 0;
  state_->cache().for_each([&](const runtime::CacheEntry &entry) {
    count += entry.safe_launches.load(std::memory_order_relaxed);
  });
  return count;
}

std::vector<std::string> Device::notes() const {
  std::vector<std::string> notes;
  state_->cache().for_each([&](const runtime::CacheEntry &entry) {
    for (const std::string &note : entry.kernel->notes)
      notes.push_back(fmt::format("{}: {}", entry.kernel->name, note));
    const int64_t safe = entry.safe_launches.load(std::memory_order_relaxed);
    if (safe > 0)
      notes.push_back(fmt::format("{}: arguments that overlap made {} launch{} run the safe body, "
                                  "which is slower",
                                  entry.kernel->name, safe, safe == 1 ? "" : "es"));
  });
  return notes;
}

} // namespace tilewright
