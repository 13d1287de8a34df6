// Gives phase functions the binary interface of tilewright/abi.h.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::native {

/// Before: functions whose arguments are, for each view in order, `!llvm.ptr` data, then its
/// extents and its strides (i64 each, as many as `tilewright.view_ranks` says), and last i64 begin,
/// i64 end,
/// `!llvm.ptr` workspace. Declarations with the attribute `tilewright.takes_launch` lack their
/// first parameter, the launch, and so do the calls of them. After: functions `(launch: !llvm.ptr,
/// begin: i64, end: i64, worker: !llvm.ptr) -> i32`, which is tw_phase; what the body uses of the
/// views and the workspace is loaded at entry, marked invariant. Declarations and calls are
/// complete.
mlir::LogicalResult wrap_phase(mlir::ModuleOp module);

} // namespace tilewright::native
