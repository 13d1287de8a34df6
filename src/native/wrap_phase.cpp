#include "native/wrap_phase.h"

#include <cstddef>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tilewright/abi.h"
#include "llvm/ADT/StringSet.h"

namespace tilewright::native {

using namespace mlir;

namespace {

constexpr llvm::StringLiteral takes_launch = "tilewright.takes_launch";

/// Reads fields of structures that do not change while a phase runs.
class FieldLoader {
public:
  explicit FieldLoader(OpBuilder &builder, Location loc) : builder_(builder), loc_(loc) {}

  Value load(Type type, Value base, int64_t offset) {
    Value address = base;
    if (offset != 0)
      address = LLVM::GEPOp::create(builder_, loc_, base.getType(), builder_.getI8Type(), base,
                                    ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
                                    LLVM::GEPNoWrapFlags::inbounds);
    return LLVM::LoadOp::create(builder_, loc_, type, address, /*alignment=*/8,
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                /*isInvariant=*/true);
  }

private:
  OpBuilder &builder_;
  Location loc_;
};

/// Gives functions marked `tilewright.takes_launch` the launch as their first argument.
void take_launch(func::FuncOp callee) {
  SmallVector<Type> inputs{LLVM::LLVMPointerType::get(callee.getContext())};
  llvm::append_range(inputs, callee.getFunctionType().getInputs());
  callee.setFunctionType(
      FunctionType::get(callee.getContext(), inputs, callee.getFunctionType().getResults()));
}

void pass_launch(func::FuncOp function, Value launch, const llvm::StringSet<> &takers) {
  function.walk([&](func::CallOp call) {
    if (takers.contains(call.getCallee()))
      call->insertOperands(0, launch);
  });
}

LogicalResult wrap(func::FuncOp function, const llvm::StringSet<> &takers) {
  auto ranks = function->getAttrOfType<DenseI64ArrayAttr>("tilewright.view_ranks");
  if (!ranks)
    return function.emitError("a phase needs the attribute tilewright.view_ranks");
  Block &entry = function.getBody().front();
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = IntegerType::get(context, 64);

  size_t expected = 3;
  for (int64_t rank : ranks.asArrayRef()) {
    if (rank < 0 || rank > TW_MAX_RANK)
      return function.emitError("the rank of a view is not in 0 ... 8: ") << rank;
    expected += 1 + 2 * rank;
  }
  if (entry.getNumArguments() != expected)
    return function.emitError("view ranks call for ")
           << expected << " arguments, the phase has " << entry.getNumArguments();

  unsigned old_count = entry.getNumArguments();
  Location loc = function.getLoc();
  Value launch = entry.addArgument(pointer, loc);
  Value begin = entry.addArgument(i64, loc);
  Value end = entry.addArgument(i64, loc);
  Value worker = entry.addArgument(pointer, loc);

  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  FieldLoader fields(builder, loc);
  Value views;
  unsigned next = 0;
  auto replace = [&](auto make_value) {
    BlockArgument old = entry.getArgument(next++);
    if (!old.use_empty())
      old.replaceAllUsesWith(make_value(old.getType()));
  };
  auto replace_field = [&](int64_t offset) {
    replace([&](Type type) {
      if (!views)
        views = fields.load(pointer, launch, offsetof(tw_launch, views));
      return fields.load(type, views, offset);
    });
  };
  for (auto [index, rank] : llvm::enumerate(ranks.asArrayRef())) {
    int64_t view = static_cast<int64_t>(index * sizeof(tw_view));
    replace_field(view + offsetof(tw_view, data));
    for (int64_t dim = 0; dim < rank; ++dim)
      replace_field(view + offsetof(tw_view, extents) + 8 * dim);
    for (int64_t dim = 0; dim < rank; ++dim)
      replace_field(view + offsetof(tw_view, strides) + 8 * dim);
  }
  replace([&](Type) { return begin; });
  replace([&](Type) { return end; });
  replace([&](Type type) { return fields.load(type, worker, offsetof(tw_worker, workspace)); });

  if (!takers.empty())
    pass_launch(function, launch, takers);

  entry.eraseArguments(0, old_count);
  function.removeArgAttrsAttr();
  function.setFunctionType(FunctionType::get(context, {pointer, i64, i64, pointer},
                                             function.getFunctionType().getResults()));
  return success();
}

} // namespace

LogicalResult wrap_phase(ModuleOp module) {
  llvm::StringSet<> takers;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->removeAttr(takes_launch)) {
      take_launch(function);
      takers.insert(function.getName());
    }
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(wrap(function, takers)))
      return failure();
  return success();
}

} // namespace tilewright::native
