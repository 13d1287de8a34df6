// What a Device holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/kernel_cache.h"
#include "runtime/worker_pool.h"
#include "tilewright/device.h"

namespace tilewright {

class DeviceState {
public:
  explicit DeviceState(const DeviceOptions &options);

  runtime::WorkerPool &pool() { return pool_; }
  const runtime::WorkerPool &pool() const { return pool_; }
  runtime::KernelCache &cache() { return cache_; }
  const runtime::KernelCache &cache() const { return cache_; }
  int64_t workspace_limit() const { return workspace_limit_; }

private:
  runtime::WorkerPool pool_;
  runtime::KernelCache cache_;
  int64_t workspace_limit_;
};

} // namespace tilewright
