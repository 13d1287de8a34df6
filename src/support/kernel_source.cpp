#include "tilewright/kernel_source.h"

#include <atomic>

namespace tilewright {

uint64_t next_kernel_identity() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace tilewright
