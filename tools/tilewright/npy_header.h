// The text in a .npy file's header: a Python dictionary of three known entries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/argument.h"

namespace tilewright::cli {

struct NpyHeader {
  std::string descr; ///< "<f4"; empty when it is not a string (a structured type)
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

/// Nothing when the text is not such a dictionary.
std::optional<NpyHeader> parse_npy_header(std::string_view text);

/// The element type of a descr, or nothing. Only little-endian ones are known.
std::optional<ElementType> element_of_descr(std::string_view descr);

/// The descr of an element type.
std::string descr_of(ElementType type);

} // namespace tilewright::cli
