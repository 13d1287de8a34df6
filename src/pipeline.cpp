// The pipeline: every stage and pass in order, one line each.
#include "pipeline_passes.h"

#include <algorithm>
#include <chrono>

#include "lower/lower.h"
#include "mlir/IR/Verifier.h"
#include "native/native.h"
#include "packetize/packetize.h"
#include "plan/admit.h"
#include "plan/annotate.h"
#include "plan/choose.h"
#include "plan/declared_plans.h"
#include "plan/effects.h"
#include "plan/extract.h"
#include "plan/safe_plan.h"
#include "simplify/simplify.h"
#include "support/stack_thread.h"
#include "tile/launch_facts.h"
#include "tile/module.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright {

namespace {

using mlir::LogicalResult;
using mlir::ModuleOp;

template <LogicalResult (*function)(ModuleOp)>
LogicalResult plain(ModuleOp module, PassContext &) {
  return function(module);
}

LogicalResult find_facts(ModuleOp module, PassContext &context);
LogicalResult plan_kernels(ModuleOp module, PassContext &context);

constexpr Pass passes[] = {
    // tile IR -> tile IR; all numerics are final after it
    {"simplify", "expand_functions", plain<simplify::expand_functions>},
    {"simplify", "merge_maps", plain<simplify::merge_maps>},
    {"simplify", "contract", plain<simplify::contract>},
    {"simplify", "fold_scalars", plain<simplify::fold_scalars>},
    {"simplify", "prove_blocks", plain<simplify::prove_blocks>},
    {"simplify", "relax_extrema", plain<simplify::relax_extrema>},
    {"simplify", "bound_arguments", plain<simplify::bound_arguments>},
    {"simplify", "set_grouping", plain<simplify::set_grouping>},
    {"simplify", "drop_dead", plain<simplify::drop_dead>},
    // tile IR -> what a launch has to check; tile IR with a plan
    {"plan", "find_facts", find_facts},
    {"plan", "plan", plan_kernels},
    // tile IR + plan -> lane IR
    {"lower", "lower", plain<lower::lower_to_lanes>},
    // lane IR -> vector IR
    {"packetize", "packetize", plain<packetize::packetize>},
    // vector IR -> LLVM -> machine code: native::generate, whose stages native::stage_names() lists
};

LogicalResult find_facts(ModuleOp module, PassContext &context) {
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    tile::LaunchFacts facts;
    if (mlir::failed(tile::find_launch_facts(kernel, facts)))
      return mlir::failure();
    context.result.checks = std::move(facts.checks);
    context.result.phases.assign(1, {.symbol = kernel.getSymName().str(),
                                     .program_extents = std::move(facts.program_extents)});
  }
  return mlir::success();
}

std::string print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, mlir::OpPrintingFlags().assumeVerified());
  return text;
}

/// Writes the plans onto the kernel, as many as its object has bodies.
void annotate_plans(tile::KernelOp kernel, const plan::KernelSummary &summary,
                    const plan::Plan &plan, const plan::Plan &safe, PassContext &context) {
  if (plan.guard && context.options.safe_body == SafeBody::in_object)
    plan::annotate(kernel, safe, plan::safe_plan_attribute);
  else if (!plan::guard_pairs(summary, plan).empty()) {
    plan::annotate(kernel, safe, plan::plan_attribute);
    context.safe_kernel = print(kernel);
  }
  plan::annotate(kernel, plan, plan::plan_attribute);
}

LogicalResult plan_kernels(ModuleOp module, PassContext &context) {
  plan::MachineSummary machine = native::machine_summary(context.target, context.options.workers);
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    plan::KernelSummary summary;
    if (mlir::failed(plan::extract(kernel, summary)))
      return mlir::failure();
    plan::Hints hints{.launch_extents = context.options.expected_extents};
    Result<plan::Plan> chosen = plan::choose(summary, machine, hints, context.options.plan_json);
    if (!chosen) {
      context.error = chosen.error();
      return mlir::failure();
    }
    plan::Plan plan = *chosen;
    plan::Plan safe = plan::safe_plan(summary, machine, plan.width);
    if (context.options.safe_body == SafeBody::only)
      plan = safe;
    annotate_plans(kernel, summary, plan, safe, context);

    CompiledKernel &result = context.result;
    result.plan_json = plan::to_json(plan);
    result.plan_line = plan::one_line(plan, summary);
    result.notes = plan::performance_notes(summary, plan);
    for (CompiledPhase &phase : result.phases)
      phase.task_programs = plan.task_programs;
  }
  return mlir::success();
}

