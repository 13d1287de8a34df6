#include "baseline/cache_size.h"

#include <fstream>

namespace tilewright::baseline {

// sysconf(_SC_LEVEL3_CACHE_SIZE) counts the caches of a whole package on some AMD systems; the
// kernel's own table gives the one that this CPU sees.
std::size_t last_level_cache_bytes() {
  static const std::size_t bytes = [] {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    std::size_t kibibytes = 0;
    if (file >> kibibytes && kibibytes > 0)
      return kibibytes << 10;
    return std::size_t(32) << 20;
  }();
  return bytes;
}

bool prefers_nontemporal(std::size_t footprint_bytes) {
  return footprint_bytes > last_level_cache_bytes() / 4;
}

} // namespace tilewright::baseline
