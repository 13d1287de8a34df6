#include "command.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewright::cli {

int report(const Error &error) {
  std::string line = error.message();
  std::replace(line.begin(), line.end(), '\n', ' ');
  fmt::print(stderr, "tilewright: {}\n", line);
  return error.kind == ErrorKind::user ? exit_bad_input : exit_failed;
}

Error usage_error(std::string text) { return {ErrorKind::user, std::move(text), {}}; }

} // namespace tilewright::cli
