#include "measure/sampler.h"

#include "measure/schedule.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace tilewright {
namespace {

constexpr std::int64_t max_repetitions = std::int64_t(1) << 40;

double seconds_of(const Subject &subject, std::int64_t repetitions, const Clock &clock) {
  double begin = clock();
  subject.run(repetitions);
  return clock() - begin;
}

void prepare(const Subject &subject) {
  if (subject.prepare)
    subject.prepare();
}

std::string check(const Subject &subject) {
  return subject.check ? subject.check() : std::string();
}

std::string check_one_run(const Subject &subject) {
  prepare(subject);
  subject.run(1);
  return check(subject);
}

/// How many repetitions take about `sample_length`. Grows from one until a trial lasts a fair part
/// of a sample, so the estimate rests on at least that much time.
std::int64_t calibrate(const Subject &subject, double sample_length, const Clock &clock) {
  std::int64_t repetitions = 1;
  while (true) {
    double seconds = seconds_of(subject, repetitions, clock);
    bool enough = seconds >= sample_length / 3 || repetitions >= max_repetitions;
    double wanted = seconds > 0 ? repetitions * (sample_length / seconds) : 10.0 * repetitions;
    wanted = std::clamp(wanted, 1.0, double(max_repetitions));
    if (enough)
      return std::llround(wanted);
    repetitions = std::llround(std::min(std::max(wanted, 2.0 * repetitions), 10.0 * repetitions));
  }
}

void warm_up(const Subject &subject, std::int64_t repetitions, double seconds, const Clock &clock) {
  double begin = clock();
  for (int i = 0; clock() - begin < seconds && i < 1 << 20; ++i)
    subject.run(repetitions);
}

std::vector<double> take_samples(const Subject &subject, std::int64_t repetitions, int count,
                                 const Clock &clock) {
  std::vector<double> samples_us;
  for (int i = 0; i < count; ++i)
    samples_us.push_back(seconds_of(subject, repetitions, clock) / double(repetitions) * 1e6);
  return samples_us;
}

void refuse(Measurement &measurement, const std::string &when, const std::string &why) {
  measurement.refusal = "check failed " + when + ": " + why;
  measurement.visits.clear();
}

void visit(const Subject &subject, Measurement &measurement, const SamplingOptions &options,
           std::size_t round, std::size_t position, const Clock &clock) {
  prepare(subject);
  warm_up(subject, measurement.repetitions, options.warm_up, clock);
  Visit result;
  result.round = round;
  result.position = position;
  result.samples_us =
      take_samples(subject, measurement.repetitions, options.samples_per_visit, clock);
  result.median_us = median(result.samples_us);
  measurement.visits.push_back(std::move(result));
  if (std::string why = check(subject); !why.empty())
    refuse(measurement, "after the samples of round " + std::to_string(round), why);
}

double median_of_visits(const Measurement &measurement) {
  std::vector<double> medians;
  for (const Visit &visit : measurement.visits)
    medians.push_back(visit.median_us);
  return median(medians);
}

} // namespace

SamplingOptions SamplingOptions::quick() {
  SamplingOptions options;
  options.warm_up = 0.005;
  options.sample_length = 0.003;
  options.samples_per_visit = 5;
  options.max_rounds = 6;
  return options;
}

double steady_seconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double thread_cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

std::vector<Measurement> measure(const std::vector<Subject> &subjects,
                                 const SamplingOptions &options, const ProgressCallback &progress,
                                 const Clock &clock) {
  std::vector<const Subject *> objects;
  std::vector<Measurement> measurements;
  for (const Subject &subject : subjects) {
    objects.push_back(&subject);
    measurements.emplace_back().label = subject.label;
  }
  if (options.identical_object_control && !subjects.empty()) {
    objects.push_back(&subjects.front());
    Measurement &control = measurements.emplace_back();
    control.label = subjects.front().label + " (control)";
    control.is_control = true;
  }

  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (std::string why = check_one_run(*objects[i]); !why.empty())
      refuse(measurements[i], "before timing", why);
    else
      measurements[i].repetitions = measurements[i].is_control
                                        ? measurements.front().repetitions
                                        : calibrate(*objects[i], options.sample_length, clock);
  }

  std::vector<Order> rounds = visit_orders(objects.size(), options.max_rounds);
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (std::size_t position = 0; position < rounds[round].size(); ++position) {
      std::size_t i = rounds[round][position];
      if (measurements[i].refused())
        continue;
      if (progress)
        progress({round, rounds.size(), measurements[i].label});
      visit(*objects[i], measurements[i], options, round, position, clock);
    }

  for (Measurement &measurement : measurements)
    measurement.time_us = median_of_visits(measurement);
  return measurements;
}

Ratio ratio(const Measurement &a, const Measurement &b) {
  std::vector<double> times_a, times_b;
  if (a.visits.size() == b.visits.size())
    for (std::size_t i = 0; i < a.visits.size(); ++i) {
      times_a.push_back(a.visits[i].median_us);
      times_b.push_back(b.visits[i].median_us);
    }
  return paired_ratio(times_a, times_b);
}

Ratio noise_floor(const std::vector<Measurement> &measurements) {
  if (measurements.empty() || !measurements.back().is_control)
    return paired_ratio({}, {});
  return ratio(measurements.back(), measurements.front());
}

} // namespace tilewright