// Running the list

/// The first error that MLIR reports while it lives.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext *context)
      : handler_(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || error_)
            return mlir::success();
          error_ = Error{ErrorKind::user, diagnostic.str(), source_line(diagnostic.getLocation())};
          return mlir::success();
        }) {}

  /// It, or an internal error where a pass failed without one.
  Error take(const std::string &pass) {
    return error_.value_or(Error{ErrorKind::internal, pass + " failed without a reason", {}});
  }

private:
  std::optional<Error> error_;
  mlir::ScopedDiagnosticHandler handler_;
};

/// Runs the module passes from `first` on; true when --stop-after asks to stop there.
Result<bool> run_module_passes(ModuleOp module, PassContext &context,
                               const Pass *first = std::begin(passes)) {
  const CompileOptions &options = context.options;
  FirstError first_error(module.getContext());
  for (const Pass &pass : std::span(first, std::end(passes))) {
    auto since = std::chrono::steady_clock::now();
    bool done = mlir::succeeded(pass.run(module, context));
    if (!done)
      return context.error.value_or(first_error.take(pass.name));
    std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - since;
    context.result.times.push_back({pass.name, spent.count()});
    bool last_of_stage =
        &pass == std::end(passes) - 1 || std::string_view((&pass + 1)->stage) != pass.stage;
#if TILEWRIGHT_ASSERTIONS
    // At the stages' borders, and between passes where somebody reads what each leaves.
    if ((last_of_stage || options.after_stage) && mlir::failed(mlir::verify(module))) {
      Error error = first_error.take(pass.name);
      error.kind = ErrorKind::internal;
      error.text = std::string(pass.name) + " left broken IR: " + error.text;
      return error;
    }
#endif
    if (options.after_stage)
      options.after_stage(pass.name, print(module));
    if (options.stop_after == pass.name || (last_of_stage && options.stop_after == pass.stage))
      return true;
  }
  return false;
}

/// What packetize says each worker needs, per phase.
void read_workspace(ModuleOp module, CompiledKernel &result) {
  for (mlir::Operation &op : *module.getBody())
    for (CompiledPhase &phase : result.phases)
      if (auto bytes = op.getAttrOfType<mlir::IntegerAttr>("tilewright.workspace_bytes"))
        phase.workspace_bytes = bytes.getInt();
}

/// Vector IR -> native code in the context's result.
Status generate(ModuleOp module, PassContext &context) {
  const CompileOptions &options = context.options;
  CompiledKernel &result = context.result;
  read_workspace(module, result);
  native::NativeOptions native_options{.sanitize_address = options.sanitize_address,
                                       .after_stage = options.after_stage,
                                       .stop_after = options.stop_after};
  Result<native::NativeCode> code = native::generate(module, context.target, native_options);
  if (!code)
    return code.error();
  for (StageTime &time : code->times)
    result.times.push_back(std::move(time));
  for (std::string &note : code->notes)
    result.notes.push_back(std::move(note));
  for (CompiledPhase &phase : result.phases)
    if (auto found = code->symbols.find(phase.symbol); found != code->symbols.end())
      phase.function = reinterpret_cast<tw_phase>(found->second);
  result.object = std::move(code->object);
  result.code = std::move(code->keep_alive);
  return {};
}

/// Tile IR with its plan, as text -> native code in the context's result.
Status compile_planned(const std::string &text, PassContext &context) {
  Result<TileModule> tile_module = parse_tile(text, context.result.name);
  if (!tile_module)
    return tile_module.error();
  ModuleOp module = *tile_module->content().module;
  const Pass *first = std::find_if(std::begin(passes), std::end(passes), [](const Pass &pass) {
    return std::string_view(pass.stage) == "lower";
  });
  if (Result<bool> stopped = run_module_passes(module, context, first); !stopped)
    return stopped.error();
  return generate(module, context);
}

