#include "measure/compare.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace tilewright {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

Comparison compare_lists(std::vector<float> got, std::vector<double> want,
                         Tolerance tolerance = {}) {
  return compare(got, want, tolerance);
}

TEST(Compare, EqualValuesPass) {
  Comparison result = compare_lists({1, -2, 0, inf, -inf, nan}, {1, -2, 0, inf, -inf, nan});
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.nan_agrees);
  EXPECT_TRUE(result.message.empty());
  EXPECT_EQ(result.max_absolute_error, 0);
}

TEST(Compare, ReportsTheLargestErrorsAndTheFirstFailure) {
  Comparison result = compare_lists({1.0f, 2.5f, 8.0f, 0.25f}, {1, 2, 10, 0}, {0.4, 0});
  EXPECT_EQ(result.failures, 2u);
  EXPECT_EQ(result.first_failure, 1u);
  EXPECT_EQ(result.max_absolute_error, 2);
  EXPECT_EQ(result.max_relative_error, 0.25);
  EXPECT_EQ(result.message, "element 1 is 2.5, want 2");
}

TEST(Compare, ToleranceIsAbsolutePlusRelative) {
  EXPECT_TRUE(compare_lists({1000.75f}, {1000}, {0.25, 5e-4}).ok());
  EXPECT_FALSE(compare_lists({1000.875f}, {1000}, {0.25, 5e-4}).ok());
}

TEST(Compare, NaNOnOneSideFails) {
  Comparison result = compare_lists({nan, 1}, {0, nan});
  EXPECT_EQ(result.failures, 2u);
  EXPECT_FALSE(result.nan_agrees);
}

TEST(Compare, InfinityMatchesOnlyItself) {
  EXPECT_FALSE(compare_lists({inf}, {-inf}).ok());
  EXPECT_FALSE(compare_lists({3e38f}, {std::numeric_limits<double>::infinity()}).ok());
  EXPECT_FALSE(compare_lists({inf}, {3e38}).ok());
}

TEST(Compare, LengthsMustAgree) {
  Comparison result = compare_lists({1, 2}, {1, 2, 3});
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.first_failure, 2u);
  EXPECT_EQ(result.message, "got 2 elements, want 3");
}

TEST(Compare, Doubles) {
  std::vector<double> got{1.0 + 1e-9}, want{1.0};
  EXPECT_TRUE(compare(got, want).ok());
  EXPECT_FALSE(compare(got, want, {0, 1e-10}).ok());
}

} // namespace
} // namespace tilewright
