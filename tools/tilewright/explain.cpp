// tilewright explain: the plan of a kernel, and where its compile time goes.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.h"
#include "compile_flags.h"
#include "run_target.h"

namespace tilewright::cli {
namespace {

struct ExplainOptions {
  std::string kernel;
  std::string shape = "257x1538";
  CompileFlags compile;
  bool json = false;
  std::string stop_after;
};

void print_json(const CompiledKernel &kernel, const ExplainOptions &options) {
  nlohmann::ordered_json json = {{"kernel", kernel.name},
                                 {"shape", options.shape},
                                 {"threads", options.compile.workers()},
                                 {"plan", kernel.plan_line},
                                 {"plan_json", nlohmann::ordered_json::parse(kernel.plan_json)},
                                 {"notes", kernel.notes},
                                 {"object_bytes", kernel.object.size()}};
  double total = 0;
  for (const StageTime &time : kernel.times) {
    json["stages"].push_back({{"stage", time.stage}, {"ms", time.milliseconds}});
    total += time.milliseconds;
  }
  json["compile_ms"] = total;
  fmt::print("{}\n", json.dump(2));
}

void print_text(const CompiledKernel &kernel, const ExplainOptions &options) {
  fmt::print("{} {}, {} worker{}\n\nplan  {}\n      {}\n", kernel.name, options.shape,
             options.compile.workers(), options.compile.workers() == 1 ? "" : "s", kernel.plan_line,
             kernel.plan_json);
  for (const CompiledPhase &phase : kernel.phases)
    fmt::print("\nphase {}: {}, {} bytes of scratch memory per worker\n", phase.symbol,
               phase.task_programs > 0 ? fmt::format("tasks of {} programs", phase.task_programs)
                                       : "runs on the caller",
               phase.workspace_bytes);
  fmt::print("\nnotes\n");
  for (const std::string &note : kernel.notes)
    fmt::print("  {}\n", note);
  if (kernel.notes.empty())
    fmt::print("  none: nothing gathers, spills or runs a safe body\n");
  fmt::print("\ncompile time, ms\n");
  double total = 0;
  for (const StageTime &time : kernel.times) {
    fmt::print("  {:<24}{:>8.2f}\n", time.stage, time.milliseconds);
    total += time.milliseconds;
  }
  fmt::print("  {:<24}{:>8.2f}   ({} bytes of object code)\n", "all", total, kernel.object.size());
}

int explain(const ExplainOptions &options) {
  Result<Shape> shape = parse_shape(options.shape);
  if (!shape)
    return report(shape.error());
  Result<RunTarget> target = library_target(options.kernel, *shape);
  if (!target)
    return report(target.error());
  CompileOptions compile = options.compile.options();
  for (const ArgumentShape &argument : target->arguments)
    compile.expected_extents.push_back(argument.extents);
  if (!options.stop_after.empty()) {
    Result<std::string> text = text_after(target->make, compile, options.stop_after);
    if (!text)
      return report(text.error());
    fmt::print("{}\n", *text);
    return exit_ok;
  }
  Result<std::shared_ptr<CompiledKernel>> kernel = compile_kernel(target->make, compile);
  if (!kernel)
    return report(kernel.error());
  options.json ? print_json(**kernel, options) : print_text(**kernel, options);
  return exit_ok;
}

} // namespace

void add_explain(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("explain", "A kernel's plan, its notes and where compile time goes");
  command->footer("Examples:\n"
                  "  tilewright explain rms_norm --shape 17x65\n"
                  "  tilewright explain swiglu --plan '{\"tail\":\"masked\"}' --json\n"
                  "  tilewright explain rms_norm --stop-after=packetize\n"
                  "  tilewright explain rms_norm --stop-after=asm --isa x86-64-v4\n"
                  "JSON: {kernel, shape, threads, plan, plan_json, notes, object_bytes, stages, "
                  "compile_ms}.");
  auto options = std::make_shared<ExplainOptions>();
  command->add_option("kernel", options->kernel, "A kernel's name")->required();
  command->add_option("--shape", options->shape, "Rows and columns")->capture_default_str();
  command->add_option("--stop-after", options->stop_after, "Print the IR that this stage leaves");
  command->add_flag("--json", options->json, "Print JSON");
  options->compile.add_to(*command);
  command->callback([&action, options] { action = [options] { return explain(*options); }; });
}

} // namespace tilewright::cli
