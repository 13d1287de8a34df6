// tilewright check: compiled code against the reference and the oracle, under several plans.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "bits.h"
#include "checked_case.h"
#include "command.h"
#include "compile_flags.h"
#include "execute_compiled.h"
#include "host_array.h"
#include "native/target.h"

namespace tilewright::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> kernels;
  std::vector<std::string> shapes;
  CompileFlags compile;
  bool all_plans = false;
  bool json = false;
};

/// What --isa takes for every instruction set that this machine has.
constexpr const char *all_isas = "all";

/// Each side of a packet of 4, 8 and 16 lanes, of 64 slots, and one shape of some size.
constexpr const char *default_shapes[] = {"0x5",   "1x1",   "3x3",    "2x4",    "3x7",  "2x8",
                                          "5x9",   "3x15",  "2x16",   "3x17",   "4x63", "2x64",
                                          "17x65", "5x129", "33x257", "65x1538"};

/// Choices to compare with the planner's own. Those that a kernel does not admit are left out.
constexpr const char *variations[] = {
    R"({"mapping":"row"})", R"({"width":4})",           R"({"width":16})",
    R"({"packets":1})",     R"({"packets":4})",         R"({"tail":"masked"})",
    R"({"tail":"peeled"})", R"({"tail":"overlapped"})", R"({"source":"reload"})",
    R"({"source":"keep"})", R"({"align_stores":true})", R"({"programs_per_step":4})",
    R"({"guard":false})",   R"({"prefetch_bytes":512})"};

using Outputs = std::vector<HostArray>;

struct CaseReport {
  std::string kernel;
  std::string shape;
  int plans = 0; ///< pieces of code, over all instruction sets
  int runs = 0;
  int not_admitted = 0;
  bool exact = false;
  double max_absolute_error = 0;
  int64_t largest_ulp = 0;
  std::string failure;
};

