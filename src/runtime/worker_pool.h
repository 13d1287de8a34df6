// The threads that run launches.
#pragma once

#include <cstdint>
#include <functional>

#include "support/fork.h"

namespace tilewright::runtime {

class Arena; // oneTBB's, hidden from whoever launches

/// A fixed number of workers, the calling thread among them. Threads are oneTBB's: pools share
/// them, and a nested use of a pool cannot deadlock.
class WorkerPool {
public:
  /// `workers` >= 1, or 0 for one per hardware thread.
  explicit WorkerPool(int workers);
  ~WorkerPool();

  int workers() const { return workers_; }

  /// Covers [0, tasks) with ranges, calls `run` once on each, several at the same time, and returns
  /// when all calls have returned. `run` does not throw.
  void for_each_range(int64_t tasks, const std::function<void(int64_t begin, int64_t end)> &run);

private:
  int workers_;
  PerProcess<Arena> arena_;
};

} // namespace tilewright::runtime
