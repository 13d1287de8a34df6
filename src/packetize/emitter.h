// Builds the function of one phase.
//
// Constants and pure arithmetic made here exist once each: they stand right behind the last value
// they need, so they are outside every loop that does not change them and serve all later uses.
#pragma once

#include <tuple>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "packetize/packet.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::packetize {

class Emitter {
public:
  Emitter(mlir::func::FuncOp function, int64_t width);

  mlir::OpBuilder builder;
  mlir::Location location;

  /// Lanes per vector. Reduction trees narrow it for a while.
  int64_t width() const { return width_; }
  void set_width(int64_t width) { width_ = width; }

  /// The type in the function: `index` is i64.
  mlir::Type scalar_type(mlir::Type type) const;
  /// A vector of `width` lanes of it; a scalar when there is one lane.
  mlir::Type lanes_type(mlir::Type type) const;

  // Constants, at the start of the function.
  mlir::Value constant(mlir::TypedAttr value);
  mlir::Value integer(int64_t value, unsigned bits = 64);
  mlir::Value zero(mlir::Type type);
  mlir::Value lane_numbers(unsigned bits);
  mlir::Value known_mask(int64_t first, int64_t last);
  static std::optional<int64_t> known(mlir::Value value);

  // Pure arithmetic on i64: folded, shared and placed early.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value min_signed(mlir::Value a, mlir::Value b);
  mlir::Value max_signed(mlir::Value a, mlir::Value b);
  mlir::Value min_unsigned(mlir::Value a, mlir::Value b);
  mlir::Value max_unsigned(mlir::Value a, mlir::Value b);
  mlir::Value bit_or(mlir::Value a, mlir::Value b);
  mlir::Value address(mlir::Value pointer);
  mlir::Value broadcast(mlir::Value scalar);
  /// Lanes start ... start + size - 1, as a scalar when that is one lane.
  mlir::Value part(mlir::Value lanes, int64_t start, int64_t size);
  /// Lane i is base + i * stride.
  mlir::Value line(mlir::Value base, int64_t stride);
  /// Lane i is `first <= i < last`; made by comparing integers of `bits` bits.
  mlir::Value interval_mask(const Interval &interval, unsigned bits);
  mlir::Value and_masks(mlir::Value a, mlir::Value b);
  mlir::Value element_pointer(mlir::Type element, mlir::Value base, mlir::Value index);
  mlir::Value element_pointer(mlir::Type element, mlir::Value base, int64_t index);

  /// Is this i64 known not to be negative? (Sums and products are taken not to overflow.)
  bool not_negative(mlir::Value value, int depth = 0) const;
  /// Is it known to be a multiple of this power of two?
  bool is_multiple(mlir::Value value, int64_t factor, int depth = 0) const;
  void promise_not_negative(mlir::Value value) { not_negative_.insert(value); }

private:
  enum class Kind : unsigned {
    add,
    sub,
    mul,
    min_signed,
    max_signed,
    min_unsigned,
    max_unsigned,
    bit_or,
    address,
    narrow,
    broadcast,
    line,
    below,
    from,
    both,
    pointer
  };
  using Key = std::tuple<unsigned, mlir::Value, mlir::Value, int64_t>;

  /// The value of `build`, made once per key right behind `a` and `b`.
  mlir::Value once(Kind kind, mlir::Value a, mlir::Value b, int64_t extra,
                   llvm::function_ref<mlir::Value()> build);
  template <typename Op>
  mlir::Value binary(Kind kind, mlir::Value a, mlir::Value b);
  void place_behind(mlir::Value a, mlir::Value b);
  mlir::Value bound(const Count &count, unsigned bits);

  mlir::Block *entry_;
  int64_t width_;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants_;
  llvm::DenseMap<Key, mlir::Value> made_;
  llvm::DenseSet<mlir::Value> not_negative_;
};

} // namespace tilewright::packetize
