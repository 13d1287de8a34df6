#pragma once

#include "measure/statistics.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright {

/// Something that can be timed, and proves that it computes the right thing.
struct Subject {
  std::string label;
  /// Makes the outputs unmistakably wrong (NaN) and restores the inputs. Untimed; may be empty.
  std::function<void()> prepare;
  /// Does the work `repetitions` times. Timed; repeating it leaves the same outputs.
  std::function<void(std::int64_t repetitions)> run;
  /// Empty when outputs, inputs and guards are as they must be, else why not. Untimed.
  std::function<std::string()> check;
};

/// How long and how often to look. Times are in seconds.
///
/// A round visits every subject once, in one of the orders of measure/schedule.h. A visit is:
/// prepare, warm up, take the samples, check. With k subjects, control included, a comparison
/// takes about rounds × k × (warm_up + samples_per_visit × sample_length).
struct SamplingOptions {
  double warm_up = 0.100;
  double sample_length = 0.030;
  int samples_per_visit = 7;
  /// All k! orders if they are no more than this, else a balanced subset.
  std::size_t max_rounds = 24;
  /// Visits the first subject under a second label as well. Any ratio between the two is noise.
  bool identical_object_control = true;

  /// A few hundredths of a second per visit: for a smoke run or a first screening.
  static SamplingOptions quick();
};

/// The samples of one subject in one round.
struct Visit {
  std::size_t round = 0;
  std::size_t position = 0;       ///< place in the round's order, from zero
  std::vector<double> samples_us; ///< time per repetition, in microseconds
  double median_us = 0;
};

struct Measurement {
  std::string label;
  bool is_control = false;
  /// Not empty: a check failed. Then there are no visits and no time.
  std::string refusal;
  std::int64_t repetitions = 0; ///< per sample, calibrated once
  std::vector<Visit> visits;    ///< in increasing round
  double time_us = 0;           ///< median of visit medians; NaN when refused

  bool refused() const { return !refusal.empty(); }
};

/// What is about to be visited.
struct Progress {
  std::size_t round = 0, rounds = 0;
  const std::string &label;
};
using ProgressCallback = std::function<void(const Progress &)>;

/// Seconds since some fixed moment.
using Clock = std::function<double()>;
/// Wall time.
double steady_seconds();
/// The time that this thread has run. On a busy machine it leaves out what other processes ran in
/// between, though not what they did to caches and clock frequency. Only for work that stays on
/// the calling thread and never waits.
double thread_cpu_seconds();

/// Times the subjects against one another. The result holds one measurement per subject in the
/// given order; the control, if asked for, comes last.
std::vector<Measurement> measure(const std::vector<Subject> &subjects,
                                 const SamplingOptions &options = {},
                                 const ProgressCallback &progress = {},
                                 const Clock &clock = steady_seconds);

/// `a` over `b`, paired by round. No rounds when either is refused.
Ratio ratio(const Measurement &a, const Measurement &b);

/// The control over the subject it repeats; no rounds when there is no control.
Ratio noise_floor(const std::vector<Measurement> &measurements);

} // namespace tilewright
