#include "simplify/relax_extrema.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "tile/tile.h"
#include "tile/value_facts.h"

namespace tilewright::simplify {

namespace arith = mlir::arith;
namespace math = mlir::math;
using mlir::Value;

namespace {

/// The one op of a body that combines its two arguments, in either order, and is yielded.
mlir::Operation *only_op(mlir::Region &region) {
  mlir::Block &block = region.front();
  if (block.getNumArguments() != 2 || block.getTerminator()->getNumOperands() != 1)
    return nullptr;
  mlir::Operation *op = block.getTerminator()->getOperand(0).getDefiningOp();
  Value a = block.getArgument(0), b = block.getArgument(1);
  bool both = op && op->getBlock() == &block && op->getNumOperands() == 2 &&
              ((op->getOperand(0) == a && op->getOperand(1) == b) ||
               (op->getOperand(0) == b && op->getOperand(1) == a));
  return both ? op : nullptr;
}

bool is_number(mlir::Attribute attribute) {
  auto real = llvm::dyn_cast_or_null<mlir::FloatAttr>(attribute);
  return real && !real.getValue().isNaN();
}

/// A maximum or minimum of f32 or f64 elements, all of them, from numbers on.
bool is_extremum(tile::ReduceOp reduce) {
  if (reduce.getInputs().size() != 1 || reduce.getSeeds().size() != 1)
    return false;
  mlir::Operation *step = only_op(reduce.getStep()), *merge = only_op(reduce.getMerge());
  mlir::Type type = reduce.getResult(0).getType();
  mlir::Attribute seed;
  return (type.isF32() || type.isF64()) && step && merge && step->getName() == merge->getName() &&
         llvm::isa<arith::MaximumFOp, arith::MinimumFOp>(step) &&
         mlir::matchPattern(reduce.getSeeds().front(), mlir::m_Constant(&seed)) &&
         is_number(seed) && is_number(reduce.getIdentities()[0]);
}

/// What is known of a value when an element of the reduced tile is NaN.
enum class Known { nothing, is_nan, is_true, is_false };

/// At the places where the reduced tile is NaN, and at all places.
struct Knowledge {
  Known there = Known::nothing, everywhere = Known::nothing;
  bool depends = false; ///< on the extremum
};

/// Results that are NaN when any operand is.
bool keeps_nan(mlir::Operation *op) {
  return llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
                   arith::MaximumFOp, arith::MinimumFOp, arith::ExtFOp, arith::TruncFOp,
                   math::FmaOp, math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::ExpOp,
                   math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op, math::Log10Op,
                   math::Log1pOp, math::TanhOp, math::ErfOp, math::SinOp, math::CosOp,
                   math::FloorOp, math::CeilOp>(op);
}

Known known_result(mlir::Operation *op, llvm::ArrayRef<Known> operands) {
  if (keeps_nan(op))
    return llvm::is_contained(operands, Known::is_nan) ? Known::is_nan : Known::nothing;
  if (auto compare = llvm::dyn_cast<arith::CmpFOp>(op)) {
    if (!llvm::is_contained(operands, Known::is_nan))
      return Known::nothing;
    using Predicate = arith::CmpFPredicate;
    switch (compare.getPredicate()) {
    case Predicate::OEQ:
    case Predicate::OGT:
    case Predicate::OGE:
    case Predicate::OLT:
    case Predicate::OLE:
    case Predicate::ONE:
      return Known::is_false;
    case Predicate::UNE:
    case Predicate::UNO:
      return Known::is_true;
    default:
      return Known::nothing;
    }
  }
  if (llvm::isa<arith::SelectOp>(op)) {
    if (operands[0] == Known::is_true || operands[0] == Known::is_false)
      return operands[operands[0] == Known::is_true ? 1 : 2];
    return operands[1] == operands[2] ? operands[1] : Known::nothing;
  }
  return Known::nothing;
}

/// Follows an extremum and the NaN it would have kept to the stores of its kernel.
class NanFollower {
public:
  explicit NanFollower(tile::ReduceOp extremum) : extremum_(extremum) {
    known_[extremum.getInputs().front()] = {.there = Known::is_nan};
    known_[extremum.getResult(0)].depends = true;
  }

