#include "tilewright/result.h"

namespace tilewright {

std::string Error::message() const {
  std::string prefix = kind == ErrorKind::internal ? "internal error: " : "";
  if (where.line == 0)
    return prefix + text;
  return where.file + ":" + std::to_string(where.line) + ": " + prefix + text;
}

} // namespace tilewright
