#include "simplify/fold_scalars.h"

#include <cmath>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "tile/tile.h"

namespace tilewright::simplify {

namespace arith = mlir::arith;
using mlir::Attribute;

namespace {

/// Operations whose own folder is exact when all operands are constants.
bool folds_exactly(mlir::Operation *op) {
  return llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
                   arith::MinimumFOp, arith::MaximumFOp, arith::AddIOp, arith::SubIOp,
                   arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpIOp,
                   arith::CmpFOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
                   arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
                   arith::IndexCastOp>(op);
}

/// IEEE 754 asks the host's square root to be correctly rounded.
Attribute fold_square_root(mlir::FloatAttr operand) {
  if (operand.getType().isF32())
    return mlir::FloatAttr::get(operand.getType(),
                                llvm::APFloat(std::sqrt(operand.getValue().convertToFloat())));
  if (operand.getType().isF64())
    return mlir::FloatAttr::get(operand.getType(),
                                llvm::APFloat(std::sqrt(operand.getValue().convertToDouble())));
  return {};
}

/// The constant that `op` gives, null if it gives none.
Attribute constant_result(mlir::Operation *op) {
  if (auto extent = llvm::dyn_cast<tile::ExtentOp>(op)) {
    int64_t value = tile::find_axis(op, extent.getAxis()).get_extent();
    if (mlir::ShapedType::isDynamic(value))
      return {};
    return mlir::Builder(op->getContext()).getIndexAttr(value);
  }
  llvm::SmallVector<Attribute> operands;
  for (mlir::Value operand : op->getOperands()) {
    Attribute constant;
    if (!mlir::matchPattern(operand, mlir::m_Constant(&constant)))
      return {};
    operands.push_back(constant);
  }
  if (llvm::isa<mlir::math::SqrtOp>(op)) {
    auto operand = llvm::dyn_cast<mlir::FloatAttr>(operands[0]);
    return operand ? fold_square_root(operand) : Attribute();
  }
  llvm::SmallVector<mlir::OpFoldResult> results;
  if (!folds_exactly(op) || failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto constant = llvm::dyn_cast<Attribute>(results[0]))
    return constant;
  Attribute constant;
  mlir::matchPattern(llvm::cast<mlir::Value>(results[0]), mlir::m_Constant(&constant));
  return constant;
}

/// x / 2^k becomes x * 2^-k.
void multiply_by_exact_inverse(arith::DivFOp division) {
  mlir::FloatAttr divisor;
  if (!mlir::matchPattern(division.getRhs(), mlir::m_Constant(&divisor)))
    return;
  llvm::APFloat inverse(divisor.getValue());
  if (!divisor.getValue().getExactInverse(&inverse))
    return;
  mlir::OpBuilder builder(division);
  mlir::Value factor = arith::ConstantOp::create(builder, division.getLoc(),
                                                 builder.getFloatAttr(division.getType(), inverse));
  mlir::Value product =
      arith::MulFOp::create(builder, division.getLoc(), division.getLhs(), factor);
  division.replaceAllUsesWith(product);
  division.erase();
}

} // namespace

mlir::LogicalResult fold_scalars(mlir::ModuleOp module) {
  // Program order: operands are folded before their uses.
  llvm::SmallVector<mlir::Operation *> ops;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op->getNumResults() == 1 && !op->hasTrait<mlir::OpTrait::ConstantLike>() &&
        op->getNumRegions() == 0)
      ops.push_back(op);
  });
  for (mlir::Operation *op : ops) {
    if (auto constant = llvm::dyn_cast_or_null<mlir::TypedAttr>(constant_result(op))) {
      mlir::OpBuilder builder(op);
      mlir::Value value = arith::ConstantOp::create(builder, op->getLoc(), constant);
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    } else if (auto division = llvm::dyn_cast<arith::DivFOp>(op)) {
      multiply_by_exact_inverse(division);
    }
  }
  return mlir::success();
}

} // namespace tilewright::simplify
