// Things that belong to one process and that a child made by fork() has to make anew: threads, and
// locks that another thread of the parent may have held.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace tilewright {

/// How many forks lie between the process that loaded the library and this one.
uint64_t fork_generation();

/// A T per process: the first use in a child makes a new one. The parent's is left alone there,
/// since its destructor could wait for threads that the child does not have.
template <typename T>
class PerProcess {
public:
  PerProcess() = default;
  ~PerProcess() {
    Node *node = node_.load(std::memory_order_acquire);
    if (node && node->generation == fork_generation())
      delete node;
  }
  PerProcess(const PerProcess &) = delete;
  PerProcess &operator=(const PerProcess &) = delete;

  /// This process's T; `arguments` construct it where there is none yet.
  template <typename... Arguments>
  T &get(Arguments &&...arguments) {
    Node *node = node_.load(std::memory_order_acquire);
    if (node && node->generation == fork_generation())
      return node->value;
    auto *made = new Node(fork_generation(), std::forward<Arguments>(arguments)...);
    if (node_.compare_exchange_strong(node, made, std::memory_order_acq_rel))
      return made->value;
    delete made; // another thread was faster
    return node->value;
  }

private:
  struct Node {
    template <typename... Arguments>
    explicit Node(uint64_t in, Arguments &&...arguments)
        : generation(in), value(std::forward<Arguments>(arguments)...) {}
    uint64_t generation;
    T value;
  };
  std::atomic<Node *> node_{nullptr};
};

} // namespace tilewright
