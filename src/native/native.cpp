#include "native/native.h"

#include <chrono>

#include "mlir/IR/Diagnostics.h"
#include "native/compile_object.h"
#include "native/jit.h"
#include "native/math/expand_math.h"
#include "native/to_llvm.h"
#include "native/wrap_phase.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::native {

namespace {

template <typename IR>
std::string print(const IR &ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  ir.print(stream, nullptr);
  return text;
}

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// Times stages, shows their results to who asked, and says when to stop.
class Progress {
public:
  Progress(const NativeOptions &options, std::vector<StageTime> &times)
      : options_(options), times_(times), since_(Clock::now()) {}

  /// Ends the stage `name`; `text` makes the IR that it leaves. True: stop here.
  template <typename MakeText>
  bool done(const char *name, MakeText text) {
    std::chrono::duration<double, std::milli> spent = Clock::now() - since_;
    times_.push_back({name, spent.count()});
    if (options_.after_stage)
      options_.after_stage(name, text());
    since_ = Clock::now();
    return options_.stop_after == name;
  }

private:
  using Clock = std::chrono::steady_clock;
  const NativeOptions &options_;
  std::vector<StageTime> &times_;
  Clock::time_point since_;
};

} // namespace

std::vector<std::string> stage_names() {
  return {"expand_math", "wrap_phase", "to_llvm", "llvm", "optimize", "asm", "link"};
}

Result<NativeCode> generate(mlir::ModuleOp module, const Target &target,
                            const NativeOptions &options) {
  std::string diagnosed;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && diagnosed.empty())
      diagnosed = diagnostic.str();
    return mlir::success();
  });
  auto broken = [&](const char *stage) {
    return Error{ErrorKind::internal, std::string(stage) + ": " + diagnosed, {}};
  };

  NativeCode code;
  Progress progress(options, code.times);
  auto mlir_text = [&] { return print(module); };

  if (mlir::failed(expand_math(module, target, code.notes)))
    return broken("expand_math");
  if (progress.done("expand_math", mlir_text))
    return code;
  if (mlir::failed(wrap_phase(module)))
    return broken("wrap_phase");
  if (progress.done("wrap_phase", mlir_text))
    return code;
  if (mlir::failed(to_llvm(module)))
    return broken("to_llvm");
  if (progress.done("to_llvm", mlir_text))
    return code;

  auto generator = CodeGenerator::borrow(target);
  if (!generator)
    return generator.error();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> llvm_module =
      to_llvm_ir(module, context, target, generator->data_layout(), options.sanitize_address);
  if (!llvm_module)
    return broken("llvm");
  auto llvm_text = [&] { return print(*llvm_module); };
  if (progress.done("llvm", llvm_text))
    return code;
  generator->optimize(*llvm_module);
  if (progress.done("optimize", llvm_text))
    return code;

  std::string assembly;
  if (options.after_stage) {
    auto text = generator->assembly(*llvm_module);
    if (!text)
      return text.error();
    assembly = std::move(*text);
  }
  auto object = generator->object(*llvm_module);
  if (!object)
    return object.error();
  code.object = std::move(*object);
  if (progress.done("asm", [&] { return assembly; }))
    return code;

  if (options.link && runs_here(target)) {
    auto linked = link(code.object);
    if (!linked)
      return linked.error();
    code.symbols = std::move(linked->symbols);
    code.keep_alive = std::move(linked->keep_alive);
  }
  progress.done("link",
                [&] { return "linked " + std::to_string(code.symbols.size()) + " phases"; });
  return code;
}

} // namespace tilewright::native
