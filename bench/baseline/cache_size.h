#pragma once

#include <cstddef>

namespace tilewright::baseline {

/// Bytes of the last-level cache, 32 MiB where the system does not say.
std::size_t last_level_cache_bytes();

/// Whether a kernel that touches this many bytes should keep its output out of the caches. With 32
/// MiB shared among cores, such stores win from 8 MiB on and lose twofold at 3 MiB.
bool prefers_nontemporal(std::size_t footprint_bytes);

} // namespace tilewright::baseline
