#include "lower/program_emitter.h"

#include "lower/loop_emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tile/affine.h"

namespace tilewright::lower {

namespace {

bool walks(mlir::Operation *op) {
  if (walked_axis(op))
    return true;
  return llvm::isa<tile::MapOp, tile::ReduceOp>(op);
}

} // namespace

ProgramEmitter::ProgramEmitter(mlir::OpBuilder &builder, IndexMath &index, Nest &nest,
                               const plan::Plan &plan, mlir::ValueRange views)
    : builder_(builder), nest_(nest), plan_(plan), location_(nest.kernel.getLoc()), index_(index),
      flat_(plan.mapping == plan::Mapping::flat) {
  llvm::DenseSet<mlir::Value> accessed;
  for (mlir::Operation *op : nest.ops)
    accessed.insert(op->operand_begin(), op->operand_end());
  for (auto [parameter, view] : llvm::zip(nest.kernel.views(), views)) {
    auto type = llvm::cast<tile::ViewType>(view.getType());
    // Views that only lend their extents need not be packed.
    if (!flat_ || !accessed.contains(parameter)) {
      scalars_.map(parameter, view);
      continue;
    }
    auto row = tile::ViewType::get(type.getContext(), mlir::ShapedType::kDynamic,
                                   type.getElementType(), 0, type.getReadOnly(), true);
    scalars_.map(parameter, lane::FlattenOp::create(builder_, location_, row, view));
  }
}

void ProgramEmitter::allocate_private_arrays() {
  private_arrays_.resize(flat_ ? 1 : plan_.programs_per_step);
  // Masked packets of an aligned loop may start at any element.
  bool past_the_end = llvm::any_of(plan_.loops, [](const plan::LoopPlan &loop) {
    return loop.align_stores && loop.tail != plan::Tail::overlapped;
  });
  for (const plan::EdgePlan &edge : plan_.edges) {
    if (edge.source != plan::Source::keep)
      continue;
    mlir::Value kept = nest_.ops[edge.value]->getResult(0);
    int64_t extent = nest_.lane_axis.get_extent() + (past_the_end ? plan_.width - 1 : 0);
    auto type =
        lane::PrivateArrayType::get(builder_.getContext(), (extent + plan_.width - 1) / plan_.width,
                                    tile::element_type(kept.getType()));
    for (auto &arrays : private_arrays_)
      if (!arrays.contains(kept))
        arrays[kept] = lane::PrivateOp::create(builder_, location_, type);
  }
}

mlir::Value ProgramEmitter::axis_extent(tile::AxisOp axis) {
  if (!mlir::ShapedType::isDynamic(axis.get_extent()))
    return index_.constant(axis.get_extent());
  // A flattened view has lost its extents: ask the phase's own view.
  mlir::Value view = lane_view(axis.getView());
  if (auto flatten = view.getDefiningOp<lane::FlattenOp>())
    view = flatten.getView();
  return lane::ExtentOp::create(builder_, location_, view, axis.getDim());
}

mlir::Value ProgramEmitter::scalar(Program &program, mlir::Value value) {
  if (mlir::Value known = program.scalars.lookupOrNull(value))
    return known;
  mlir::Operation *op = value.getDefiningOp();
  assert(op && "every root index is mapped before its use");
  if (auto extent = llvm::dyn_cast<tile::ExtentOp>(op)) {
    mlir::Value emitted = axis_extent(tile::find_axis(op, extent.getAxis()));
    program.scalars.map(value, emitted);
    return emitted;
  }
  assert(!llvm::isa<tile::TileDialect>(op->getDialect()) && "made by a loop that has run");
  for (mlir::Value operand : op->getOperands())
    scalar(program, operand);
  mlir::Operation *clone = builder_.clone(*op, program.scalars);
  return clone->getResult(0);
}

void ProgramEmitter::prepare_scalars(Program &program, mlir::Operation *op) {
  op->walk([&](mlir::Operation *inner) {
    // In the flat mapping an access is at its element's number; there are no coordinates.
    if (flat_ && llvm::isa<tile::LoadOp, tile::StoreOp>(inner))
      return;
    for (mlir::Value operand : inner->getOperands()) {
      if (llvm::isa<tile::TileType, tile::ViewType>(operand.getType()))
        continue;
      if (op->isAncestor(operand.getParentBlock()->getParentOp()))
        continue;
      scalar(program, operand);
    }
  });
  if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
    prepare_block(program, load);
  else if (auto store = llvm::dyn_cast<tile::StoreOp>(op))
    prepare_block(program, store);
}

template <typename Access>
void ProgramEmitter::prepare_block(Program &program, Access access) {
  namespace arith = mlir::arith;
  for (int64_t dim = 0; dim < static_cast<int64_t>(access.getSpans().size()); ++dim) {
    tile::BlockAttr block = access.block(dim);
    if (!block || block.getBounds() == tile::Bounds::assume || program.inside.contains(access))
      continue;
    tile::AxisOp axis = tile::find_axis(access, block.getAxis().getValue());
    tile::BlockProof proof = tile::prove_block(access.getView(), dim, axis, access.origin(dim));
    if (proof.starts_inside && proof.ends_inside)
      continue;

    mlir::Location location = access.getLoc();
    mlir::Value origin = scalar(program, access.origin(dim));
    auto points = [&](mlir::Value from, mlir::Value to) {
      return points_between(builder_, index_, location, from, to, axis_extent(axis));
    };
    InsidePoints inside;
    if (!proof.starts_inside)
      inside.first = points(origin, index_.constant(0));
    if (!proof.ends_inside) {
      int64_t known = access.getView().getType().getShape()[dim];
      mlir::Value extent =
          mlir::ShapedType::isDynamic(known)
              ? lane::ExtentOp::create(builder_, location, lane_view(access.getView()), dim)
                    .getResult()
              : index_.constant(known);
      inside.last = points(origin, extent);
    }
    if constexpr (std::is_same_v<Access, tile::LoadOp>) {
      mlir::Type element = access.getView().getType().getElementType();
      mlir::TypedAttr fill = access.getFillAttr();
      inside.fill = arith::ConstantOp::create(builder_, location,
                                              fill ? fill : builder_.getZeroAttr(element));
    }
    program.inside[access] = inside;
  }
}

void ProgramEmitter::emit_scalar_accesses(llvm::MutableArrayRef<Program> programs, int limit) {
  for (; next_scalar_access_ < limit; ++next_scalar_access_) {
    mlir::Operation *op = nest_.ops[next_scalar_access_];
    if (walks(op))
      continue;
    for (Program &program : programs) {
      auto coordinates = [&](mlir::OperandRange from) {
        llvm::SmallVector<mlir::Value> to;
        for (mlir::Value value : from)
          to.push_back(scalar(program, value));
        return to;
      };
      if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
        mlir::Value loaded = lane::LoadOp::create(
            builder_, op->getLoc(), load.getResult().getType(), lane_view(load.getView()),
            coordinates(load.getCoordinates()), lane::Access::uniform);
        program.scalars.map(load.getResult(), loaded);
        continue;
      }
      auto store = llvm::cast<tile::StoreOp>(op);
      mlir::Value value = scalar(program, store.getValue());
      lane::StoreOp::create(builder_, op->getLoc(), value, lane_view(store.getView()),
                            coordinates(store.getCoordinates()), lane::Access::uniform,
                            /*step_down=*/false, /*aligned=*/false, /*nontemporal=*/false);
    }
  }
}

