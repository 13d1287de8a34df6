// tilewright bench: checked timings, beside hand-written code and the memory's own speed.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <map>

#include "bench_case.h"
#include "bench_report.h"
#include "command.h"
#include "kernel_case.h"

namespace tilewright::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> kernels;
  std::vector<std::string> shapes;
  BenchOptions options;
  bool json = false;
  bool table = false;
};

struct CaseName {
  std::string kernel;
  std::string shape;
};

/// The cases of the native and compile clocks for a kernel; rows of `rope` are of even length.
std::vector<std::string> native_shapes(const std::string &kernel) {
  if (kernel == "rope")
    return {"17x66", "129x768", "257x1538", "1024x4098"};
  return {"17x65", "129x768", "257x1538", "1024x4097"};
}

std::vector<std::string> launch_shapes(const std::string &kernel) {
  static const std::map<std::string, std::vector<std::string>> known = {
      {"rms_norm", {"1x4096", "17x65", "17x16384", "64x256", "1024x4096"}},
      {"layer_norm", {"1x4096", "17x16384", "1024x4096"}},
      {"masked_softmax", {"64x4096"}},
      {"swiglu", {"17x65", "1024x4096"}},
      {"gelu_residual", {"17x65", "1024x4096"}},
      {"rope", {"17x66", "64x128"}}};
  auto found = known.find(kernel);
  return found == known.end() ? std::vector<std::string>{"17x65", "1024x4096"} : found->second;
}

/// The kernels with a matrix of their own, as far as the library has them.
std::vector<std::string> measured_kernels() {
  std::vector<std::string> measured;
  const std::vector<std::string> known = kernel_names();
  for (const char *name :
       {"rms_norm", "layer_norm", "masked_softmax", "swiglu", "gelu_residual", "rope"})
    if (std::find(known.begin(), known.end(), name) != known.end())
      measured.push_back(name);
  return measured;
}

std::vector<CaseName> cases_of(const BenchArguments &arguments) {
  std::vector<CaseName> cases;
  for (const std::string &kernel :
       arguments.kernels.empty() ? measured_kernels() : arguments.kernels) {
    const std::vector<std::string> own = arguments.options.clock == BenchClock::launch
                                             ? launch_shapes(kernel)
                                             : native_shapes(kernel);
    for (const std::string &shape : arguments.shapes.empty() ? own : arguments.shapes)
      cases.push_back({kernel, shape});
  }
  return cases;
}

Status check_names(const std::vector<CaseName> &cases) {
  for (const CaseName &one : cases) {
    Result<Shape> shape = parse_shape(one.shape);
    if (!shape)
      return shape.error();
    if (Result<KernelCase> made = make_case(one.kernel, *shape); !made)
      return made.error();
  }
  return {};
}

int bench(const BenchArguments &arguments) {
  const std::vector<CaseName> cases = cases_of(arguments);
  if (Status status = check_names(cases); !status)
    return report(status.error());
  std::vector<BenchRow> rows;
  bool ok = true;
  for (const CaseName &one : cases) {
    fmt::print(stderr, "[{}/{}] {} {}\n", rows.size() + 1, cases.size(), one.kernel, one.shape);
    Result<BenchRow> row = bench_case(one.kernel, *parse_shape(one.shape), arguments.options);
    if (!row)
      return report(row.error());
    ok &= row->failure.empty();
    rows.push_back(std::move(*row));
  }
  if (arguments.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const BenchRow &row : rows)
      json.push_back(as_json(row));
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", table(rows));
  }
  return ok ? exit_ok : exit_failed;
}

} // namespace

void add_bench(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand(
      "bench", "Time kernels, checked, beside hand-written code and the memory's own speed");
  command->footer(
      "Clocks: native is the compiled entry called from a loop on one thread; launch an API call "
      "on\n"
      "all workers; compile a cold compile in this process. Times are medians of visit medians;\n"
      "ratios are medians over rounds in which both were timed. Progress goes to standard error.\n"
      "Examples:\n"
      "  tilewright bench --quick\n"
      "  tilewright bench swiglu --shape 257x1538 --json\n"
      "  tilewright bench rms_norm --clock launch --threads 2\n"
      "  tilewright bench swiglu --peer inductor --quick\n"
      "  tilewright bench rms_norm --shape 17x65 --plan '{\"tail\":\"masked\"}'\n"
      "JSON: an array of {kernel, shape, threads, clock, median_us, samples_us, check_ok,\n"
      "max_abs_error, bytes, plan, compile_ms, first_compile_ms, ratio_hand_written, "
      "hand_written,\n"
      "hand_written_rounds, ratio_stream, stream, stream_rounds, peers, noise, oracle, failure}; "
      "what\n"
      "does not apply is null; a peer is {name, median_us, ratio, rounds, refusal}. Exit code 1 "
      "when a\n"
      "check failed.");
  auto arguments = std::make_shared<BenchArguments>();
  BenchOptions &options = arguments->options;
  command->add_option("kernels", arguments->kernels,
                      "Names of kernels; by default those with hand-written rivals");
  command->add_option("--shape", arguments->shapes, "Rows and columns, such as 17x65; may repeat");
  command->add_option("--clock", options.clock, "native, launch or compile")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, BenchClock>{{"native", BenchClock::native},
                                            {"launch", BenchClock::launch},
                                            {"compile", BenchClock::compile}}));
  command->add_flag("--quick", options.quick, "A short look: hundredths of a second per visit");
  command->add_flag("--table", arguments->table, "Print the table for people (the default)");
  command->add_flag("--json", arguments->json, "Print JSON")->excludes("--table");
  command->add_option(
      "--peer", options.peers.names,
      "Time another compiler's captured code as well, such as inductor; may repeat");
  command
      ->add_option("--captures", options.peers.captures,
                   "The folder of captures that ./dev capture fills")
      ->capture_default_str();
  options.compile.add_to(*command);
  command->callback([&action, arguments] { action = [arguments] { return bench(*arguments); }; });
}

} // namespace tilewright::cli
