// Vector IR to LLVM: first MLIR's LLVM dialect, then LLVM's own IR.
#pragma once

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "native/target.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tilewright::native {

/// Before: phases with their final signature, in scf, cf, func, arith, math, index, ub, vector and
/// the LLVM dialect. After: the LLVM dialect alone, by one dialect conversion.
mlir::LogicalResult to_llvm(mlir::ModuleOp module);

/// The module as LLVM IR whose functions carry `target` (processor, features, tuning, width of
/// registers), nounwind, and sanitize_address where asked for; `data_layout` is the target's. No
/// debug locations. Null, with an error emitted, when an operation has no translation.
std::unique_ptr<llvm::Module> to_llvm_ir(mlir::ModuleOp module, llvm::LLVMContext &context,
                                         const Target &target, const std::string &data_layout,
                                         bool sanitize_address);

} // namespace tilewright::native
