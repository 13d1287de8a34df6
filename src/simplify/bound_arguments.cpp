#include "simplify/bound_arguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "tile/tile.h"
#include "tile/value_facts.h"

namespace tilewright::simplify {

namespace arith = mlir::arith;
using mlir::Value;

namespace {

bool is_maximum(mlir::Region &region) {
  mlir::Block &block = region.front();
  if (block.getNumArguments() != 2)
    return false;
  mlir::Operation *op = block.getTerminator()->getOperand(0).getDefiningOp();
  return llvm::isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(op) &&
         op->getBlock() == &block && llvm::isa<mlir::BlockArgument>(op->getOperand(0)) &&
         llvm::isa<mlir::BlockArgument>(op->getOperand(1)) &&
         op->getOperand(0) != op->getOperand(1);
}

/// Whether `value` is the maximum of all elements of `tile`.
bool is_maximum_of(Value value, Value tile) {
  auto reduce = value.getDefiningOp<tile::ReduceOp>();
  return reduce && reduce.getInputs().size() == 1 && reduce.getInputs().front() == tile &&
         !llvm::isa<tile::TileType>(value.getType()) && is_maximum(reduce.getStep()) &&
         is_maximum(reduce.getMerge());
}

std::optional<llvm::APFloat> constant(Value value) {
  mlir::FloatAttr attribute;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attribute)))
    return {};
  return attribute.getValue();
}

/// The constant that `maximum` is where `condition` holds, if that follows.
std::optional<llvm::APFloat> equal_to(Value condition, Value maximum) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ)
    return {};
  if (compare.getLhs() == maximum)
    return constant(compare.getRhs());
  return compare.getRhs() == maximum ? constant(compare.getLhs()) : std::nullopt;
}

/// Whether `value` is no less than every element of `tile`, or NaN.
bool bounds(Value value, Value tile) {
  if (is_maximum_of(value, tile))
    return true;
  auto choice = value.getDefiningOp<arith::SelectOp>();
  if (!choice || !bounds(choice.getFalseValue(), tile))
    return false;
  if (bounds(choice.getTrueValue(), tile))
    return true;
  std::optional<llvm::APFloat> taken = constant(choice.getTrueValue());
  std::optional<llvm::APFloat> maximum = equal_to(choice.getCondition(), choice.getFalseValue());
  return taken && maximum && is_maximum_of(choice.getFalseValue(), tile) && *taken >= *maximum;
}

} // namespace

mlir::LogicalResult bound_arguments(mlir::ModuleOp module) {
  module.walk([](mlir::math::ExpOp exp) {
    auto difference = exp.getOperand().getDefiningOp<arith::SubFOp>();
    auto map = llvm::dyn_cast<tile::MapOp>(exp->getParentOp());
    auto element = difference ? llvm::dyn_cast<mlir::BlockArgument>(difference.getLhs()) : nullptr;
    if (!map || !element || element.getOwner() != map.body())
      return;
    if (bounds(difference.getRhs(), map.getInputs()[element.getArgNumber()]))
      exp->setAttr(tile::never_positive, mlir::UnitAttr::get(exp.getContext()));
  });
  return mlir::success();
}

} // namespace tilewright::simplify
