#include "runtime/worker_pool.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace tilewright::runtime {

class Arena {
public:
  explicit Arena(int workers) : arena_(workers) {}

  template <typename Function>
  void execute(const Function &function) {
    arena_.execute(function);
  }

private:
  tbb::task_arena arena_;
};

WorkerPool::WorkerPool(int workers)
    : workers_(workers > 0 ? workers : tbb::info::default_concurrency()) {}

WorkerPool::~WorkerPool() = default;

void WorkerPool::for_each_range(int64_t tasks,
                                const std::function<void(int64_t begin, int64_t end)> &run) {
  using Range = tbb::blocked_range<int64_t>;
  arena_.get(workers_).execute([&] {
    tbb::parallel_for(Range(0, tasks),
                      [&](const Range &range) { run(range.begin(), range.end()); });
  });
}

} // namespace tilewright::runtime
