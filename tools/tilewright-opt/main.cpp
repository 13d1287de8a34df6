// IR in, the IR of any stage out: the developer's tool, for lit tests and for reading dumps.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <sstream>

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/ToolUtilities.h"
#include "packetize/packetize.h"
#include "pipeline_passes.h"
#include "tile/module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace {

struct Settings {
  std::vector<std::string> run;
  std::string stop_after;
  bool verify_diagnostics = false;
  bool split_input = false;
  tilewright::CompileOptions compile;
};

/// Native stages work on text that is no longer MLIR: they run through compile().
mlir::LogicalResult run_whole_pipeline(const std::string &text, const Settings &settings,
                                       llvm::raw_ostream &out) {
  auto module = tilewright::parse_tile(text, "input");
  if (!module) {
    llvm::errs() << module.error().message() << '\n';
    return mlir::failure();
  }
  std::string last;
  tilewright::CompileOptions options = settings.compile;
  options.stop_after = settings.stop_after;
  options.after_stage = [&](const std::string &, const std::string &stage) { last = stage; };
  auto compiled = tilewright::compile(std::move(*module), options);
  if (!compiled) {
    llvm::errs() << compiled.error().message() << '\n';
    return mlir::failure();
  }
  out << last;
  return mlir::success();
}

mlir::LogicalResult run_named_passes(mlir::ModuleOp module, const Settings &settings) {
  auto target = tilewright::native::named(settings.compile.isa);
  if (!target) {
    llvm::errs() << target.error().message() << '\n';
    return mlir::failure();
  }
  tilewright::CompiledKernel result;
  tilewright::PassContext context{settings.compile, *target, result, {}};
  for (const std::string &name : settings.run) {
    bool found = name == "annotate_uniformity"; // an analysis of packetize, to look at
    if (found && mlir::failed(tilewright::packetize::annotate_uniformity(module)))
      return mlir::failure();
    for (const tilewright::Pass &pass : tilewright::module_passes()) {
      if (name != pass.name && name != pass.stage)
        continue;
      found = true;
      if (mlir::failed(pass.run(module, context))) {
        if (context.error)
          llvm::errs() << context.error->message() << '\n';
        return mlir::failure();
      }
      if (mlir::failed(mlir::verify(module)))
        return mlir::failure();
    }
    if (!found) {
      llvm::errs() << "no pass or stage is called '" << name << "'\n";
      return mlir::failure();
    }
  }
  return mlir::success();
}

mlir::LogicalResult process(std::unique_ptr<llvm::MemoryBuffer> buffer, const Settings &settings,
                            llvm::raw_ostream &out) {
  std::string text = buffer->getBuffer().str();
  if (!settings.stop_after.empty())
    return run_whole_pipeline(text, settings, out);

  auto context = tilewright::make_context();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  auto work = [&]() -> mlir::LogicalResult {
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, context.get());
    if (!module || mlir::failed(run_named_passes(*module, settings)))
      return mlir::failure();
    module->print(out);
    out << '\n';
    return mlir::success();
  };
  if (settings.verify_diagnostics) {
    context->printOpOnDiagnostic(false);
    mlir::SourceMgrDiagnosticVerifierHandler handler(*sources, context.get());
    (void)work();
    return handler.verify();
  }
  mlir::SourceMgrDiagnosticHandler handler(*sources, context.get());
  return work();
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Reads IR, runs stages or passes on it, and prints what they leave.\n"
               "  tilewright-opt kernel.tile --run=simplify\n"
               "  tilewright-opt kernel.tile --stop-after=asm --isa=x86-64-v3"};
  std::string file = "-";
  Settings settings;
  app.add_option("file", file, "the IR to read ('-' for standard input)");
  app.add_option("--run", settings.run, "passes or stages to run, in this order")->delimiter(',');
  app.add_option("--stop-after", settings.stop_after,
                 "run the whole pipeline up to this stage or pass and print what it leaves");
  app.add_option("--isa", settings.compile.isa, "x86-64-v2, x86-64-v3, x86-64-v4; default: host");
  app.add_option("--plan", settings.compile.plan_json, "choices to fix, as JSON");
  app.add_option("--safe-body", settings.compile.safe_body,
                 "where the body lives that runs when a guard fails: on-demand (the default), "
                 "in-object, only")
      ->transform(CLI::CheckedTransformer(std::map<std::string, tilewright::SafeBody>{
          {"on-demand", tilewright::SafeBody::on_demand},
          {"in-object", tilewright::SafeBody::in_object},
          {"only", tilewright::SafeBody::only}}));
  app.add_flag("--verify-diagnostics", settings.verify_diagnostics,
               "check diagnostics against expected-error comments");
  app.add_flag("--split-input-file", settings.split_input, "treat parts between // ----- alone");
  CLI11_PARSE(app, argc, argv);

  auto input = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!input) {
    llvm::errs() << file << ": " << input.getError().message() << '\n';
    return 2;
  }
  llvm::raw_ostream &out = llvm::outs();
  auto one = [&](std::unique_ptr<llvm::MemoryBuffer> part, llvm::raw_ostream &stream) {
    return process(std::move(part), settings, stream);
  };
  mlir::LogicalResult status = settings.split_input
                                   ? mlir::splitAndProcessBuffer(std::move(*input), one, out)
                                   : one(std::move(*input), out);
  return mlir::succeeded(status) ? 0 : 1;
}