Program ProgramEmitter::program(mlir::Value number) {
  Program program;
  if (!nest_.parallel)
    return program;
  // The number counts the root axes' points in row-major order.
  auto axes = llvm::to_vector(nest_.parallel.getAxes().getAsRange<mlir::FlatSymbolRefAttr>());
  mlir::Value rest = number;
  program.coordinates.resize(axes.size());
  for (size_t dim = axes.size(); dim-- > 1;) {
    mlir::Value extent = axis_extent(tile::find_axis(nest_.kernel, axes[dim].getValue()));
    program.coordinates[dim] = index_.mod(rest, extent);
    rest = index_.div(rest, extent);
  }
  program.coordinates[0] = rest;
  for (auto [parameter, coordinate] : llvm::zip(nest_.body->getArguments(), program.coordinates))
    program.scalars.map(parameter, coordinate);
  return program;
}

void ProgramEmitter::emit_programs(llvm::ArrayRef<mlir::Value> numbers) {
  llvm::SmallVector<Program> programs;
  for (auto [i, number] : llvm::enumerate(numbers)) {
    programs.push_back(program(number));
    programs.back().kept = private_arrays_[i];
  }
  emit_loops(programs, nest_.lane_axis ? axis_extent(nest_.lane_axis) : mlir::Value());
}

