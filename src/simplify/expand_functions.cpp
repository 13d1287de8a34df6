#include "simplify/expand_functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace tilewright::simplify {

mlir::LogicalResult expand_functions(mlir::ModuleOp module) {
  module.walk([](mlir::math::RsqrtOp op) {
    mlir::OpBuilder builder(op);
    mlir::Value root = mlir::math::SqrtOp::create(builder, op.getLoc(), op.getOperand());
    mlir::Value one = mlir::arith::ConstantOp::create(builder, op.getLoc(),
                                                      builder.getFloatAttr(op.getType(), 1.0));
    mlir::Value quotient = mlir::arith::DivFOp::create(builder, op.getLoc(), one, root);
    op.replaceAllUsesWith(quotient);
    op.erase();
  });
  return mlir::success();
}

} // namespace tilewright::simplify
