// packetize: lane IR becomes vector IR.
//
// Before: a module of `lane.phase` operations (`scf`, `arith`, `math` and `lane` on scalars).
// After: every phase is a `func.func` of the same name and in the same place,
//
//   (per view: data : !llvm.ptr, extents : i64 x rank, strides : i64 x rank (in elements),
//    begin : i64, end : i64, workspace : !llvm.ptr, 64-byte aligned) -> i32, the tw_status,
//
// with the attributes `tilewright.view_ranks`, `tilewright.workspace_bytes`, `tilewright.width`.
// Its body is `scf`, `arith` and `math` on scalars and vectors of `width` lanes, `vector`, and
// `llvm` for memory; `index` has become `i64`. Guards call `@tw_views_apart`, declared beside the
// phases with the attribute `tilewright.takes_launch`: its first argument, the launch, is filled in
// by the native stage, which knows it. No `lane` or `tile` operation remains. The order of
// effects and every bit of a result are those of the lanes run one by one.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::packetize {

mlir::LogicalResult packetize(mlir::ModuleOp module);

/// For tests: writes what the uniformity analysis found onto the operations of every phase, as
/// `tilewright.spread` (results) and `tilewright.carried` (a loop's carried values), and checks the
/// access classes that the plan claimed.
mlir::LogicalResult annotate_uniformity(mlir::ModuleOp module);

} // namespace tilewright::packetize