void ProgramEmitter::emit_overlapped(mlir::Value begin, mlir::Value end) {
  namespace arith = mlir::arith;
  namespace scf = mlir::scf;
  const plan::LoopPlan &first_loop = plan_.loops.front();
  llvm::SmallVector<mlir::Value> carried; // in tile IR
  for (int op : first_loop.ops)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(nest_.ops[op]))
      carried.append(reduce->result_begin(), reduce->result_end());
  auto results = [&](Program &program) {
    llvm::SmallVector<mlir::Value> values;
    for (mlir::Value value : carried)
      values.push_back(program.scalars.lookup(value));
    return values;
  };

  mlir::OpBuilder::InsertionGuard guard(builder_);
  mlir::Value any =
      arith::CmpIOp::create(builder_, location_, arith::CmpIPredicate::slt, begin, end);
  auto branch = scf::IfOp::create(builder_, location_, any, /*withElseRegion=*/false);
  builder_.setInsertionPointToStart(branch.thenBlock());
  mlir::Value extent = axis_extent(nest_.lane_axis);
  mlir::Value last = index_.sub(end, index_.constant(1));
  llvm::SmallVector<Program, 1> start(1, program(begin));
  prepare_scalars(start, first_loop);
  LoopEmitter(*this, first_loop, start, extent).emit();

  auto loop = scf::ForOp::create(builder_, location_, begin, end, index_.constant(1),
                                 results(start.front()));
  builder_.setInsertionPointToStart(loop.getBody());
  mlir::Value number = loop.getInductionVar();
  llvm::SmallVector<Program, 1> these(1, program(number));
  these.front().kept = private_arrays_.front();
  for (auto [value, known] : llvm::zip(carried, loop.getRegionIterArgs()))
    these.front().scalars.map(value, known);
  Program next = program(
      arith::MinSIOp::create(builder_, location_, index_.add(number, index_.constant(1)), last));
  emit_loops(these, extent, 1, &next);
  if (!carried.empty())
    scf::YieldOp::create(builder_, location_, results(next));
}

void ProgramEmitter::emit_flat(mlir::Value begin, mlir::Value end) {
  mlir::Value row = index_.constant(1);
  for (mlir::Operation *op : nest_.ops) {
    auto store = llvm::dyn_cast<tile::StoreOp>(op);
    if (!store)
      continue;
    for (mlir::Attribute span : store.getSpans())
      if (auto symbol = llvm::dyn_cast<mlir::FlatSymbolRefAttr>(span))
        row = index_.mul(row, axis_extent(tile::find_axis(op, symbol.getValue())));
    break;
  }
  flat_base_.assign(1, index_.mul(begin, row));
  llvm::SmallVector<Program> all(1);
  emit_loops(all, index_.mul(index_.sub(end, begin), row));
}

void ProgramEmitter::prepare_scalars(llvm::MutableArrayRef<Program> programs,
                                     const plan::LoopPlan &loop) {
  for (Program &program : programs) {
    for (int op : loop.ops)
      prepare_scalars(program, nest_.ops[op]);
    for (const plan::EdgePlan &edge : plan_.edges)
      if (edge.source != plan::Source::keep && &plan_.loops[edge.loop] == &loop)
        prepare_scalars(program, nest_.ops[edge.value]);
  }
}

void ProgramEmitter::emit_loops(llvm::MutableArrayRef<Program> programs, mlir::Value extent,
                                size_t first, Program *next) {
  next_scalar_access_ = 0;
  for (const plan::LoopPlan &loop : llvm::ArrayRef(plan_.loops).drop_front(first)) {
    emit_scalar_accesses(programs, loop.ops.front());
    prepare_scalars(programs, loop);
    LoopEmitter emitter(*this, loop, programs, extent);
    if (!next || &loop != &plan_.loops.back()) {
      emitter.emit();
      continue;
    }
    llvm::MutableArrayRef<Program> ahead(*next);
    prepare_scalars(ahead, plan_.loops.front());
    LoopEmitter beside(*this, plan_.loops.front(), ahead, extent);
    emitter.emit(&beside);
  }
  emit_scalar_accesses(programs, static_cast<int>(nest_.ops.size()));
}

} // namespace tilewright::lower
