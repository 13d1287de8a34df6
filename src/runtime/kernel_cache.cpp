#include "runtime/kernel_cache.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "language/shape_class.h"
#include "runtime/float_environment.h"
#include "support/stack_thread.h"

namespace tilewright::runtime {
namespace {

/// Whether code for this class runs these arguments. Their number and ranks are the kernel's.
bool matches(const ShapeClass &shape, std::span<const Argument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::vector<int64_t> &extents = shape.extents[i];
    for (std::size_t dim = 0; dim < extents.size(); ++dim)
      if (extents[dim] >= 0 && extents[dim] != arguments[i].extents[dim])
        return false;
    if (shape.unit_dims[i] != unit_dimension(arguments[i]))
      return false;
    if (shape.packed[i] != is_packed(arguments[i]))
      return false;
  }
  return true;
}

/// The first launch of a class stands for those to come.
CompileOptions options_for(const CompileOptions &base, std::span<const Argument> arguments) {
  CompileOptions options = base;
  for (const Argument &argument : arguments)
    options.expected_extents.push_back(argument.extents);
  return options;
}

} // namespace

KernelCache::KernelCache(CompileOptions options) : options_(std::move(options)) {}

KernelCache::~KernelCache() {
  for (auto &head : buckets_) {
    CacheEntry *entry = head.load(std::memory_order_acquire);
    while (entry)
      delete std::exchange(entry, entry->next);
  }
}

std::atomic<CacheEntry *> &KernelCache::bucket(uint64_t identity) const {
  return buckets_[identity % buckets_.size()];
}

CacheEntry *KernelCache::find(uint64_t identity, std::span<const Argument> arguments) const {
  CacheEntry *entry = bucket(identity).load(std::memory_order_acquire);
  while (entry && !(entry->identity == identity && matches(entry->shape, arguments)))
    entry = entry->next;
  return entry;
}

CacheEntry *KernelCache::find_class(uint64_t identity, const ShapeClass &shape) const {
  CacheEntry *entry = bucket(identity).load(std::memory_order_acquire);
  while (entry && !(entry->identity == identity && entry->shape == shape))
    entry = entry->next;
  return entry;
}

void KernelCache::for_each(const std::function<void(const CacheEntry &)> &visit) const {
  for (auto &head : buckets_)
    for (CacheEntry *entry = head.load(std::memory_order_acquire); entry; entry = entry->next)
      visit(*entry);
}

Result<CacheEntry *> KernelCache::find_or_compile(const KernelSource &source,
                                                  std::span<const Argument> arguments) {
  if (CacheEntry *entry = find(source.identity, arguments))
    return entry;
  Result<CacheEntry *> result = nullptr;
  std::exception_ptr thrown;
  const bool ran = run_with_stack(compiler_stack_bytes, [&] {
    DefaultFloatEnvironment environment;
    try {
      result = record_and_compile(source, arguments);
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  if (thrown)
    std::rethrow_exception(thrown);
  if (!ran)
    return Error{.text = "launch of " + source.name +
                         ": no thread could be made to compile it; raise the limit on threads or "
                         "on memory",
                 .where = source.where};
  return result;
}

Result<CacheEntry *> KernelCache::record_and_compile(const KernelSource &source,
                                                     std::span<const Argument> arguments) {
  Result<Recorded> recorded = record(source, arguments);
  if (!recorded)
    return recorded.error();
  return compile_once(source.identity, shape_class(recorded->dynamic, arguments),
                      std::move(recorded->module), arguments);
}

Result<CacheEntry *> KernelCache::compile_once(uint64_t identity, ShapeClass shape,
                                               TileModule module,
                                               std::span<const Argument> arguments) {
  Compilations &compilations = compilations_.get();
  std::unique_lock lock(compilations.mutex);
  // Entries are published under the lock: what is neither found nor running has to be compiled.
  if (CacheEntry *entry = find_class(identity, shape))
    return entry;
  auto same = std::find_if(compilations.running.begin(), compilations.running.end(),
                           [&](const auto &running) {
                             return running->identity == identity && running->shape == shape;
                           });
  if (same != compilations.running.end()) {
    std::shared_ptr<Compilation> compilation = *same;
    compilations.finished.wait(lock, [&] { return compilation->done; });
    return compilation->result;
  }
  auto place = compilations.running.insert(
      compilations.running.end(),
      std::make_shared<Compilation>(Compilation{.identity = identity, .shape = std::move(shape)}));
  Compilation &mine = **place;
  lock.unlock();
  Result<std::shared_ptr<CompiledKernel>> compiled =
      compile(std::move(module), options_for(options_, arguments));
  lock.lock();
  if (compiled)
    mine.result = publish(identity, mine.shape, std::move(*compiled));
  else
    mine.result = compiled.error();
  mine.done = true;
  Result<CacheEntry *> result = mine.result;
  compilations.running.erase(place);
  compilations.finished.notify_all();
  return result;
}

CacheEntry *KernelCache::publish(uint64_t identity, const ShapeClass &shape,
                                 std::shared_ptr<const CompiledKernel> kernel) {
  auto *entry = new CacheEntry{.identity = identity, .shape = shape, .kernel = std::move(kernel)};
  std::atomic<CacheEntry *> &head = bucket(identity);
  entry->next = head.load(std::memory_order_relaxed);
  head.store(entry, std::memory_order_release);
  compiles_.fetch_add(1, std::memory_order_relaxed);
  return entry;
}

} // namespace tilewright::runtime
