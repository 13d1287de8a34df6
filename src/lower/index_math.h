// Index arithmetic that folds while it is built: constants in, constants out. Every constant exists
// once, at the start of the phase, so that dumps stay readable.
#pragma once

#include <map>
#include <optional>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower {

class IndexMath {
public:
  /// Emits at the builder's insertion point, which stays inside `phase`.
  IndexMath(mlir::OpBuilder &builder, mlir::Location location, mlir::Block &phase)
      : builder_(builder), location_(location), phase_(phase) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b); ///< of numbers that are not negative
  mlir::Value mod(mlir::Value a, mlir::Value b); ///< of numbers that are not negative
  mlir::Value bit_and(mlir::Value a, mlir::Value b);

  /// The largest multiple of `step`, a power of two, that is no greater than `value` (>= 0).
  mlir::Value round_down(mlir::Value value, int64_t step);

  /// The value when it is a constant.
  static std::optional<int64_t> known(mlir::Value value);

private:
  template <typename Op, typename Fold>
  mlir::Value emit(mlir::Value a, mlir::Value b, Fold fold);

  mlir::OpBuilder &builder_;
  mlir::Location location_;
  mlir::Block &phase_;
  std::map<int64_t, mlir::Value> constants_;
};

} // namespace tilewright::lower
