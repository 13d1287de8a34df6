// erf against the C library's long double: accuracy over a sweep of the f32 inputs, special values,
// and the same bits at every width and instruction set.
#include <bit>

#include "run_math.h"

namespace tilewright::native {
namespace {

float from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }

/// Non-negative f32 inputs in ascending order: a sweep, all near the bounds of pieces and where erf
/// becomes 1, and infinity.
std::vector<float> inputs() {
  std::vector<uint32_t> all;
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 251)
    all.push_back(bits);
  for (float center : {0.0f, 0.5f, 1.0f, 1.125f, 1.84375f, 2.75f, 3.9192059f, 3.9375f})
    for (int step = -200; step <= 200; ++step)
      if (int64_t bits = int64_t{std::bit_cast<uint32_t>(center)} + step; bits >= 0)
        all.push_back(static_cast<uint32_t>(bits));
  all.push_back(0x7f7fffff);
  all.push_back(0x7f800000);
  std::sort(all.begin(), all.end());
  std::vector<float> values;
  for (uint32_t bits : all)
    values.push_back(from_bits(bits));
  return values;
}

TEST(Erf, F32IsWithinItsBoundAndOddAndTheSameEverywhere) {
  std::vector<float> positive = inputs(), negative = positive;
  for (float &x : negative)
    x = -x;
  std::vector<float> outputs = run<float>(host()->isa, 8, "math.erf", {positive});
  double worst = 0;
  float worst_input = 0;
  for (size_t i = 0; i < positive.size(); ++i) {
    double error = ulps_of(erfl(static_cast<long double>(positive[i])), outputs[i]);
    ASSERT_LE(outputs[i], 1.0f) << positive[i];
    if (error > worst) {
      worst = error;
      worst_input = positive[i];
    }
  }
  std::printf("largest error: %.4f ULP, erf(%a)\n", worst, static_cast<double>(worst_input));
  EXPECT_LE(worst, 1.0) << "erf(" << worst_input << ")";

  std::vector<float> mirrored = run<float>(host()->isa, 8, "math.erf", {negative});
  for (float &y : mirrored)
    y = -y;
  expect_same_bits(outputs, mirrored, "-erf(-x)");

  std::vector<float> sample, expected;
  for (size_t i = 0; i < positive.size(); i += 61) {
    sample.push_back(positive[i]);
    expected.push_back(outputs[i]);
  }
  expect_same_everywhere("math.erf", sample, expected);
}

TEST(Erf, SpecialValues) {
  std::vector<float> in{INFINITY, -INFINITY, 0.0f, -0.0f, 4.0f, -4.0f, 1e-45f};
  for (int width : {1, 8}) {
    std::vector<float> out = run<float>("", width, "math.erf", {in});
    expect_same_bits({1.0f, -1.0f, 0.0f, -0.0f, 1.0f, -1.0f, 1e-45f}, out, "special values");
    for (uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu})
      EXPECT_TRUE(std::isnan(run<float>("", width, "math.erf", {{from_bits(nan)}})[0])) << nan;
  }
}

TEST(Erf, IsExpandedWithoutCalls) {
  for (const char *isa : {"x86-64-v3", "x86-64-v4"})
    EXPECT_EQ(compile_for(isa, map_text("f", 2, 8, "    %y = math.erf %x0 : VEC\n")).notes,
              std::vector<std::string>{});
}

} // namespace
} // namespace tilewright::native
