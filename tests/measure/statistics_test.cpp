#include "measure/statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace tilewright {
namespace {

TEST(Statistics, MedianOfOddCountIsTheMiddleValue) {
  EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
  EXPECT_EQ(median(std::vector<double>{100, 2, 2, 3, 1}), 2);
}

TEST(Statistics, MedianOfEvenCountIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 100}), 3.5);
  EXPECT_EQ(median(std::vector<double>{2, 6}), 4);
}

TEST(Statistics, MedianOfNothingIsNaN) { EXPECT_TRUE(std::isnan(median({}))); }

TEST(Statistics, RatioIsTheMedianOfSameRoundRatios) {
  // The machine slows down fourfold in round 1; the paired ratios do not notice.
  std::vector<double> a{1, 8, 3}, b{2, 16, 2};
  Ratio ratio = paired_ratio(a, b);
  EXPECT_EQ(ratio.median, 0.5); // the ratio of medians would be 3 / 2
  EXPECT_EQ(ratio.lowest, 0.5);
  EXPECT_EQ(ratio.highest, 1.5);
  EXPECT_EQ(ratio.wins, 2u);
  EXPECT_EQ(ratio.rounds, 3u);
}

TEST(Statistics, EqualTimesAreNoWin) {
  std::vector<double> times{1, 2};
  Ratio ratio = paired_ratio(times, times);
  EXPECT_EQ(ratio.median, 1);
  EXPECT_EQ(ratio.wins, 0u);
}

TEST(Statistics, RatioOfNoRoundsIsNaN) {
  Ratio ratio = paired_ratio({}, {});
  EXPECT_TRUE(std::isnan(ratio.median));
  EXPECT_EQ(ratio.rounds, 0u);
}

} // namespace
} // namespace tilewright
