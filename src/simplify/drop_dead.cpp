#include "simplify/drop_dead.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/tile.h"

namespace tilewright::simplify {

namespace {

void drop_unused_inputs(tile::MapOp map) {
  mlir::Block *body = map.body();
  for (unsigned i = body->getNumArguments(); i-- > 0;) {
    if (!body->getArgument(i).use_empty())
      continue;
    body->eraseArgument(i);
    map->eraseOperand(i);
  }
}

} // namespace

mlir::LogicalResult drop_dead(mlir::ModuleOp module) {
  // Uses come after what they use, so one walk backwards finds everything; bodies come before their
  // owner, so that it sees which inputs they still use. Only operations with results can be dead:
  // stores, nests and axes have none.
  module.walk<mlir::WalkOrder::PostOrder, mlir::ReverseIterator>([](mlir::Operation *op) {
    if (op->getNumResults() > 0 && mlir::isOpTriviallyDead(op))
      op->erase();
    else if (auto map = llvm::dyn_cast<tile::MapOp>(op))
      drop_unused_inputs(map);
  });
  return mlir::success();
}

} // namespace tilewright::simplify
