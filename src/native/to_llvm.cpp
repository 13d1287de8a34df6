#include "native/to_llvm.h"

#include <numeric>

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace tilewright::native {

using namespace mlir;

namespace {

/// A mask of the first lanes as a comparison of 32-bit lane numbers. The count is clamped first, so
/// that every 64-bit count gives the right mask.
struct MaskByComparison : OpRewritePattern<vector::CreateMaskOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::CreateMaskOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getType();
    if (type.getRank() != 1 || type.isScalable())
      return failure();
    Location loc = op.getLoc();
    int32_t width = static_cast<int32_t>(type.getNumElements());
    SmallVector<int32_t> numbers(width);
    std::iota(numbers.begin(), numbers.end(), 0);
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    Value count = op.getOperand(0);
    count = arith::MaxSIOp::create(rewriter, loc, count, index(0));
    count = arith::MinSIOp::create(rewriter, loc, count, index(width));
    count = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), count);
    Value lanes = arith::ConstantOp::create(rewriter, loc, rewriter.getI32VectorAttr(numbers));
    Value counts = vector::BroadcastOp::create(rewriter, loc, lanes.getType(), count);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, arith::CmpIPredicate::sgt, counts, lanes);
    return success();
  }
};

} // namespace

LogicalResult to_llvm(ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect>();
  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter converter(context, options);

  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorStepLoweringPatterns(patterns);
  patterns.add<MaskByComparison>(context);
  vector::populateVectorInterleaveToShufflePatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);

  LLVMConversionTarget legal(*context);
  legal.addLegalOp<ModuleOp>();
  ConversionConfig config;
  config.foldingMode = DialectConversionFoldingMode::Never;
  return applyFullConversion(module, legal, std::move(patterns), config);
}

std::unique_ptr<llvm::Module> to_llvm_ir(ModuleOp module, llvm::LLVMContext &context,
                                         const Target &target, const std::string &data_layout,
                                         bool sanitize_address) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  module->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  StringAttr::get(module.getContext(), data_layout));
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, "kernel", /*disableVerification=*/true);
  if (!result)
    return nullptr;
  result->setTargetTriple(llvm::Triple(target.triple));
  for (llvm::Function &function : *result) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("tune-cpu", target.tune);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width", std::to_string(8 * target.register_bytes));
    function.addFnAttr("no-trapping-math", "true");
    if (sanitize_address)
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
  }
  return result;
}

} // namespace tilewright::native
