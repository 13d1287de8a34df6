// What planning needs to know about a kernel, taken from tile IR.
//
// Before: a verified kernel after `simplify`, every unordered reduction grouped.
// After: a summary of its one root nest (a `tile.parallel` of the kernel, or the whole kernel as
// one program): loads, stores, maps and reductions in program order. The kernel is unchanged.
#pragma once

#include "plan/summary.h"
#include "tile/tile.h"

namespace tilewright::plan {

/// Fails, with a message at the op, on a kernel that has work outside its only root nest.
mlir::LogicalResult extract(tile::KernelOp kernel, KernelSummary &summary);

} // namespace tilewright::plan
