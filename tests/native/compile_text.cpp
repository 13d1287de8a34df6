#include "compile_text.h"

#include <gtest/gtest.h>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

namespace tilewright::native {

Result<NativeCode> compile_text(const std::string &text, const Target &target,
                                const NativeOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context
      .loadDialect<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                   mlir::index::IndexDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                   mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return Error{ErrorKind::internal, "the test's vector IR does not parse", {}};
  return generate(*module, target, options);
}

NativeCode compile_for(const std::string &isa, const std::string &text,
                       const NativeOptions &options) {
  auto target = named(isa);
  if (!target) {
    ADD_FAILURE() << target.error().message();
    return {};
  }
  auto code = compile_text(text, *target, options);
  if (!code) {
    ADD_FAILURE() << code.error().message();
    return {};
  }
  return *code;
}

} // namespace tilewright::native
