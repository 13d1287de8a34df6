// Proves blocks inside of their views.
//
// Before: verified tile IR, scalars folded.
// After: a block that lies inside of its view for every launch, by the extents and the ranges of
// the nests' indices in its origin, has bounds `assume`, so that its accesses need no test. A load
// without a block that is tested has no fill.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

mlir::LogicalResult prove_blocks(mlir::ModuleOp module);

} // namespace tilewright::simplify
