#include "simplify/contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "tile/tile.h"

namespace tilewright::simplify {

namespace arith = mlir::arith;

namespace {

/// The product that makes `value`, if `user` in the same block is its only use.
arith::MulFOp contractible_product(mlir::Value value, mlir::Operation *user) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  bool fits = product && product->hasOneUse() && product->getBlock() == user->getBlock();
  return fits ? product : arith::MulFOp();
}

/// Replaces `op` by fma(a, b, c), where a * b is `product`.
void replace_by_fma(mlir::Operation *op, arith::MulFOp product, mlir::Value a, mlir::Value c) {
  mlir::OpBuilder builder(op);
  mlir::Value fma =
      mlir::math::FmaOp::create(builder, op->getLoc(), a, product.getRhs(), c).getResult();
  op->getResult(0).replaceAllUsesWith(fma);
  op->erase();
  product.erase();
}

mlir::Value negate(mlir::Operation *before, mlir::Value value) {
  mlir::OpBuilder builder(before);
  return arith::NegFOp::create(builder, before->getLoc(), value);
}

void contract_sum(arith::AddFOp sum) {
  if (auto left = contractible_product(sum.getLhs(), sum))
    replace_by_fma(sum, left, left.getLhs(), sum.getRhs());
  else if (auto right = contractible_product(sum.getRhs(), sum))
    replace_by_fma(sum, right, right.getLhs(), sum.getLhs());
}

void contract_difference(arith::SubFOp difference) {
  if (auto left = contractible_product(difference.getLhs(), difference))
    replace_by_fma(difference, left, left.getLhs(), negate(difference, difference.getRhs()));
  else if (auto right = contractible_product(difference.getRhs(), difference))
    replace_by_fma(difference, right, negate(difference, right.getLhs()), difference.getLhs());
}

} // namespace

mlir::LogicalResult contract(mlir::ModuleOp module) {
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    if (!kernel.getContract())
      continue;
    // A product comes before its use, so erasing both leaves the rest of the list valid.
    llvm::SmallVector<mlir::Operation *> candidates;
    kernel->walk([&](mlir::Operation *op) {
      if (llvm::isa<arith::AddFOp, arith::SubFOp>(op))
        candidates.push_back(op);
    });
    for (mlir::Operation *op : candidates) {
      if (auto sum = llvm::dyn_cast<arith::AddFOp>(op))
        contract_sum(sum);
      else
        contract_difference(llvm::cast<arith::SubFOp>(op));
    }
  }
  return mlir::success();
}

} // namespace tilewright::simplify