  /// Whether every store that depends on the extremum stores NaN.
  bool reaches_every_store() {
    for (mlir::Operation *op = extremum_->getNextNode(); op; op = op->getNextNode())
      if (!follow(op))
        return false;
    return true;
  }

private:
  bool follow(mlir::Operation *op) {
    if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
      bool elsewhere = llvm::any_of(op->getOperands().drop_front(),
                                    [&](Value operand) { return known_[operand].depends; });
      const Knowledge &value = known_[store.getValue()];
      return !elsewhere && (!value.depends || value.everywhere == Known::is_nan);
    }
    if (auto map = llvm::dyn_cast<tile::MapOp>(op)) {
      follow_map(map);
      return true;
    }
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op)) {
      follow_reduce(reduce);
      return true;
    }
    bool depends =
        llvm::any_of(op->getOperands(), [&](Value operand) { return known_[operand].depends; });
    if (op->getNumRegions() == 0 && op->getNumResults() == 1 &&
        !llvm::isa<tile::TileDialect>(op->getDialect())) {
      follow_scalar(op);
      return true;
    }
    // What else there is may not look at the extremum.
    return op->getNumRegions() == 0 && !depends;
  }

  void follow_scalar(mlir::Operation *op) {
    llvm::SmallVector<Known> there, everywhere;
    Knowledge result;
    for (Value operand : op->getOperands()) {
      const Knowledge &known = known_[operand];
      there.push_back(known.there);
      everywhere.push_back(known.everywhere);
      result.depends |= known.depends;
    }
    result.there = known_result(op, there);
    result.everywhere = known_result(op, everywhere);
    known_[op->getResult(0)] = result;
  }

  void follow_body(mlir::Block &block) {
    for (mlir::Operation &op : block.without_terminator()) {
      assert(op.getNumRegions() == 0 && "bodies are flat");
      if (op.getNumResults() == 1)
        follow_scalar(&op);
    }
  }

  void follow_map(tile::MapOp map) {
    for (auto [argument, input] : llvm::zip(map.body()->getArguments(), map.getInputs()))
      known_[argument] = known_[input];
    follow_body(*map.body());
    known_[map.getResult()] = known_[map.yielded()];
  }

  /// One NaN among the elements stays in the accumulators to the end.
  void follow_reduce(tile::ReduceOp reduce) {
    Knowledge result;
    for (Value operand : reduce->getOperands())
      result.depends |= known_[operand].depends;
    for (mlir::Region *region : {&reduce.getStep(), &reduce.getMerge()})
      region->walk([&](mlir::Operation *op) {
        for (Value operand : op->getOperands())
          result.depends |= known_[operand].depends;
      });
    bool same_axes = reduce.getAxes() == extremum_.getAxes();
    bool one = reduce.getInputs().size() == 1 && reduce.getSeeds().size() == 1;
    if (one && same_axes && known_[reduce.getInputs().front()].there == Known::is_nan &&
        keeps_nan_of(reduce.getStep(), 0) && keeps_nan_of(reduce.getStep(), 1) &&
        keeps_nan_of(reduce.getMerge(), 0) && keeps_nan_of(reduce.getMerge(), 1))
      result.there = result.everywhere = Known::is_nan;
    for (Value value : reduce.getResults())
      known_[value] = result;
  }

  /// Whether a reduction's body gives NaN where this argument is.
  bool keeps_nan_of(mlir::Region &region, unsigned argument) {
    mlir::Block &block = region.front();
    for (mlir::BlockArgument other : block.getArguments())
      known_[other] = {};
    known_[block.getArgument(argument)] = {.there = Known::is_nan};
    follow_body(block);
    return known_[block.getTerminator()->getOperand(0)].there == Known::is_nan;
  }

  tile::ReduceOp extremum_;
  llvm::DenseMap<Value, Knowledge> known_;
};

/// Whether no use of `value` can tell -0 from 0: it compares, it changes at most the sign of
/// another zero, for which the same holds, or it is exp, which is 1 for both.
bool zeros_are_alike(Value value) {
  return llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
    mlir::Operation *user = use.getOwner();
    if (llvm::isa<arith::CmpFOp, math::AbsFOp, math::ExpOp>(user))
      return true;
    if (auto map = llvm::dyn_cast<tile::MapOp>(user))
      return zeros_are_alike(map.body()->getArgument(use.getOperandNumber()));
    if (auto map = llvm::dyn_cast<tile::MapOp>(user->getParentOp());
        map && llvm::isa<tile::YieldOp>(user))
      return zeros_are_alike(map.getResult());
    bool divides = llvm::isa<arith::DivFOp>(user) && use.getOperandNumber() == 1;
    bool passes =
        llvm::isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
                  arith::MaximumFOp, arith::MinimumFOp, math::FmaOp, arith::SelectOp>(user);
    return passes && !divides && zeros_are_alike(user->getResult(0));
  });
}

void relax(mlir::Region &region) {
  mlir::Operation *op = only_op(region);
  mlir::Block &block = region.front();
  mlir::OpBuilder builder(op);
  Value first = block.getArgument(0), second = block.getArgument(1);
  mlir::Operation *relaxed =
      llvm::isa<arith::MaximumFOp>(op)
          ? arith::MaxNumFOp::create(builder, op->getLoc(), first, second).getOperation()
          : arith::MinNumFOp::create(builder, op->getLoc(), first, second).getOperation();
  relaxed->setAttr(tile::first_is_number, builder.getUnitAttr());
  op->getResult(0).replaceAllUsesWith(relaxed->getResult(0));
  op->erase();
}

} // namespace

mlir::LogicalResult relax_extrema(mlir::ModuleOp module) {
  module.walk([](tile::ReduceOp reduce) {
    if (!is_extremum(reduce) || !zeros_are_alike(reduce.getResult(0)) ||
        !NanFollower(reduce).reaches_every_store())
      return;
    relax(reduce.getStep());
    relax(reduce.getMerge());
  });
  return mlir::success();
}

} // namespace tilewright::simplify
