// What a lane value has become: one scalar, a scalar and a stride, an interval of lanes, or a
// vector.
#pragma once

#include <cstdint>
#include <optional>

#include "lane/lane.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::packetize {

/// A number of lanes, 0 ... W: known now, or an i64 at run time.
struct Count {
  int64_t known = 0;
  mlir::Value value;

  bool is(int64_t count) const { return !value && known == count; }
};

/// The lanes `first <= i < last` (none when `last <= first`).
struct Interval {
  Count first, last;
};

/// The lanes of one value. Exactly one form holds:
///   vector     the lanes as a vector
///   interval   an i1: true in these lanes
///   otherwise  lane i holds scalar + offset + i * stride; without a scalar that is a constant.
/// Only `index` values have an offset or a stride; their scalar is an i64.
struct Packet {
  mlir::Value scalar;
  int64_t offset = 0;
  int64_t stride = 0;
  mlir::Value vector;
  std::optional<Interval> interval;

  bool is_linear() const { return !vector && !interval; }
  bool is_uniform() const { return is_linear() && stride == 0; }
  bool is_constant() const { return is_uniform() && !scalar; }

  static Packet of_scalar(mlir::Value scalar) { return {scalar, 0, 0, {}, {}}; }
  static Packet of_constant(int64_t value) { return {{}, value, 0, {}, {}}; }
  static Packet of_vector(mlir::Value vector) { return {{}, 0, 0, vector, {}}; }
  static Packet of_interval(Interval interval) { return {{}, 0, 0, {}, interval}; }
};

/// The active lanes: those in `lanes` where `others`, a vector of i1, holds too (when it is set).
struct Mask {
  Interval lanes;
  mlir::Value others;

  bool is_all(int64_t width) const { return !others && lanes.first.is(0) && lanes.last.is(width); }
  bool is_empty() const {
    return !lanes.first.value && !lanes.last.value && lanes.last.known <= lanes.first.known;
  }
  bool is_prefix() const { return !others && lanes.first.is(0); }
};

using Packets = llvm::SmallVector<Packet>;

/// A view's parts in the function that is built. Extents and strides are i64, strides in elements.
struct View {
  tile::ViewType type;
  std::optional<int> number; ///< among the views of the launch, where it is one of them
  mlir::Value data;
  llvm::SmallVector<mlir::Value> extents, strides;
};

/// How an element lies in memory: a boolean takes one byte, 0 or 1.
inline mlir::Type memory_type(mlir::Type element) {
  return element.isInteger(1) ? mlir::IntegerType::get(element.getContext(), 8) : element;
}
inline int64_t memory_bytes(mlir::Type element) {
  return memory_type(element).getIntOrFloatBitWidth() / 8;
}

} // namespace tilewright::packetize
