#include "bench_case.h"

#include <algorithm>
#include <chrono>

#include "checked_case.h"
#include "measure/sampler.h"
#include "runtime/execute.h"
#include "runtime/float_environment.h"
#include "runtime/workspace.h"
#include "tilewright/device.h"
#include "yardsticks.h"

namespace tilewright::cli {
namespace {

using Compiled = std::shared_ptr<CompiledKernel>;

struct CompileTiming {
  Compiled kernel;
  std::vector<double> samples_ms;
};

bool first_compile_is_due = true; // one command runs in a process, on one thread

/// Compiles `times` times, each from the lambda to code that can be called.
Result<CompileTiming> time_compile(const CheckedCase &checked, const CompileOptions &options,
                                   int times, BenchRow &row) {
  CompileTiming timing;
  const MakeModule make = checked.module();
  if (first_compile_is_due)
    ++times;
  for (int i = 0; i < times; ++i) {
    const double begin = steady_seconds();
    Result<Compiled> compiled = compile_kernel(make, options);
    const double milliseconds = (steady_seconds() - begin) * 1e3;
    if (!compiled)
      return compiled.error();
    timing.kernel = *compiled;
    if (std::exchange(first_compile_is_due, false))
      row.first_compile_ms = milliseconds;
    else
      timing.samples_ms.push_back(milliseconds);
  }
  row.compile_ms = median(timing.samples_ms);
  row.plan = timing.kernel->plan_line;
  return timing;
}

/// Calls compiled phases as nothing but a loop does: one thread, no checks, no workers.
class NativeCaller {
public:
  static Result<NativeCaller> make(Compiled kernel, std::span<const Argument> arguments) {
    NativeCaller caller;
    int64_t workspace_bytes = 0;
    for (const CompiledPhase &phase : kernel->phases) {
      if (!phase.function)
        return Error{ErrorKind::user,
                     kernel->name + ": this CPU cannot run code for that instruction set",
                     {}};
      Result<int64_t> programs = runtime::count_programs(*kernel, phase, arguments);
      if (!programs)
        return programs.error();
      caller.programs_.push_back(*programs);
      workspace_bytes = std::max(workspace_bytes, phase.workspace_bytes);
    }
    Result<tw_worker> worker = runtime::thread_workspace(workspace_bytes, 0, kernel->name);
    if (!worker)
      return worker.error();
    caller.worker_ = *worker;
    caller.views_ = std::make_shared<runtime::LaunchViews>(arguments);
    caller.kernel_ = std::move(kernel);
    return caller;
  }

