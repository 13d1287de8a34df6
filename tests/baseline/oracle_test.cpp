#include "baseline/oracle.h"

#include <cmath>
#include <gtest/gtest.h>

namespace tilewright::oracle {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

void expect_near(const std::vector<double> &got, const std::vector<double> &want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], want[i], 1e-12) << i;
}

TEST(Oracle, RmsNorm) {
  // The mean square is (9 + 16) / 2; with eps 12.25 − 12.5 the root is 3.5.
  std::vector<float> x{3, 4}, gamma{2, -1};
  expect_near(rms_norm({1, 2}, x, gamma, -0.25), {6 / 3.5, -4 / 3.5});
}

TEST(Oracle, LayerNorm) {
  // Mean 2, variance 1.
  std::vector<float> x{1, 3, 3, 1}, gamma{2, 3}, beta{10, 20};
  expect_near(layer_norm({2, 2}, x, gamma, beta, 0), {8, 23, 12, 17});
}

TEST(Oracle, MaskedSoftmax) {
  std::vector<float> scores{0, std::log(3.0f), 99, 1, 2, 3};
  std::vector<std::uint8_t> mask{1, 1, 0, 0, 0, 0};
  std::vector<double> y = masked_softmax({2, 3}, scores, mask);
  EXPECT_NEAR(y[0], 0.25, 1e-7);
  EXPECT_NEAR(y[1], 0.75, 1e-7);
  for (std::size_t i = 2; i < 6; ++i)
    EXPECT_EQ(y[i], 0);
}

TEST(Oracle, MaskedSoftmaxSpecialValues) {
  // A lone +inf, an unmasked row of −inf, a NaN that is masked, a NaN that is not.
  std::vector<float> scores{inf, 0, -inf, -inf, NAN, 1, NAN, 1};
  std::vector<std::uint8_t> mask{1, 1, 1, 1, 0, 1, 1, 1};
  std::vector<double> y = masked_softmax({4, 2}, scores, mask);
  for (std::size_t i : {0, 1, 2, 3, 6, 7})
    EXPECT_TRUE(std::isnan(y[i])) << i;
  EXPECT_EQ(y[4], 0);
  EXPECT_EQ(y[5], 1);
}

TEST(Oracle, Swiglu) {
  std::vector<float> a{0, std::log(3.0f), -1000, 1000}, b{5, 4, 1, 2};
  std::vector<double> y = swiglu({1, 4}, a, b);
  EXPECT_EQ(y[0], 0);
  EXPECT_NEAR(y[1], std::log(3.0) * 3, 1e-6);
  EXPECT_EQ(y[2], 0);
  EXPECT_EQ(y[3], 2000);
}

TEST(Oracle, GeluResidual) {
  std::vector<float> x{0, 1, -40}, r{1, 2, 3};
  std::vector<double> y = gelu_residual({3, 1}, x, r);
  EXPECT_EQ(y[0], 1);
  EXPECT_NEAR(y[1], 2.841344746068543, 1e-12);
  EXPECT_EQ(y[2], 3);
}

TEST(Oracle, Rope) {
  std::vector<float> x{1, 2, 3, 4}, cos{0.5f, 2}, sin{0.25f, -1};
  expect_near(rope({1, 4}, x, cos, sin), {0.5 - 0.75, 4 + 4, 1.5 + 0.25, 8 - 2});
}

} // namespace
} // namespace tilewright::oracle
