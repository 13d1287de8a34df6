// The kernels that a device has compiled.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>

#include "pipeline.h"
#include "support/fork.h"

namespace tilewright::runtime {

/// One kernel compiled for one shape class.
struct CacheEntry {
  uint64_t identity = 0; ///< of the KernelSource
  ShapeClass shape;
  std::shared_ptr<const CompiledKernel> kernel;
  std::atomic<int64_t> safe_launches{0};
  CacheEntry *next = nullptr; ///< in the same bucket; immutable once published
};

/// Compiled kernels by identity and shape class. Options are the same for the whole cache. Entries
/// live as long as the cache, so that finding one takes no lock and no allocation. Any thread may
/// call any function at any time, also in a child made by fork().
class KernelCache {
public:
  explicit KernelCache(CompileOptions options);
  ~KernelCache();
  KernelCache(const KernelCache &) = delete;
  KernelCache &operator=(const KernelCache &) = delete;

  /// The code for a kernel and arguments like these, or null.
  CacheEntry *find(uint64_t identity, std::span<const Argument> arguments) const;

  /// The same, compiled when there is none. Of threads that ask for the same code at the same time,
  /// one compiles and the others wait for its result. A failure is not remembered. Recording and
  /// compiling happen on a thread with a large stack; what the kernel's lambda throws is rethrown
  /// here.
  Result<CacheEntry *> find_or_compile(const KernelSource &source,
                                       std::span<const Argument> arguments);

  int64_t compile_count() const { return compiles_.load(std::memory_order_relaxed); }

  void for_each(const std::function<void(const CacheEntry &)> &visit) const;

private:
  struct Compilation {
    uint64_t identity;
    ShapeClass shape;
    Result<CacheEntry *> result = nullptr;
    bool done = false;
  };
  /// What the threads of one process share while they compile.
  struct Compilations {
    std::mutex mutex;
    std::condition_variable finished;
    std::list<std::shared_ptr<Compilation>> running;
  };

  std::atomic<CacheEntry *> &bucket(uint64_t identity) const;
  CacheEntry *find_class(uint64_t identity, const ShapeClass &shape) const;
  Result<CacheEntry *> record_and_compile(const KernelSource &source,
                                          std::span<const Argument> arguments);
  Result<CacheEntry *> compile_once(uint64_t identity, ShapeClass shape, TileModule module,
                                    std::span<const Argument> arguments);
  /// Needs the lock of this process's Compilations.
  CacheEntry *publish(uint64_t identity, const ShapeClass &shape,
                      std::shared_ptr<const CompiledKernel> kernel);

  CompileOptions options_;
  mutable std::array<std::atomic<CacheEntry *>, 64> buckets_{};
  std::atomic<int64_t> compiles_{0};
  PerProcess<Compilations> compilations_;
};

} // namespace tilewright::runtime
