#include "packetize/packetize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "packetize/converter.h"

namespace tilewright::packetize {

using mlir::LogicalResult;
using mlir::success;

namespace {

mlir::func::FuncOp make_function(lane::PhaseOp phase) {
  mlir::OpBuilder builder(phase);
  mlir::Type pointer = mlir::LLVM::LLVMPointerType::get(builder.getContext());
  llvm::SmallVector<mlir::Type> inputs;
  llvm::SmallVector<int64_t> ranks;
  for (mlir::BlockArgument view : phase.views()) {
    int64_t rank = llvm::cast<tile::ViewType>(view.getType()).get_rank();
    ranks.push_back(rank);
    inputs.push_back(pointer);
    inputs.append(2 * rank, builder.getI64Type());
  }
  inputs.append(2, builder.getI64Type());
  inputs.push_back(pointer);
  auto function = mlir::func::FuncOp::create(builder, phase.getLoc(), phase.getSymName(),
                                             builder.getFunctionType(inputs, builder.getI32Type()));
  function.addEntryBlock();
  function->setAttr("tilewright.view_ranks", builder.getDenseI64ArrayAttr(ranks));
  function->setAttr("tilewright.width", builder.getI64IntegerAttr(phase.getWidth()));
  return function;
}

// The border: what may remain in a packetized function.
LogicalResult check_border(mlir::func::FuncOp function) {
  auto result = function.walk([](mlir::Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect != "lane" && dialect != "tile")
      return mlir::WalkResult::advance();
    op->emitError() << "internal: packetize left this operation";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(result.wasInterrupted());
}

LogicalResult packetize_phase(lane::PhaseOp phase) {
  Uniformity uniformity(phase);
  if (failed(uniformity.check_claims()))
    return mlir::failure();
  mlir::func::FuncOp function = make_function(phase);
  Converter converter(phase, uniformity, function);
  if (failed(converter.run()))
    return mlir::failure();
  mlir::Builder builder(function.getContext());
  function->setAttr("tilewright.workspace_bytes",
                    builder.getI64IntegerAttr(converter.workspace_bytes()));
  phase.erase();
  if (TILEWRIGHT_ASSERTIONS && failed(check_border(function)))
    return mlir::failure();
  return success();
}

} // namespace

LogicalResult packetize(mlir::ModuleOp module) {
  mlir::MLIRContext *context = module.getContext();
  context->loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                       mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  for (auto phase : llvm::make_early_inc_range(module.getOps<lane::PhaseOp>()))
    if (failed(packetize_phase(phase)))
      return mlir::failure();
  return success();
}

LogicalResult annotate_uniformity(mlir::ModuleOp module) {
  mlir::Builder builder(module.getContext());
  for (auto phase : module.getOps<lane::PhaseOp>()) {
    Uniformity uniformity(phase);
    if (failed(uniformity.check_claims()))
      return mlir::failure();
    auto annotate = [&](mlir::Operation *op, llvm::StringRef name, mlir::ValueRange values) {
      llvm::SmallVector<mlir::Attribute> texts;
      for (mlir::Value value : values)
        texts.push_back(builder.getStringAttr(uniformity.of(value).text()));
      if (!texts.empty())
        op->setAttr(name, builder.getArrayAttr(texts));
    };
    phase.walk([&](mlir::Operation *op) {
      if (op == phase)
        return;
      annotate(op, "tilewright.spread", op->getResults());
      if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op))
        annotate(op, "tilewright.carried", loop.getRegionIterArgs());
    });
  }
  return success();
}

} // namespace tilewright::packetize
