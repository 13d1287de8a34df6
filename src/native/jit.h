// Puts a relocatable object into this process.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "tilewright/result.h"

namespace tilewright::native {

struct LinkedCode {
  std::map<std::string, void *> symbols; ///< the object's global functions
  std::shared_ptr<void> keep_alive;      ///< the code is unmapped when the last copy of this goes
};

/// Links `object` and makes it executable. What it calls comes from libm.h's table, else from the
/// process. gdb learns the object's symbols, and so does perf (through /tmp/perf-PID.map) when the
/// environment variable TILEWRIGHT_PERF is 1. A damaged object or an unknown symbol is an internal
/// error.
Result<LinkedCode> link(const std::string &object);

} // namespace tilewright::native
