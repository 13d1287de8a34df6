#include "support/fork.h"

#include <pthread.h>

namespace tilewright {
namespace {

std::atomic<uint64_t> generation{0};

// Registered while the library loads, so before any thread of ours exists.
const int registered =
    pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

} // namespace

uint64_t fork_generation() {
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

} // namespace tilewright
