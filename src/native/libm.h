// The functions that kernels may call: scalar ones of the C library, and those of tilewright/abi.h.
// Kernels find them here and not by name in the process, so they are there however Tilewright
// itself was loaded.
#pragma once

#include <string_view>

namespace tilewright::native {

/// The address of the function `name` (libm's, memcpy, memmove, memset, tw_views_apart), or null.
void *find_library_function(std::string_view name);

} // namespace tilewright::native
