#include "compile_lanes.h"

#include <cstdlib>
#include <gtest/gtest.h>

#include "lane/lane.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "packetize/packetize.h"

namespace tilewright::packetize {

void LaneProgram::compile(std::string text, int64_t width) {
  const std::string number = std::to_string(width);
  for (size_t at = text.find("$W"); at != std::string::npos; at = text.find("$W", at))
    text.replace(at, 2, number);

  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context
      .loadDialect<tile::TileDialect, lane::LaneDialect, mlir::arith::ArithDialect,
                   mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                   mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  ASSERT_TRUE(mlir::succeeded(packetize(*module)));
  ASSERT_TRUE(mlir::succeeded(mlir::verify(*module)));
  for (mlir::Operation &op : *module->getBody())
    if (auto bytes = op.getAttrOfType<mlir::IntegerAttr>("tilewright.workspace_bytes"))
      workspace_bytes_ = std::max(workspace_bytes_, bytes.getInt());
  auto target = native::named("");
  ASSERT_TRUE(target) << target.error().message();
  auto code = native::generate(*module, *target, {});
  ASSERT_TRUE(code) << code.error().message();
  code_ = *code;
}

tw_status LaneProgram::run(const std::string &phase, const std::vector<tw_view> &views,
                           int64_t programs) {
  auto found = code_.symbols.find(phase);
  if (found == code_.symbols.end()) {
    ADD_FAILURE() << "no phase is called " << phase;
    return -1;
  }
  tw_launch launch{views.data(), static_cast<int64_t>(views.size())};
  void *workspace = workspace_bytes_ == 0
                        ? nullptr
                        : std::aligned_alloc(64, static_cast<size_t>(workspace_bytes_));
  tw_worker worker{workspace, workspace_bytes_};
  tw_status status = reinterpret_cast<tw_phase>(found->second)(&launch, 0, programs, &worker);
  std::free(workspace);
  return status;
}

} // namespace tilewright::packetize