std::vector<std::string> isas_of(const CheckOptions &options) {
  if (options.compile.isa != all_isas)
    return {options.compile.isa};
  std::vector<std::string> isas;
  for (const char *isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (Result<native::Target> target = native::named(isa); target && native::runs_here(*target))
      isas.push_back(isa);
  return isas;
}

/// One kernel at one shape, under every plan.
class CaseCheck {
public:
  CaseCheck(CheckedCase &checked, const CheckOptions &options, CaseReport &report)
      : checked_(checked), options_(options), report_(report) {}

  /// An error where the kernel cannot be compiled or evaluated at all; failures go to the report.
  Status run() {
    if (Status status = evaluate_reference(); !status)
      return status;
    for (const std::string &isa : isas_of(options_))
      if (Status status = run_plans(isa); !status)
        return status;
    return {};
  }

private:
  Status evaluate_reference() {
    Result<bool> exact = is_exact(checked_.module());
    if (!exact)
      return exact.error();
    report_.exact = *exact;
    std::vector<Argument> arguments = checked_.arguments();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!checked_.kernel().arguments[i].output)
        continue;
      reference_.emplace_back(arguments[i].type, arguments[i].extents);
      arguments[i] = reference_.back().as_argument();
    }
    return run_reference(checked_.module(), arguments, Precision::exact);
  }

  Status run_plans(const std::string &isa) {
    CompileOptions compile = options_.compile.options();
    compile.isa = isa;
    compile.expected_extents = checked_.extents();
    if (Status status = run_plan(compile, "the planner's plan"); !status)
      return status;
    if (!options_.compile.plan.empty())
      return {};
    Status status = options_.all_plans ? run_declared(compile) : run_variations(compile);
    if (!status)
      return status;
    compile.safe_body = SafeBody::in_object;
    if (Status both = run_plan(compile, "the planner's plan with its safe body"); !both)
      return both;
    compile.safe_body = SafeBody::only;
    return run_plan(compile, "the safe body");
  }

  Status run_variations(CompileOptions compile) {
    for (const char *variation : variations) {
      compile.plan_json = variation;
      Status status = run_plan(compile, variation);
      if (!status && status.error().kind == ErrorKind::internal)
        return status;
      report_.not_admitted += status ? 0 : 1;
    }
    return {};
  }

  Status run_declared(CompileOptions compile) {
    Result<TileModule> module = checked_.module()();
    if (!module)
      return module.error();
    Result<std::vector<std::string>> plans = declared_plans(*module, compile);
    if (!plans)
      return plans.error();
    for (std::string &plan : *plans) {
      compile.plan_json = std::move(plan);
      if (Status status = run_plan(compile, compile.plan_json); !status)
        return status;
    }
    return {};
  }

  /// Compiles, and runs on one worker, on several, and in two calls.
  Status run_plan(const CompileOptions &compile, const std::string &plan) {
    Result<std::shared_ptr<CompiledKernel>> kernel = compile_kernel(checked_.module(), compile);
    if (!kernel)
      return kernel.error();
    ++report_.plans;
    const std::vector<Argument> &arguments = checked_.arguments();
    const std::string name = compile.isa.empty() ? plan : compile.isa + ", " + plan;
    // Odd numbers of programs, which change from plan to plan.
    const int64_t programs = 2 * (report_.plans % 8) + 1;
    if (Status status = run_once(name, [&] { return execute_compiled(**kernel, arguments, 1); });
        !status)
      return status;
    if (Status status = run_once(name + " on two workers",
                                 [&] {
                                   return execute_in_tasks(**kernel, arguments,
                                                           std::max(compile.workers, 2), programs);
                                 });
        !status)
      return status;
    return run_once(name + " in two calls",
                    [&] { return execute_in_two_calls(**kernel, arguments, programs); });
  }

  template <typename Execute>
  Status run_once(const std::string &name, const Execute &execute) {
    checked_.prepare();
    if (Result<RunReport> ran = execute(); !ran)
      return ran.error();
    ++report_.runs;
    // Outputs that were checked before need not be checked again.
    if (outputs_are_the_first()) {
      if (std::string changed = checked_.check_memory(); !changed.empty())
        fail(name, changed);
      return {};
    }
    Verdict verdict = checked_.check();
    report_.max_absolute_error = std::max(report_.max_absolute_error, verdict.max_absolute_error);
    if (!verdict.ok())
      fail(name, verdict.failure);
    compare_outputs(name);
    return {};
  }

  bool outputs_are_the_first() const {
    std::size_t output = 0;
    for (std::size_t i = 0; i < checked_.arguments().size(); ++i) {
      if (!checked_.kernel().arguments[i].output)
        continue;
      if (output == first_outputs_.size())
        return false;
      const std::vector<std::byte> &first = first_outputs_[output++];
      if (!std::equal(first.begin(), first.end(),
                      static_cast<const std::byte *>(checked_.arguments()[i].data)))
        return false;
    }
    return true;
  }

  void compare_outputs(const std::string &plan) {
    std::size_t output = 0;
    for (std::size_t i = 0; i < checked_.arguments().size(); ++i) {
      const ArgumentShape &argument = checked_.kernel().arguments[i];
      if (!argument.output)
        continue;
      const HostArray &want = reference_[output];
      const auto want_bytes = std::as_bytes(want.bytes());
      const std::span<const std::byte> got(
          static_cast<const std::byte *>(checked_.arguments()[i].data), want_bytes.size());
      const BitComparison with_reference = compare_bits(argument.type, got, want_bytes);
      report_.largest_ulp = std::max(report_.largest_ulp, with_reference.largest_ulp);
      if (report_.exact && with_reference.different > 0)
        fail(plan, fmt::format("output {}: {} elements differ in bits from the reference, first at "
                               "{}, by up to {} ulp",
                               argument.name, with_reference.different, with_reference.first,
                               with_reference.largest_ulp));
      if (first_outputs_.size() == output)
        first_outputs_.emplace_back(got.begin(), got.end());
      const BitComparison with_first = compare_bits(argument.type, got, first_outputs_[output]);
      if (with_first.different > 0)
        fail(plan, fmt::format("output {}: {} elements differ in bits from the first plan's, first "
                               "at {}",
                               argument.name, with_first.different, with_first.first));
      ++output;
    }
  }

  void fail(const std::string &plan, const std::string &why) {
    if (report_.failure.empty())
      report_.failure = fmt::format("{}: {}", plan, why);
  }

  CheckedCase &checked_;
  const CheckOptions &options_;
  CaseReport &report_;
  Outputs reference_;
  std::vector<std::vector<std::byte>> first_outputs_;
};

Result<CaseReport> check_case(const std::string &name, const Shape &shape,
                              const CheckOptions &options) {
  Result<KernelCase> kernel = make_case(name, shape);
  if (!kernel)
    return kernel.error();
  CaseReport report{.kernel = name, .shape = to_string(shape), .failure = {}};
  Result<std::unique_ptr<CheckedCase>> checked = CheckedCase::make(std::move(*kernel));
  if (!checked)
    return checked.error();
  if (Status status = CaseCheck(**checked, options, report).run(); !status)
    return status.error();
  return report;
}

