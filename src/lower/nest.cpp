#include "lower/nest.h"

#include "tile/affine.h"

namespace tilewright::lower {

namespace {

/// The axes a planned op is over, each named once.
void collect_axes(mlir::Operation *op, llvm::SmallSetVector<mlir::Attribute, 4> &axes) {
  auto add = [&](mlir::Type type) {
    if (auto tile = llvm::dyn_cast<tile::TileType>(type))
      axes.insert(tile.getAxes().begin(), tile.getAxes().end());
  };
  for (mlir::Value operand : op->getOperands())
    add(operand.getType());
  for (mlir::Value result : op->getResults())
    add(result.getType());
  if (tile::AxisOp axis = walked_axis(op))
    axes.insert(axis.getSymNameAttr());
}

} // namespace

Nest find_nest(tile::KernelOp kernel) {
  Nest nest;
  nest.kernel = kernel;
  nest.body = kernel.body();
  for (tile::ParallelOp parallel : kernel.body()->getOps<tile::ParallelOp>()) {
    nest.parallel = parallel;
    nest.body = parallel.body();
  }
  llvm::SmallSetVector<mlir::Attribute, 4> axes;
  for (mlir::Operation &op : *nest.body) {
    if (!llvm::isa<tile::LoadOp, tile::StoreOp, tile::MapOp, tile::ReduceOp>(op))
      continue;
    for (mlir::Value result : op.getResults())
      nest.maker[result] = static_cast<int>(nest.ops.size());
    nest.ops.push_back(&op);
    collect_axes(&op, axes);
  }
  if (!axes.empty())
    nest.lane_axis = tile::find_axis(kernel, llvm::cast<mlir::StringAttr>(axes.back()).getValue());
  return nest;
}

tile::AxisOp walked_axis(mlir::Operation *access) {
  auto spans = access->getAttrOfType<mlir::ArrayAttr>("spans");
  if (!spans)
    return {};
  tile::AxisOp walked;
  for (mlir::Attribute span : spans)
    if (mlir::FlatSymbolRefAttr symbol = tile::spanning_axis(span))
      walked = tile::find_axis(access, symbol.getValue());
  return walked;
}

std::optional<int64_t> distance_in_row(tile::StoreOp a, tile::StoreOp b) {
  if (a.getView() != b.getView())
    return std::nullopt;
  std::optional<tile::Affine> distance = tile::Affine();
  for (int64_t dim = 0; dim < static_cast<int64_t>(a.getSpans().size()); ++dim) {
    if (a.span(dim) != b.span(dim) || a.coordinate(dim) != b.coordinate(dim))
      return std::nullopt;
    for (auto [store, sign] : {std::pair(a, -1), {b, 1}})
      if (mlir::Value origin = store.origin(dim); origin && distance)
        distance = tile::add(*distance, tile::affine_value(origin), sign);
  }
  return distance && distance->terms.empty() ? std::optional(distance->constant) : std::nullopt;
}

bool uses_root_index(mlir::Operation *access, Nest &nest) {
  return nest.parallel && llvm::any_of(access->getOperands(), [&](mlir::Value operand) {
           auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
           return argument && argument.getOwner() == nest.body;
         });
}

} // namespace tilewright::lower
