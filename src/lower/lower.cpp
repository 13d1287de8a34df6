#include "lower/lower.h"

#include "lower/program_emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "plan/annotate.h"
#include "plan/effects.h"
#include "plan/extract.h"

namespace tilewright::lower {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace {

/// Runs programs [begin, end) as the plan says, at the insertion point.
void emit_body(mlir::OpBuilder &builder, IndexMath &index, Nest &nest, const plan::Plan &plan,
               lane::PhaseOp phase) {
  mlir::Location location = phase.getLoc();
  ProgramEmitter emitter(builder, index, nest, plan, phase.views());
  emitter.allocate_private_arrays();
  if (plan.mapping == plan::Mapping::flat) {
    // The body may assume that it has at least one program.
    mlir::Value any = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::slt,
                                            phase.begin(), phase.end());
    auto branch = scf::IfOp::create(builder, location, any, /*withElseRegion=*/false);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitter.emit_flat(phase.begin(), phase.end());
    return;
  }
  auto emit_rows = [&](mlir::Value from, mlir::Value to, int step) {
    auto loop = scf::ForOp::create(builder, location, from, to, index.constant(step));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    llvm::SmallVector<mlir::Value> numbers;
    for (int i = 0; i < step; ++i)
      numbers.push_back(index.add(loop.getInductionVar(), index.constant(i)));
    emitter.emit_programs(numbers);
  };
  if (plan.overlap_programs)
    return emitter.emit_overlapped(phase.begin(), phase.end());
  if (plan.programs_per_step == 1)
    return emit_rows(phase.begin(), phase.end(), 1);
  mlir::Value count = index.sub(phase.end(), phase.begin());
  mlir::Value blocked = index.add(phase.begin(), index.round_down(count, plan.programs_per_step));
  emit_rows(phase.begin(), blocked, plan.programs_per_step);
  emit_rows(blocked, phase.end(), 1);
}

/// True when the views of no pair overlap harmfully. There is at least one pair.
mlir::Value emit_guard(mlir::OpBuilder &builder, const std::vector<plan::GuardPair> &pairs,
                       lane::PhaseOp phase) {
  llvm::SmallVector<mlir::Value> stored, others;
  llvm::SmallVector<bool> same_element_first;
  for (const plan::GuardPair &pair : pairs) {
    stored.push_back(phase.views()[pair.stored]);
    others.push_back(phase.views()[pair.other]);
    same_element_first.push_back(pair.same_element_first);
  }
  return lane::GuardOp::create(builder, phase.getLoc(), builder.getI1Type(), stored, others,
                               same_element_first);
}

mlir::LogicalResult lower_kernel(tile::KernelOp kernel) {
  std::optional<plan::Plan> plan = plan::read_plan(kernel, plan::plan_attribute);
  if (!plan)
    return kernel.emitOpError() << "has no plan";

  Nest nest = find_nest(kernel);
  mlir::OpBuilder builder(kernel);
  auto phase = lane::PhaseOp::create(builder, kernel.getLoc(), kernel.getSymName(), plan->width);
  phase.getBody().emplaceBlock();
  for (mlir::BlockArgument view : kernel.views())
    phase.body()->addArgument(view.getType(), view.getLoc());
  for (int i = 0; i < 2; ++i)
    phase.body()->addArgument(builder.getIndexType(), kernel.getLoc());
  builder.setInsertionPointToStart(phase.body());

  IndexMath index(builder, kernel.getLoc(), *phase.body());
  plan::KernelSummary summary;
  if (mlir::failed(plan::extract(kernel, summary)))
    return mlir::failure();
  std::vector<plan::GuardPair> pairs = plan::guard_pairs(summary, *plan);
  if (pairs.empty()) {
    emit_body(builder, index, nest, *plan, phase);
  } else {
    if (!plan->guard)
      return kernel.emitOpError() << "has a plan that needs a guard";
    std::optional<plan::Plan> safe;
    if (kernel->hasAttr(plan::safe_plan_attribute)) {
      safe = plan::read_plan(kernel, plan::safe_plan_attribute);
      if (!safe)
        return mlir::failure();
    }
    if (safe && safe->width != plan->width)
      return kernel.emitOpError() << "has a safe plan of another width than its plan";
    mlir::Value guard = emit_guard(builder, pairs, phase);
    auto branch = scf::IfOp::create(builder, kernel.getLoc(), guard, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    emit_body(builder, index, nest, *plan, phase);
    builder.setInsertionPointToStart(branch.elseBlock());
    if (safe) {
      lane::SafeBodyOp::create(builder, kernel.getLoc());
      emit_body(builder, index, nest, *safe, phase);
    } else {
      lane::OverlapOp::create(builder, kernel.getLoc());
    }
  }
  bool fence =
      llvm::any_of(plan->loops, [](const plan::LoopPlan &loop) { return loop.nontemporal; });
  if (fence) {
    builder.setInsertionPointToEnd(phase.body());
    lane::FenceOp::create(builder, kernel.getLoc());
  }
  kernel.erase();
  return mlir::success();
}

} // namespace

mlir::LogicalResult lower_to_lanes(mlir::ModuleOp module) {
  for (tile::KernelOp kernel : llvm::make_early_inc_range(module.getOps<tile::KernelOp>()))
    if (mlir::failed(lower_kernel(kernel)))
      return mlir::failure();
  return mlir::success();
}

} // namespace tilewright::lower
