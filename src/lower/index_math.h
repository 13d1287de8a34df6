// Index arithmetic that folds while it is built: constants in, constants out.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower {

class IndexMath {
 public:
  IndexMath(mlir::OpBuilder& builder, mlir::Location location)
      : builder_(builder), location_(location) {}

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);  ///< of numbers that are not negative
  mlir::Value mod(mlir::Value a, mlir::Value b);  ///< of numbers that are not negative

  /// The largest multiple of `step`, a power of two, that is no greater than `value` (>= 0).
  mlir::Value round_down(mlir::Value value, int64_t step);

  /// The value when it is a constant.
  static std::optional<int64_t> known(mlir::Value value);

 private:
  mlir::OpBuilder& builder_;
  mlir::Location location_;
};

}  // namespace tilewright::lower
