#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::simplify {

/// Merges a map into the only operation that uses it, when that is a map over the same axes in the
/// same block, or a reduction in the same block whose inputs stay over one list of axes. The same
/// scalar operations run on the same values in the same order, so no bit changes. After it a map is
/// left only where its result is stored, used more than once, or met by other axes.
mlir::LogicalResult merge_maps(mlir::ModuleOp module);

} // namespace tilewright::simplify
