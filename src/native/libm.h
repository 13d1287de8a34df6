// The scalar functions of the C library that kernels may call. Kernels find them here and not by
// name in the process, so they are there however Tilewright itself was loaded.
#pragma once

#include <string_view>

namespace tilewright::native {

/// The address of the C library's function `name` (libm, memcpy, memmove, memset), or null.
void *find_library_function(std::string_view name);

} // namespace tilewright::native
