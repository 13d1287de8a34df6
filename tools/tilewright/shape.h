// The shape of a case: R rows and C columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/result.h"

namespace tilewright::cli {

struct Shape {
  int64_t rows = 0;
  int64_t columns = 0;
};

/// "17x65".
std::string to_string(const Shape &shape);
Result<Shape> parse_shape(const std::string &text);
Result<std::vector<Shape>> parse_shapes(const std::vector<std::string> &texts);

} // namespace tilewright::cli
