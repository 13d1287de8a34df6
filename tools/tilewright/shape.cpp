#include "shape.h"

#include <fmt/format.h>

#include <charconv>

#include "command.h"

namespace tilewright::cli {
namespace {

// Larger cases do not fit the memory of any machine; smaller ones cannot overflow their size.
constexpr int64_t most_elements = int64_t{1} << 40;

} // namespace

std::string to_string(const Shape &shape) {
  return fmt::format("{}x{}", shape.rows, shape.columns);
}

Result<Shape> parse_shape(const std::string &text) {
  Shape shape;
  const char *end = text.data() + text.size();
  auto [cross, rows_error] = std::from_chars(text.data(), end, shape.rows);
  bool good = rows_error == std::errc() && cross != end && *cross == 'x';
  if (good) {
    auto [last, columns_error] = std::from_chars(cross + 1, end, shape.columns);
    good = columns_error == std::errc() && last == end;
  }
  int64_t elements = 0;
  if (!good || shape.rows < 0 || shape.columns < 0 ||
      __builtin_mul_overflow(shape.rows, shape.columns, &elements) || elements > most_elements)
    return usage_error(
        fmt::format("'{}' is not a shape; give rows and columns as in --shape 257x1538", text));
  return shape;
}

Result<std::vector<Shape>> parse_shapes(const std::vector<std::string> &texts) {
  std::vector<Shape> shapes;
  for (const std::string &text : texts) {
    Result<Shape> shape = parse_shape(text);
    if (!shape)
      return shape.error();
    shapes.push_back(*shape);
  }
  return shapes;
}

} // namespace tilewright::cli
