// Tells debuggers and profilers about code that was made at run time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace tilewright::native {

struct CodeSymbol {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

/// Registers `object` (ELF64), whose sections were put at `sections`, with an attached or later gdb
/// until the result is destroyed. An object that is not ELF64 gives null and registers nothing.
std::shared_ptr<void> register_with_gdb(const std::string &object,
                                        const std::map<std::string, uint64_t> &sections);

/// Appends the symbols to /tmp/perf-PID.map when the environment variable TILEWRIGHT_PERF is 1.
void tell_perf(const std::map<std::string, CodeSymbol> &symbols);

} // namespace tilewright::native
