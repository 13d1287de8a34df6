#include "measure/sampler.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace tilewright {
namespace {

/// A world whose time passes only when a subject runs.
struct World {
  double now = 0;
  std::vector<std::string> visited;

  Clock clock() {
    return [this] { return now; };
  }

  Subject subject(std::string label, double seconds_per_repetition) {
    Subject subject;
    subject.label = label;
    subject.prepare = [this, label] { visited.push_back(label); };
    subject.run = [this, seconds_per_repetition](std::int64_t repetitions) {
      now += seconds_per_repetition * double(repetitions);
    };
    return subject;
  }
};

SamplingOptions without_control() {
  SamplingOptions options;
  options.identical_object_control = false;
  return options;
}

TEST(Sampler, TimeIsPerRepetitionInMicroseconds) {
  World world;
  auto result = measure({world.subject("a", 2e-6)}, without_control(), {}, world.clock());
  ASSERT_EQ(result.size(), 1u);
  EXPECT_FALSE(result[0].refused());
  EXPECT_NEAR(result[0].time_us, 2.0, 1e-6);
  EXPECT_NEAR(double(result[0].repetitions), 15000, 1); // 30 ms of 2 us each
  ASSERT_EQ(result[0].visits.size(), 1u);
  EXPECT_EQ(result[0].visits[0].samples_us.size(), 7u);
}

TEST(Sampler, SlowSubjectsRunOncePerSample) {
  World world;
  auto result = measure({world.subject("slow", 0.5)}, without_control(), {}, world.clock());
  EXPECT_EQ(result[0].repetitions, 1);
  EXPECT_NEAR(result[0].time_us, 5e5, 1);
}

TEST(Sampler, VisitsEverySubjectInEveryRound) {
  World world;
  auto result =
      measure({world.subject("a", 1e-3), world.subject("b", 2e-3)}, {}, {}, world.clock());
  ASSERT_EQ(result.size(), 3u);
  EXPECT_TRUE(result[2].is_control);
  EXPECT_EQ(result[2].label, "a (control)");
  EXPECT_EQ(result[2].repetitions, result[0].repetitions);
  for (const Measurement &measurement : result) {
    ASSERT_EQ(measurement.visits.size(), 6u); // 3! orders
    std::multiset<std::size_t> positions;
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(measurement.visits[i].round, i);
      positions.insert(measurement.visits[i].position);
    }
    for (std::size_t position = 0; position < 3; ++position)
      EXPECT_EQ(positions.count(position), 2u);
  }
  // Three checked single runs, then six rounds of three visits, prepared each time.
  EXPECT_EQ(world.visited.size(), 3u + 18u);
  EXPECT_NEAR(ratio(result[0], result[1]).median, 0.5, 1e-9);
  EXPECT_EQ(ratio(result[0], result[1]).wins, 6u);
  EXPECT_NEAR(noise_floor(result).median, 1.0, 1e-9);
}

TEST(Sampler, RefusesToTimeAWrongSubject) {
  World world;
  Subject wrong = world.subject("wrong", 1e-3);
  wrong.check = [] { return std::string("element 3 is nan"); };
  auto result =
      measure({world.subject("right", 1e-3), wrong}, without_control(), {}, world.clock());
  EXPECT_FALSE(result[0].refused());
  EXPECT_EQ(result[0].visits.size(), 2u);
  EXPECT_TRUE(result[1].refused());
  EXPECT_EQ(result[1].refusal, "check failed before timing: element 3 is nan");
  EXPECT_TRUE(result[1].visits.empty());
  EXPECT_TRUE(std::isnan(result[1].time_us));
  EXPECT_EQ(ratio(result[0], result[1]).rounds, 0u);
}

TEST(Sampler, RefusesASubjectThatGoesWrongWhileTimed) {
  World world;
  int checks = 0;
  Subject subject = world.subject("unsteady", 1e-3);
  subject.check = [&checks] { return std::string(++checks > 2 ? "guard overwritten" : ""); };
  auto result =
      measure({subject, world.subject("steady", 1e-3)}, without_control(), {}, world.clock());
  EXPECT_EQ(result[0].refusal, "check failed after the samples of round 1: guard overwritten");
  EXPECT_TRUE(result[0].visits.empty());
  EXPECT_EQ(result[1].visits.size(), 2u);
}

TEST(Sampler, ReportsProgress) {
  World world;
  std::vector<std::string> seen;
  measure(
      {world.subject("a", 1e-3), world.subject("b", 1e-3)}, without_control(),
      [&](const Progress &progress) {
        EXPECT_EQ(progress.rounds, 2u);
        seen.push_back(std::to_string(progress.round) + progress.label);
      },
      world.clock());
  EXPECT_EQ(seen, (std::vector<std::string>{"0a", "0b", "1b", "1a"}));
}

TEST(Sampler, SurvivesAClockThatStandsStill) {
  SamplingOptions options = without_control();
  options.warm_up = 0;
  Subject subject;
  subject.label = "instant";
  subject.run = [](std::int64_t) {};
  auto result = measure({subject}, options, {}, [] { return 0.0; });
  EXPECT_EQ(result[0].time_us, 0);
}

TEST(Sampler, ClocksAdvance) {
  for (double (*clock)() : {steady_seconds, thread_cpu_seconds}) {
    double begin = clock();
    volatile double work = 0;
    while (clock() == begin)
      work = work + 1;
    EXPECT_GT(clock(), begin);
  }
}

TEST(Sampler, NothingToMeasure) { EXPECT_TRUE(measure({}).empty()); }

} // namespace
} // namespace tilewright
