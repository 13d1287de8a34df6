#include "simplify/prove_blocks.h"

#include "tile/affine.h"

namespace tilewright::simplify {

namespace {

/// Whether a block of the access is still tested.
template <typename Access>
bool prove(Access access) {
  bool tested = false;
  llvm::SmallVector<mlir::Attribute> spans(access.getSpans().getValue());
  for (auto [dim, span] : llvm::enumerate(spans)) {
    tile::BlockAttr block = access.block(dim);
    if (!block || block.getBounds() == tile::Bounds::assume)
      continue;
    tile::AxisOp axis = tile::find_axis(access, block.getAxis().getValue());
    tile::BlockProof proof = tile::prove_block(access.getView(), dim, axis, access.origin(dim));
    if (proof.starts_inside && proof.ends_inside)
      span = tile::BlockAttr::get(access.getContext(), block.getAxis(), tile::Bounds::assume);
    else
      tested = true;
  }
  access.setSpansAttr(mlir::ArrayAttr::get(access.getContext(), spans));
  return tested;
}

} // namespace

mlir::LogicalResult prove_blocks(mlir::ModuleOp module) {
  module.walk([](mlir::Operation *op) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
      if (!prove(load))
        load.removeFillAttr();
    } else if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
      prove(store);
    }
  });
  return mlir::success();
}

} // namespace tilewright::simplify