  void run(int64_t repetitions) {
    runtime::DefaultFloatEnvironment environment;
    for (int64_t r = 0; r < repetitions; ++r)
      for (std::size_t i = 0; i < programs_.size(); ++i)
        kernel_->phases[i].function(views_->launch(), 0, programs_[i], &worker_);
  }

private:
  Compiled kernel_;
  std::shared_ptr<runtime::LaunchViews> views_;
  std::vector<int64_t> programs_;
  tw_worker worker_{};
};

Subject subject_of(CheckedCase &checked, std::function<void(std::int64_t)> run) {
  Subject subject;
  subject.label = "tilewright";
  subject.prepare = [&checked] { checked.prepare(); };
  subject.run = std::move(run);
  subject.check = [&checked] { return checked.check().failure; };
  return subject;
}

/// Adds each peer to the subjects and its name to the row.
Status add_peers(CheckedCase &checked, const BenchOptions &options, std::vector<Subject> &subjects,
                 BenchRow &row) {
  for (const std::string &name : options.peers.names) {
    Result<Yardstick> peer = peer_yardstick(checked, options.peers, name, row.threads);
    if (!peer)
      return peer.error();
    row.peers.push_back({.name = name});
    subjects.push_back(std::move(peer->subject));
  }
  return {};
}

PeerResult result_of(std::string name, const Measurement &ours, const Measurement &peer) {
  if (peer.refused())
    return {.name = std::move(name), .refusal = peer.refusal};
  return {std::move(name), "", peer.time_us, ratio(ours, peer)};
}

/// Times the first subject against the others and writes what follows into the row. The others are
/// those that the row names: hand-written, stream, peers.
void time_subjects(CheckedCase &checked, const std::vector<Subject> &subjects,
                   const BenchOptions &options, BenchRow &row) {
  // Once alone, for the error: the timing itself keeps only whether it passed.
  subjects[0].prepare();
  subjects[0].run(1);
  const Verdict verdict = checked.check();
  row.max_absolute_error = verdict.max_absolute_error;
  row.failure = verdict.failure;
  if (!verdict.ok())
    return;
  const std::vector<Measurement> measurements =
      measure(subjects, options.quick ? SamplingOptions::quick() : SamplingOptions());
  row.failure = measurements[0].refusal;
  if (measurements[0].refused())
    return;
  row.median_us = measurements[0].time_us;
  for (const Visit &visit : measurements[0].visits)
    row.samples_us.insert(row.samples_us.end(), visit.samples_us.begin(), visit.samples_us.end());
  row.noise = noise_floor(measurements);
  std::size_t next = 1;
  if (!row.hand_written.empty())
    row.to_hand_written = ratio(measurements[0], measurements[next++]);
  if (!row.stream.empty())
    row.to_stream = ratio(measurements[0], measurements[next++]);
  for (PeerResult &peer : row.peers)
    peer = result_of(peer.name, measurements[0], measurements[next++]);
}

Status bench_native(CheckedCase &checked, const BenchOptions &options, BenchRow &row) {
  CompileOptions compile = options.compile.options();
  compile.workers = 1;
  compile.expected_extents = checked.extents();
  Result<CompileTiming> timing = time_compile(checked, compile, options.quick ? 3 : 7, row);
  if (!timing)
    return timing.error();
  Result<NativeCaller> made = NativeCaller::make(timing->kernel, checked.arguments());
  if (!made)
    return made.error();
  auto caller = std::make_shared<NativeCaller>(std::move(*made));
  std::vector<Subject> subjects{
      subject_of(checked, [caller](std::int64_t repetitions) { caller->run(repetitions); })};
  if (std::optional<Yardstick> best = fastest(hand_written(checked))) {
    row.hand_written = best->variant;
    subjects.push_back(best->subject);
  }
  if (std::optional<Yardstick> best = fastest(streams(checked))) {
    row.stream = best->variant;
    subjects.push_back(best->subject);
  }
  if (Status status = add_peers(checked, options, subjects, row); !status)
    return status;
  time_subjects(checked, subjects, options, row);
  return {};
}

Status bench_launch(CheckedCase &checked, const BenchOptions &options, BenchRow &row) {
  CompileOptions compile = options.compile.options();
  compile.expected_extents = checked.extents();
  row.threads = compile.workers;
  Result<CompileTiming> timing = time_compile(checked, compile, options.quick ? 3 : 7, row);
  if (!timing)
    return timing.error();
  Device device({.workers = compile.workers, .isa = compile.isa, .plan = compile.plan_json});
  const KernelSource &source = checked.kernel().source;
  if (Status status = detail::launch(device, source, checked.arguments()); !status)
    return status;
  std::vector<Subject> subjects{subject_of(checked, [&](std::int64_t repetitions) {
    // The first launch succeeded, and nothing changes since.
    for (std::int64_t r = 0; r < repetitions; ++r)
      (void)detail::launch(device, source, checked.arguments());
  })};
  if (Status status = add_peers(checked, options, subjects, row); !status)
    return status;
  time_subjects(checked, subjects, options, row);
  return {};
}

Status bench_compile(CheckedCase &checked, const BenchOptions &options, BenchRow &row) {
  CompileOptions compile = options.compile.options();
  compile.expected_extents = checked.extents();
  row.threads = compile.workers;
  Result<CompileTiming> timing = time_compile(checked, compile, options.quick ? 5 : 21, row);
  if (!timing)
    return timing.error();
  for (double milliseconds : timing->samples_ms)
    row.samples_us.push_back(milliseconds * 1e3);
  row.median_us = *row.compile_ms * 1e3;
  Result<NativeCaller> caller = NativeCaller::make(timing->kernel, checked.arguments());
  if (!caller)
    return caller.error();
  checked.prepare();
  caller->run(1);
  const Verdict verdict = checked.check();
  row.max_absolute_error = verdict.max_absolute_error;
  row.failure = verdict.failure;
  return {};
}

} // namespace

std::string to_string(BenchClock clock) {
  switch (clock) {
  case BenchClock::native:
    return "native";
  case BenchClock::launch:
    return "launch";
  case BenchClock::compile:
    return "compile";
  }
  return "";
}

Result<BenchRow> bench_case(const std::string &kernel, const Shape &shape,
                            const BenchOptions &options) {
  Result<KernelCase> one = make_case(kernel, shape);
  if (!one)
    return one.error();
  BenchRow row;
  row.kernel = kernel;
  row.shape = to_string(shape);
  row.clock = options.clock;
  Result<std::unique_ptr<CheckedCase>> checked = CheckedCase::make(std::move(*one));
  if (!checked)
    return checked.error();
  row.bytes = (*checked)->bytes();
  row.oracle = (*checked)->oracle();
  Status status = options.clock == BenchClock::native   ? bench_native(**checked, options, row)
                  : options.clock == BenchClock::launch ? bench_launch(**checked, options, row)
                                                        : bench_compile(**checked, options, row);
  if (!status)
    return status.error();
  if (!row.failure.empty())
    row.median_us.reset();
  return row;
}

} // namespace tilewright::cli