/// What compiles the context's safe kernel when it is first needed.
std::shared_ptr<OnDemand<CompiledKernel>> compile_on_demand(const PassContext &context) {
  using Compiled = std::shared_ptr<CompiledKernel>;
  CompileOptions options;
  options.sanitize_address = context.options.sanitize_address;
  CompiledKernel plan; // of what is made
  plan.name = context.result.name;
  plan.parameters = context.result.parameters;
  plan.checks = context.result.checks;
  for (const CompiledPhase &phase : context.result.phases)
    plan.phases.push_back({.symbol = phase.symbol,
                           .program_extents = phase.program_extents,
                           .task_programs = phase.task_programs});
  return std::make_shared<OnDemand<CompiledKernel>>(
      [text = context.safe_kernel, target = context.target, options, plan]() -> Result<Compiled> {
        auto result = std::make_shared<CompiledKernel>(plan);
        PassContext inner{options, target, *result, {}};
        Status status;
        if (!run_with_stack(compiler_stack_bytes, [&] { status = compile_planned(text, inner); }))
          return Error{ErrorKind::user,
                       "launch of " + plan.name +
                           ": no thread could be made to compile the body for arguments that "
                           "overlap; raise the limit on threads or on memory",
                       {}};
        if (!status)
          return Error{ErrorKind::internal,
                       "the safe body of " + plan.name + ": " + status.error().message(),
                       {}};
        return result;
      });
}

} // namespace

std::span<const Pass> module_passes() { return passes; }

std::vector<std::string> stage_names() {
  std::vector<std::string> names;
  for (const Pass &pass : passes) {
    names.push_back(pass.name);
    bool last_of_stage =
        &pass == std::end(passes) - 1 || std::string_view((&pass + 1)->stage) != pass.stage;
    if (last_of_stage && std::string_view(pass.stage) != pass.name)
      names.push_back(pass.stage);
  }
  for (std::string &name : native::stage_names())
    names.push_back(std::move(name));
  return names;
}

Result<std::vector<std::string>> declared_plans(const TileModule &tile_module,
                                                const CompileOptions &options) {
  Result<native::Target> target = native::named(options.isa);
  if (!target)
    return target.error();
  mlir::OwningOpRef<ModuleOp> module = (*tile_module.content().module).clone();
  CompileOptions simplify_only;
  simplify_only.stop_after = "simplify";
  CompiledKernel nothing;
  PassContext context{simplify_only, *target, nothing, {}};
  if (Result<bool> stopped = run_module_passes(*module, context); !stopped)
    return stopped.error();

  plan::MachineSummary machine = native::machine_summary(*target, options.workers);
  FirstError first_error(module->getContext());
  std::vector<std::string> plans;
  for (auto kernel : module->getOps<tile::KernelOp>()) {
    plan::KernelSummary summary;
    if (mlir::failed(plan::extract(kernel, summary)))
      return first_error.take("plan");
    for (const plan::Plan &plan : plan::declared_plans(summary, machine))
      plans.push_back(plan::to_json(plan));
  }
  return plans;
}

Result<std::shared_ptr<CompiledKernel>> compile(TileModule tile_module,
                                                const CompileOptions &options) {
  std::vector<std::string> names = stage_names();
  if (!options.stop_after.empty() &&
      std::find(names.begin(), names.end(), options.stop_after) == names.end()) {
    std::string known;
    for (const std::string &name : names)
      known += (known.empty() ? "" : ", ") + name;
    return Error{ErrorKind::user,
                 "no stage is called '" + options.stop_after + "'; the stages are " + known,
                 {}};
  }
  Result<native::Target> target = native::named(options.isa);
  if (!target)
    return target.error();

  auto result = std::make_shared<CompiledKernel>();
  result->name = tile_module.kernel_name();
  result->parameters = tile_module.parameters();
  ModuleOp module = *tile_module.content().module;
  PassContext context{options, *target, *result, {}};
  Result<bool> stopped = run_module_passes(module, context);
  if (!stopped)
    return stopped.error();
  if (*stopped)
    return result;
  if (Status status = generate(module, context); !status)
    return status.error();
  if (!context.safe_kernel.empty())
    result->safe_body = compile_on_demand(context);
  return result;
}

} // namespace tilewright
