#include "host_array.h"

#include <fmt/format.h>

namespace tilewright::cli {

std::string shape_text(const Dimensions &extents) {
  return extents.empty() ? "scalar" : fmt::format("{}", fmt::join(extents, "x"));
}

} // namespace tilewright::cli
