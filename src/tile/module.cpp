// Tile modules: the context they live in, their text form, and reading it back.
#include "tile/module.h"

#include <mutex>

#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/ThreadLocalCache.h"
#include "support/fork.h"
#include "llvm/Support/raw_ostream.h"

// The declarations of the dialects alone: the headers of their operations take 20 s to compile, and
// nothing here builds an operation.
#include "mlir/Dialect/Arith/IR/ArithOpsDialect.h.inc"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOpsDialect.h.inc"
#include "mlir/Dialect/Func/IR/FuncOpsDialect.h.inc"
#include "mlir/Dialect/Index/IR/IndexOpsDialect.h.inc"
#include "mlir/Dialect/LLVMIR/LLVMOpsDialect.h.inc"
#include "mlir/Dialect/Math/IR/MathOpsDialect.h.inc"
#include "mlir/Dialect/SCF/IR/SCFOpsDialect.h.inc"
#include "mlir/Dialect/UB/IR/UBOpsDialect.h.inc"
#include "mlir/Dialect/Vector/IR/VectorDialect.h.inc"

#include "lane_dialect.h.inc"

namespace tilewright {

namespace {

constexpr int loans_of_a_context = 32;
constexpr size_t idle_contexts = 4; // more than that are not kept

struct Pool {
  std::mutex mutex;
  std::vector<ContextLoan> idle;
};

Pool &pool() {
  static auto *pools = new PerProcess<Pool>; // never destroyed: threads may compile during exit
  return pools->get();
}

} // namespace

void ContextReturn::operator()(mlir::MLIRContext *context) const {
  if (uses < loans_of_a_context) {
    std::scoped_lock lock(pool().mutex);
    if (pool().idle.size() < idle_contexts) {
      pool().idle.emplace_back(context, ContextReturn{uses});
      return;
    }
  }
  delete context;
}

ContextLoan make_context() {
  {
    std::scoped_lock lock(pool().mutex);
    std::vector<ContextLoan> &idle = pool().idle;
    if (!idle.empty()) {
      ContextLoan loan = std::move(idle.back());
      idle.pop_back();
      ++loan.get_deleter().uses;
      return loan;
    }
  }
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, lane::LaneDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::index::IndexDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::ub::UBDialect, mlir::vector::VectorDialect>();
  ContextLoan context(new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED),
                      ContextReturn{1});
  context->loadAllAvailableDialects();
  return context;
}

SourceLine source_line(mlir::Location location) {
  SourceLine where;
  location->walk([&](mlir::Location part) {
    auto line = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    if (!line)
      return mlir::WalkResult::advance();
    where = {line.getFilename().str(), static_cast<int>(line.getLine())};
    return mlir::WalkResult::interrupt();
  });
  return where;
}

namespace {

/// The text on one line, without a final full stop or line break.
std::string one_line(std::string text) {
  std::string line;
  for (char c : text)
    line += c == '\n' ? ' ' : c;
  while (!line.empty() && line.back() == ' ')
    line.pop_back();
  return line;
}

/// Reports that the module does not hold exactly one kernel, if it does not.
Status check_one_kernel(mlir::ModuleOp module, const std::string &name) {
  tile::KernelOp first;
  for (mlir::Operation &op : *module.getBody()) {
    auto kernel = llvm::dyn_cast<tile::KernelOp>(op);
    if (!kernel)
      return Error{ErrorKind::user,
                   "the file holds '" + op.getName().getStringRef().str() +
                       "' outside of the kernel; move it into the kernel or remove it",
                   source_line(op.getLoc())};
    if (first)
      return Error{ErrorKind::user,
                   "the file holds a second kernel, @" + kernel.getSymName().str() + " after @" +
                       first.getSymName().str() + "; keep one kernel per file",
                   source_line(op.getLoc())};
    first = kernel;
  }
  if (!first)
    return Error{ErrorKind::user,
                 "the file holds no kernel; write tile.kernel @name(...) { ... }",
                 {name, 1}};
  return {};
}

ElementType element_type_of(mlir::Type type) {
  if (type.isF32())
    return ElementType::f32;
  if (type.isF64())
    return ElementType::f64;
  bool is_unsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::boolean;
  case 8:
    return is_unsigned ? ElementType::u8 : ElementType::i8;
  case 16:
    return is_unsigned ? ElementType::u16 : ElementType::i16;
  case 32:
    return is_unsigned ? ElementType::u32 : ElementType::i32;
  default:
    return is_unsigned ? ElementType::u64 : ElementType::i64;
  }
}

} // namespace

tile::KernelOp TileModule::Content::kernel() const {
  auto kernels = mlir::ModuleOp(module.get()).getOps<tile::KernelOp>();
  assert(!kernels.empty() && "a tile module holds one kernel");
  return *kernels.begin();
}

TileModule::TileModule(std::unique_ptr<Content> content) : content_(std::move(content)) {}
TileModule::TileModule(TileModule &&) noexcept = default;
TileModule &TileModule::operator=(TileModule &&) noexcept = default;
TileModule::~TileModule() = default;

std::string TileModule::kernel_name() const { return content_->kernel().getSymName().str(); }

std::vector<Parameter> TileModule::parameters() const {
  std::vector<Parameter> parameters;
  for (mlir::BlockArgument argument : content_->kernel().views()) {
    auto view = llvm::cast<tile::ViewType>(argument.getType());
    parameters.push_back({element_type_of(view.getElementType()), static_cast<int>(view.get_rank()),
                          view.getReadOnly()});
  }
  return parameters;
}

std::string TileModule::text() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  content_->kernel()->print(stream);
  stream << '\n';
  return text;
}

Result<TileModule> parse_tile(const std::string &text, const std::string &name) {
  auto content = std::make_unique<TileModule::Content>();
  content->context = make_context();
  std::optional<Error> first_error;
  mlir::ScopedDiagnosticHandler handler(content->context.get(), [&](mlir::Diagnostic &diagnostic) {
    if (!first_error && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      first_error =
          Error{ErrorKind::user, one_line(diagnostic.str()), source_line(diagnostic.getLocation())};
    return mlir::success();
  });
  mlir::ParserConfig config(content->context.get(), /*verifyAfterParse=*/true);
  content->module = mlir::parseSourceString<mlir::ModuleOp>(text, config, name);
  if (!content->module)
    return first_error.value_or(Error{ErrorKind::user, "this is not tile IR", {name, 1}});
  if (Status status = check_one_kernel(*content->module, name); !status)
    return status.error();
  return TileModule(std::move(content));
}

} // namespace tilewright
