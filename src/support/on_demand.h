// Something that is made when it is first needed.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "support/fork.h"
#include "tilewright/result.h"

namespace tilewright {

/// A T that any thread may ask for at any time, also in a child made by fork(). Of threads that ask
/// at the same time, one makes it and the others wait. A failure is not remembered.
template <typename T>
class OnDemand {
public:
  using Make = std::function<Result<std::shared_ptr<T>>()>; ///< does not throw

  explicit OnDemand(Make make) : make_(std::move(make)) {}
  ~OnDemand() { delete made_.load(std::memory_order_acquire); }
  OnDemand(const OnDemand &) = delete;
  OnDemand &operator=(const OnDemand &) = delete;

  /// It, alive as long as this. Takes no lock once it is made.
  Result<const T *> get() {
    if (const std::shared_ptr<T> *made = made_.load(std::memory_order_acquire))
      return made->get();
    std::scoped_lock lock(making_.get());
    if (const std::shared_ptr<T> *made = made_.load(std::memory_order_acquire))
      return made->get();
    Result<std::shared_ptr<T>> made = make_();
    if (!made)
      return made.error();
    const T *result = made->get();
    // Published by one store: a child that is made in between sees nothing or all of it.
    made_.store(new std::shared_ptr<T>(std::move(*made)), std::memory_order_release);
    return result;
  }

  bool is_made() const { return made_.load(std::memory_order_acquire) != nullptr; }

private:
  Make make_;
  std::atomic<const std::shared_ptr<T> *> made_{nullptr};
  PerProcess<std::mutex> making_; // another thread of the parent may hold it for ever in a child
};

} // namespace tilewright
