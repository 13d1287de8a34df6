#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Removes operations of kernels whose results nobody uses, loads among them, and inputs of maps
/// that their bodies do not use. Axes stay: they say which extents a launch has to check.
mlir::LogicalResult drop_dead(mlir::ModuleOp module);

} // namespace tilewright::simplify
