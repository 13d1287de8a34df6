// An array whose element type is known at run time only.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>

#include "tilewright/argument.h"
#include "tilewright/buffer.h"

namespace tilewright::cli {

/// A row-major array without gaps, 64-byte aligned. Made of zeros.
class HostArray {
public:
  HostArray(ElementType type, Dimensions extents)
      : type_(type), extents_(extents), bytes_(Dimensions{count(extents) * byte_size(type)}) {}

  ElementType type() const { return type_; }
  const Dimensions &extents() const { return extents_; }
  int64_t size() const { return bytes_.size() / byte_size(type_); }
  std::span<uint8_t> bytes() { return bytes_.elements(); }
  std::span<const uint8_t> bytes() const { return bytes_.elements(); }

  Argument as_argument() {
    return {.data = bytes_.data(),
            .type = type_,
            .extents = extents_,
            .strides = row_major_strides(extents_),
            .read_only = false};
  }

private:
  static int64_t count(const Dimensions &extents) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end())
      return 0; // the other extents may be anything
    return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<int64_t>());
  }

  ElementType type_;
  Dimensions extents_;
  Buffer<uint8_t> bytes_;
};

/// "17x65", or "scalar" for no dimensions.
std::string shape_text(const Dimensions &extents);

} // namespace tilewright::cli
