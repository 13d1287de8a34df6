// Timing one kernel at one shape.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compile_flags.h"
#include "measure/statistics.h"
#include "peer_case.h"
#include "shape.h"

namespace tilewright::cli {

/// The three clocks never mix: `native` is the compiled entry called from a C++ loop on one thread,
/// `launch` an API call to completion on all workers, `compile` a cold compile in this process.
enum class BenchClock { native, launch, compile };

std::string to_string(BenchClock clock);

struct BenchOptions {
  BenchClock clock = BenchClock::native;
  CompileFlags compile;
  PeerOptions peers;
  bool quick = false;
};

/// A peer beside the kernel, in the same rounds.
struct PeerResult {
  std::string name;
  std::string refusal = {}; ///< not empty when its answer failed the check; then there is no time
  std::optional<double> median_us = {};
  std::optional<Ratio> ratio = {}; ///< the kernel's time over the peer's
};

/// One line of the table. What does not apply is absent.
struct BenchRow {
  std::string kernel;
  std::string shape;
  int threads = 1;
  BenchClock clock = BenchClock::native;
  std::string failure; ///< empty when every check passed; else there is no time
  std::optional<double> median_us;
  std::vector<double> samples_us;
  double max_absolute_error = 0;
  int64_t bytes = 0; ///< of all arguments, each once
  std::string plan;
  std::string oracle;                     ///< "fp64" or "reference"
  std::optional<double> compile_ms;       ///< median of several, each from the lambda to code
  std::optional<double> first_compile_ms; ///< of the process's first compile
  std::string hand_written;               ///< the variant that is fastest here
  std::optional<Ratio> to_hand_written;
  std::string stream;
  std::optional<Ratio> to_stream;
  std::vector<PeerResult> peers;
  std::optional<Ratio> noise; ///< of the same object under two labels
};

Result<BenchRow> bench_case(const std::string &kernel, const Shape &shape,
                            const BenchOptions &options);

} // namespace tilewright::cli
