// Runs tile IR on arrays of the test.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "reference/reference.h"

namespace tilewright {

/// A view of a test's array; row-major when no strides are given.
template <typename T>
Argument view(T *first, Dimensions extents, std::optional<Dimensions> strides = {}) {
  Argument argument;
  argument.data = const_cast<std::remove_const_t<T> *>(first);
  argument.type = element_type_of<T>();
  argument.extents = extents;
  argument.strides = strides.value_or(row_major_strides(extents));
  argument.read_only = std::is_const_v<T>;
  return argument;
}

template <typename T>
Argument view(std::vector<T> &array) {
  return view(array.data(), {static_cast<int64_t>(array.size())});
}

inline Status evaluate(const std::string &text, const std::vector<Argument> &arguments) {
  Result<TileModule> module = parse_tile(text, "test.tile");
  if (!module)
    return module.error();
  return evaluate_reference(*module, arguments);
}

inline void run_kernel(const std::string &text, const std::vector<Argument> &arguments) {
  Status status = evaluate(text, arguments);
  ASSERT_TRUE(status) << status.error().message() << '\n' << text;
}

/// Every `${NAME}` of the text replaced.
inline std::string fill(std::string text,
                        const std::vector<std::pair<std::string, std::string>> &values) {
  for (const auto &[name, value] : values) {
    std::string hole = "${" + name + "}";
    for (size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at))
      text.replace(at, hole.size(), value), at += value.size();
  }
  return text;
}

} // namespace tilewright