nlohmann::ordered_json as_json(const CaseReport &report) {
  nlohmann::ordered_json json = {{"kernel", report.kernel},
                                 {"shape", report.shape},
                                 {"check_ok", report.failure.empty()},
                                 {"plans", report.plans},
                                 {"runs", report.runs},
                                 {"plans_not_admitted", report.not_admitted},
                                 {"exact", report.exact},
                                 {"max_abs_error", report.max_absolute_error},
                                 {"max_ulp", report.largest_ulp}};
  if (!report.failure.empty())
    json["failure"] = report.failure;
  return json;
}

void print_line(const CaseReport &report) {
  const std::string agreement =
      report.exact ? "bit for bit" : fmt::format("{} ulp", report.largest_ulp);
  fmt::print("{:<20}{:>10}  {:>3} plans  {:>4} runs  max error {:.1e}  {}\n", report.kernel,
             report.shape, report.plans, report.runs, report.max_absolute_error,
             report.failure.empty() ? agreement : "FAILED: " + report.failure);
}

int check(CheckOptions options) {
  if (options.kernels.empty())
    options.kernels = kernel_names();
  if (options.shapes.empty())
    options.shapes.assign(std::begin(default_shapes), std::end(default_shapes));
  Result<std::vector<Shape>> shapes = parse_shapes(options.shapes);
  if (!shapes)
    return report(shapes.error());
  for (const std::string &kernel : options.kernels)
    if (Result<KernelCase> known = make_case(kernel, {}); !known)
      return report(known.error());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool ok = true;
  for (const std::string &kernel : options.kernels)
    for (const Shape &shape : *shapes) {
      Result<CaseReport> one = check_case(kernel, shape, options);
      const bool asked_for = !options.compile.plan.empty() ||
                             (!options.compile.isa.empty() && options.compile.isa != all_isas);
      if (!one && one.error().kind == ErrorKind::user && asked_for)
        return report(one.error());
      if (!one) // a kernel of the library that does not compile is no mistake of the user's
        one = CaseReport{
            .kernel = kernel, .shape = to_string(shape), .failure = one.error().message()};
      ok &= one->failure.empty();
      all.push_back(as_json(*one));
      if (!options.json)
        print_line(*one);
      else
        fmt::print(stderr, "{} {}: {}\n", kernel, one->shape,
                   one->failure.empty() ? "ok" : "FAILED");
    }
  if (options.json)
    fmt::print("{}\n", all.dump(2));
  return ok ? exit_ok : exit_failed;
}

} // namespace

void add_check(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand(
      "check", "Compare compiled kernels with the reference, under several plans");
  command->footer(
      "Every plan has to give the same bits; those of the reference too, unless the kernel calls "
      "a\n"
      "function that is not correctly rounded (exp, ...): then 5e-5 of the answer in FP64.\n"
      "Each plan runs on one worker, on several, and in two calls. `--plans all` takes every plan\n"
      "that is declared for the kernel (up to 256), `--isa all` every instruction set of this "
      "CPU.\n"
      "Examples:\n"
      "  tilewright check\n"
      "  tilewright check rms_norm swiglu --shape 17x65 129x768\n"
      "  tilewright check swiglu --shape 5x17 --plans all --isa all\n"
      "  tilewright check softmax --shape 5x33 --plan '{\"tail\":\"peeled\"}' --json\n"
      "JSON: an array of {kernel, shape, check_ok, plans, runs, plans_not_admitted, exact,\n"
      "max_abs_error, max_ulp, failure}. Exit code 1 when a check failed.");
  auto options = std::make_shared<CheckOptions>();
  command->add_option("kernels", options->kernels, "Names of kernels; by default all");
  command->add_option("--shape", options->shapes, "Rows and columns, such as 17x65; may repeat");
  command
      ->add_option("--plans", options->all_plans,
                   "some (the default): a choice of a kind each; or all that are declared")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, bool>{{"some", false}, {"all", true}}));
  command->add_flag("--json", options->json, "Print JSON");
  options->compile.add_to(*command);
  command->callback([&action, options] { action = [options] { return check(*options); }; });
}

} // namespace tilewright::cli
