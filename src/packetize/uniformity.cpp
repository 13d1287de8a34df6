#include "packetize/uniformity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

Spread Spread::join(Spread other) const {
  if (is_none())
    return other;
  if (other.is_none() || *this == other)
    return *this;
  return varying();
}

std::string Spread::text() const {
  if (is_none())
    return "none";
  if (is_varying())
    return "varying";
  return is_uniform() ? "uniform" : "steps " + std::to_string(stride_);
}

Uniformity::Uniformity(lane::PhaseOp phase) : width_(phase.getWidth()), phase_(phase) {
  for (mlir::BlockArgument argument : phase.body()->getArguments())
    raise(argument, Spread::uniform());
  visit(*phase.body());
}

Spread Uniformity::of(mlir::Value value) const { return spreads_.lookup(value); }

bool Uniformity::raise(mlir::Value value, Spread spread) {
  Spread &known = spreads_[value];
  Spread joined = known.join(spread);
  if (joined == known)
    return false;
  known = joined;
  return true;
}

bool Uniformity::all_uniform(mlir::ValueRange values) const {
  return llvm::all_of(values, [&](mlir::Value value) { return of(value).is_uniform(); });
}

void Uniformity::visit(mlir::Block &block) {
  for (mlir::Operation &op : block)
    visit(op);
}

void Uniformity::visit(mlir::Operation &op) {
  if (auto loop = llvm::dyn_cast<scf::ForOp>(op))
    return visit_for(loop);
  if (auto branch = llvm::dyn_cast<scf::IfOp>(op))
    return visit_if(branch);
  for (mlir::Region &region : op.getRegions())
    for (mlir::Block &block : region) {
      for (mlir::BlockArgument argument : block.getArguments())
        raise(argument, Spread::varying());
      visit(block);
    }
  if (op.getNumResults() == 0)
    return;
  Spread spread = transfer(op);
  for (mlir::Value result : op.getResults())
    raise(result, spread);
}

void Uniformity::visit_for(scf::ForOp loop) {
  bool in_step = all_uniform({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  raise(loop.getInductionVar(), in_step ? Spread::uniform() : Spread::varying());
  for (auto [carried, start] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    raise(carried, in_step ? of(start) : Spread::varying());
  for (bool changed = true; changed;) {
    visit(*loop.getBody());
    changed = false;
    for (auto [carried, next] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
      changed |= raise(carried, of(next));
  }
  for (auto [result, carried] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
    raise(result, of(carried));
}

void Uniformity::visit_if(scf::IfOp branch) {
  visit(*branch.thenBlock());
  if (branch.elseBlock())
    visit(*branch.elseBlock());
  if (branch.getNumResults() == 0)
    return;
  bool in_step = of(branch.getCondition()).is_uniform();
  for (auto [result, taken, other] : llvm::zip(
           branch.getResults(), branch.thenYield().getOperands(), branch.elseYield().getOperands()))
    raise(result, in_step ? of(taken).join(of(other)) : Spread::varying());
}

Spread Uniformity::transfer(mlir::Operation &op) const {
  bool one_lane = width_ == 1;
  if (llvm::isa<lane::IdOp>(op))
    return one_lane ? Spread::uniform() : Spread::steps(1);
  if (llvm::isa<lane::ReduceOp>(op))
    return Spread::uniform();
  if (llvm::isa<lane::GetOp>(op))
    return one_lane ? Spread::uniform() : Spread::varying();
  if (auto load = llvm::dyn_cast<lane::LoadOp>(op))
    return all_uniform(load.getIndices()) ? Spread::uniform() : Spread::varying();
  if (all_uniform(op.getOperands()))
    return Spread::uniform();
  for (mlir::Value operand : op.getOperands())
    if (of(operand).is_none())
      return {};

  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex())
    return Spread::varying();
  auto spread = [&](unsigned operand) { return of(op.getOperand(operand)); };
  auto steps = [](int64_t stride) { return Spread::steps(stride); };
  auto wrapping = [](uint64_t value) { return static_cast<int64_t>(value); };
  auto stride = [&](unsigned operand) { return static_cast<uint64_t>(spread(operand).stride()); };
  if (llvm::isa<arith::SelectOp>(op))
    return spread(0).is_uniform() ? spread(1).join(spread(2)) : Spread::varying();
  if (op.getNumOperands() != 2 || !spread(0).is_steps() || !spread(1).is_steps())
    return Spread::varying();
  if (llvm::isa<arith::AddIOp>(op))
    return steps(wrapping(stride(0) + stride(1)));
  if (llvm::isa<arith::SubIOp>(op))
    return steps(wrapping(stride(0) - stride(1)));
  if (llvm::isa<arith::MulIOp>(op)) {
    llvm::APInt factor;
    for (unsigned constant : {0U, 1U})
      if (mlir::matchPattern(op.getOperand(constant), mlir::m_ConstantInt(&factor)))
        return steps(wrapping(factor.getZExtValue() * stride(1 - constant)));
  }
  return Spread::varying();
}

lane::Access Uniformity::access(tile::ViewType view, mlir::ValueRange indices) const {
  bool uniform = true, consecutive = true;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Spread spread = of(index);
    if (!spread.is_steps())
      return lane::Access::unknown;
    if (spread.is_uniform())
      continue;
    uniform = false;
    if (static_cast<int64_t>(dim) != view.getUnitDim() || spread.stride() != 1)
      consecutive = false;
  }
  if (uniform)
    return lane::Access::uniform;
  return consecutive ? lane::Access::consecutive : lane::Access::strided;
}

mlir::LogicalResult Uniformity::check_claims() const {
  // `uniform` and `consecutive` are kinds of `strided`, and that is a kind of `unknown`. Where a
  // packet has one lane, everything is also consecutive.
  auto check = [&](mlir::Operation *op, tile::ViewType view, mlir::ValueRange indices,
                   lane::Access claim) -> mlir::WalkResult {
    lane::Access found = access(view, indices);
    if (claim == found || claim == lane::Access::unknown)
      return mlir::WalkResult::advance();
    if (claim == lane::Access::strided && found != lane::Access::unknown)
      return mlir::WalkResult::advance();
    if (width_ == 1 && found == lane::Access::uniform)
      return mlir::WalkResult::advance();
    op->emitError() << "internal: the plan claims " << lane::stringifyAccess(claim)
                    << ", analysis found " << lane::stringifyAccess(found);
    return mlir::WalkResult::interrupt();
  };
  lane::PhaseOp phase = phase_;
  mlir::WalkResult result = phase.walk([&](mlir::Operation *op) -> mlir::WalkResult {
    if (auto load = llvm::dyn_cast<lane::LoadOp>(op))
      return check(op, load.getView().getType(), load.getIndices(), load.getAccess());
    if (auto store = llvm::dyn_cast<lane::StoreOp>(op))
      return check(op, store.getView().getType(), store.getIndices(), store.getAccess());
    return mlir::WalkResult::advance();
  });
  return mlir::failure(result.wasInterrupted());
}

} // namespace tilewright::packetize
