// Tile IR with its plans -> lane IR. Obeys the plan and decides nothing.
//
// Before: one tile.kernel with the attributes `tile.plan` and, where that plan has a guard,
// `tile.safe_plan`; both admitted (plan/admit.h); simplified, every unordered reduction grouped.
// After: one lane.phase in its place, with the same symbol and no operation of the tile dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::lower {

mlir::LogicalResult lower_to_lanes(mlir::ModuleOp module);

} // namespace tilewright::lower
