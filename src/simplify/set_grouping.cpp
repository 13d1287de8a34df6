#include "simplify/set_grouping.h"

#include "tile/tile.h"

namespace tilewright::simplify {

namespace {

/// Whether `axis` spans the last dimension of a view that elements of `value` come from.
bool runs_along_rows(mlir::Value value, mlir::StringAttr axis) {
  mlir::Operation *op = value.getDefiningOp();
  if (auto load = llvm::dyn_cast_or_null<tile::LoadOp>(op)) {
    int64_t rank = load.getView().getType().get_rank();
    mlir::FlatSymbolRefAttr span = rank > 0 ? load.span(rank - 1) : mlir::FlatSymbolRefAttr();
    return span && span.getAttr() == axis;
  }
  auto map = llvm::dyn_cast_or_null<tile::MapOp>(op);
  return map && llvm::any_of(map.getInputs(),
                             [&](mlir::Value input) { return runs_along_rows(input, axis); });
}

} // namespace

mlir::LogicalResult set_grouping(mlir::ModuleOp module) {
  module.walk([](tile::ReduceOp reduce) {
    if (reduce.getOrder() != tile::ReduceOrder::unordered || reduce.getGrouping())
      return;
    auto innermost = llvm::cast<mlir::FlatSymbolRefAttr>(reduce.getAxes().getValue().back());
    bool along_rows = llvm::any_of(reduce.getInputs(), [&](mlir::Value input) {
      return runs_along_rows(input, innermost.getAttr());
    });
    reduce.setGroupingAttr(
        tile::GroupingAttr::get(reduce.getContext(), along_rows ? row_slots : other_slots));
  });
  return mlir::success();
}

} // namespace tilewright::simplify
