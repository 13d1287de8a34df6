// Tile IR with its plans -> lane IR. Obeys the plan and decides nothing.
//
// Before: one tile.kernel with the attributes `tile.plan` and, where that plan has a guard and the
// safe body is to live in the same object, `tile.safe_plan`; both admitted (plan/admit.h);
// simplified, every unordered reduction grouped.
// After: one lane.phase in its place, with the same symbol and no operation of the tile dialect.
// Where a guard fails it runs the safe body if it has one, else nothing.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::lower {

mlir::LogicalResult lower_to_lanes(mlir::ModuleOp module);

} // namespace tilewright::lower
