// tilewright run: a kernel on .npy files.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numeric>

#include "command.h"
#include "compile_flags.h"
#include "execute_compiled.h"
#include "npy.h"
#include "run_target.h"

namespace tilewright::cli {
namespace {

struct RunOptions {
  std::string kernel;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  CompileFlags compile;
  bool reference = false;
  bool json = false;
  std::string stop_after;
};

Result<std::vector<InputArray>> read_inputs(const std::vector<std::string> &paths) {
  std::vector<InputArray> inputs;
  for (const std::string &path : paths) {
    Result<HostArray> array = read_npy(path);
    if (!array)
      return array.error();
    inputs.push_back({path, std::move(*array)});
  }
  return inputs;
}

/// The target's arguments, in its order: the inputs, and arrays of zeros for the outputs.
std::vector<HostArray> arrange(const RunTarget &target, std::vector<InputArray> inputs) {
  std::vector<HostArray> arrays;
  std::size_t given = 0;
  for (const ArgumentShape &argument : target.arguments)
    arrays.push_back(argument.output ? HostArray(argument.type, argument.extents)
                                     : std::move(inputs[given++].array));
  return arrays;
}

Status check_output_count(const RunTarget &target, const RunOptions &options) {
  std::vector<std::string> names;
  for (const ArgumentShape &argument : target.arguments)
    if (argument.output)
      names.push_back(argument.name);
  if (names.size() == options.outputs.size() || !options.stop_after.empty())
    return {};
  return usage_error(fmt::format("{} writes {} array{} ({}), and --out names {}", target.name,
                                 names.size(), names.size() == 1 ? "" : "s", fmt::join(names, ", "),
                                 options.outputs.size()));
}

/// What ran, for --json.
Result<nlohmann::ordered_json> run_compiled(const RunTarget &target, const RunOptions &options,
                                            std::span<const Argument> arguments) {
  CompileOptions compile = options.compile.options();
  for (const Argument &argument : arguments)
    compile.expected_extents.push_back(argument.extents);
  Result<std::shared_ptr<CompiledKernel>> kernel = compile_kernel(target.make, compile);
  if (!kernel)
    return kernel.error();
  Result<RunReport> report = execute_compiled(**kernel, arguments, options.compile.workers());
  if (!report)
    return report.error();
  double compile_ms = 0;
  for (const StageTime &time : (*kernel)->times)
    compile_ms += time.milliseconds;
  return nlohmann::ordered_json{
      {"kernel", target.name},          {"threads", options.compile.workers()},
      {"plan", (*kernel)->plan_line},   {"compile_ms", compile_ms},
      {"safe_body", report->safe_body}, {"notes", (*kernel)->notes}};
}

Result<nlohmann::ordered_json> run_by_reference(const RunTarget &target,
                                                std::span<const Argument> arguments) {
  if (Status status = run_reference(target.make, arguments, Precision::exact); !status)
    return status.error();
  return nlohmann::ordered_json{{"kernel", target.name}, {"plan", "reference"}};
}

Status write_outputs(const RunTarget &target, const RunOptions &options,
                     const std::vector<HostArray> &arrays) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (target.arguments[i].output)
      if (Status status = write_npy(options.outputs[written++], arrays[i]); !status)
        return status;
  return {};
}

int print_stage(const RunTarget &target, const RunOptions &options) {
  Result<std::string> text = text_after(target.make, options.compile.options(), options.stop_after);
  if (!text)
    return report(text.error());
  fmt::print("{}\n", *text);
  return exit_ok;
}

int run(const RunOptions &options) {
  Result<std::vector<InputArray>> inputs = read_inputs(options.inputs);
  if (!inputs)
    return report(inputs.error());
  Result<RunTarget> target = target_for_inputs(options.kernel, *inputs);
  if (!target)
    return report(target.error());
  if (Status status = check_output_count(*target, options); !status)
    return report(status.error());
  if (!options.stop_after.empty())
    return print_stage(*target, options);
  std::vector<HostArray> arrays = arrange(*target, std::move(*inputs));
  std::vector<Argument> arguments;
  for (HostArray &array : arrays)
    arguments.push_back(array.as_argument());
  Result<nlohmann::ordered_json> ran = options.reference
                                           ? run_by_reference(*target, arguments)
                                           : run_compiled(*target, options, arguments);
  if (!ran)
    return report(ran.error());
  if (Status status = write_outputs(*target, options, arrays); !status)
    return report(status.error());
  if (options.json)
    fmt::print("{}\n", ran->dump(2));
  return exit_ok;
}

} // namespace

void add_run(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("run", "Run a kernel on .npy files");
  command->footer(
      "Inputs are the views that the kernel only reads, in order; --out takes the others.\n"
      "Examples:\n"
      "  tilewright run rms_norm x.npy gamma.npy --out y.npy\n"
      "  tilewright run kernel.tile x.npy --out y.npy --reference\n"
      "  tilewright run swiglu a.npy b.npy --out y.npy --plan '{\"width\":8}' --threads 1\n"
      "  tilewright run swiglu a.npy b.npy --stop-after=lower\n"
      "JSON: {kernel, threads, plan, compile_ms, safe_body, notes}.");
  auto options = std::make_shared<RunOptions>();
  command->add_option("kernel", options->kernel, "A kernel's name, or a FILE.tile with tile IR")
      ->required();
  command->add_option("inputs", options->inputs, "A .npy file per input");
  command->add_option("--out", options->outputs, "A .npy file per output");
  command->add_flag("--reference", options->reference, "Evaluate element by element instead");
  command->add_flag("--json", options->json, "Print what ran as JSON");
  command->add_option("--stop-after", options->stop_after,
                      "Print the IR that this stage leaves instead of running");
  options->compile.add_to(*command);
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

} // namespace tilewright::cli
