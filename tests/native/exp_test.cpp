// exp against the C library's long double: accuracy over a sweep of all f32 inputs, special values,
// and the same bits at every width and instruction set.
#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "run_math.h"

namespace tilewright::native {
namespace {

std::vector<float> f32_inputs() {
  std::vector<float> inputs;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 257)
    inputs.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  // Around zero, the largest and smallest results, the first subnormal result, and infinity.
  for (float center : {0.0f, -0.0f, 88.722839f, -103.972084f, -87.336544f, -104.0f, 89.0f, FLT_MAX,
                       -FLT_MAX, 0.34657359f, -0.34657359f, 1.0f, -1.0f}) {
    float up = center, down = center;
    for (int step = 0; step < 100; ++step) {
      inputs.push_back(up);
      inputs.push_back(down);
      up = std::nextafter(up, INFINITY);
      down = std::nextafter(down, -INFINITY);
    }
  }
  for (uint32_t nan : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu, 0xffc12345u})
    inputs.push_back(std::bit_cast<float>(nan));
  return inputs;
}

std::vector<double> f64_inputs() {
  std::vector<double> inputs;
  uint64_t state = 1;
  for (int i = 0; i < 1 << 20; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    inputs.push_back(-760.0 + 1480.0 * static_cast<double>(state >> 11) / 0x1p53);
  }
  for (double center : {0.0, 709.782712893384, -745.13321910194122, -708.39641853226408, -746.0})
    for (int step = -50; step <= 50; ++step)
      inputs.push_back(center + step * 0x1p-43);
  for (double special : std::initializer_list<double>{
           -0.0, INFINITY, -INFINITY, static_cast<double>(NAN), 1e300, -1e300, 5e-324})
    inputs.push_back(special);
  return inputs;
}

/// The error of `got` for exp(x), in units of the last place of the right answer.
template <typename T>
double ulps(T x, T got) {
  return ulps_of(expl(static_cast<long double>(x)), got);
}

template <typename T>
void expect_accurate(const std::vector<T> &inputs, const std::vector<T> &outputs) {
  double worst = 0;
  T worst_input = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (std::isnan(inputs[i])) {
      ASSERT_TRUE(std::isnan(outputs[i])) << i;
      continue;
    }
    double error = ulps(inputs[i], outputs[i]);
    if (error > worst) {
      worst = error;
      worst_input = inputs[i];
    }
  }
  std::printf("largest error: %.4f ULP, exp(%a)\n", worst, static_cast<double>(worst_input));
  EXPECT_LE(worst, 1.0) << "exp(" << worst_input << ")";
}

TEST(Exp, F32IsWithinOneUlpAndTheSameEverywhere) {
  std::vector<float> inputs = f32_inputs();
  std::string host_isa = host()->isa;
  std::vector<float> outputs = run<float>(host_isa, 8, "math.exp", {inputs});
  expect_accurate(inputs, outputs);
  // Every tenth of the sweep, and all special neighbourhoods, which come last.
  std::vector<float> sample, expected;
  for (size_t i = 0; i < inputs.size(); i += inputs.size() - i > 3000 ? 10 : 1) {
    sample.push_back(inputs[i]);
    expected.push_back(outputs[i]);
  }
  expect_same_everywhere("math.exp", sample, expected);
}

TEST(Exp, F64IsWithinOneUlpAndTheSameEverywhere) {
  std::vector<double> inputs = f64_inputs();
  std::vector<double> outputs = run<double>(host()->isa, 4, "math.exp", {inputs});
  expect_accurate(inputs, outputs);
  expect_same_everywhere("math.exp", inputs, outputs);
}

/// constant + exp(-x) against the sum of the constant and what exp gives for the negated inputs.
template <typename T>
void expect_same_sum(const std::vector<T> &inputs, const std::string &constant, T value) {
  std::vector<T> negated = inputs;
  for (T &x : negated)
    x = -x;
  std::vector<T> expected = run<T>(host()->isa, 4, "math.exp", {inputs});
  for (int width : {1, 4, 8}) {
    std::string type = width == 1 ? constant : "dense<" + constant + ">";
    std::string body = "    %c = arith.constant " + type +
                       " : VEC\n"
                       "    %n = arith.negf %x0 : VEC\n"
                       "    %e = math.exp %n : VEC\n"
                       "    %y = arith.addf %c, %e : VEC\n";
    std::vector<T> got = run_body<T>(host()->isa, width, body, {negated});
    for (size_t i = 0; i < inputs.size(); ++i) {
      T sum = value + expected[i];
      if (std::isnan(sum))
        ASSERT_TRUE(std::isnan(got[i])) << constant << " + exp(" << inputs[i] << ")";
      else
        ASSERT_EQ(got[i], sum) << constant << " + exp(" << inputs[i] << ")";
    }
  }
}

TEST(Exp, AddedToAConstantItHasTheSameBits) {
  // The last two are too small and too large for the shorter expansion.
  expect_same_sum<float>(f32_inputs(), "1.0", 1);
  expect_same_sum<float>(f32_inputs(), "0x21800000", 0x1p-60f);
  expect_same_sum<float>(f32_inputs(), "0xDD800000", -0x1p60f);
  expect_same_sum<float>(f32_inputs(), "0x21000000", 0x1p-61f);
  expect_same_sum<float>(f32_inputs(), "0xF3800000", -0x1p104f);
  expect_same_sum<double>(f64_inputs(), "1.0", 1);
  expect_same_sum<double>(f64_inputs(), "0x3C30000000000000", 0x1p-60);
  expect_same_sum<double>(f64_inputs(), "0xC3B0000000000000", -0x1p60);
}

TEST(Exp, OfWhatIsNeverPositiveHasTheSameBits) {
  std::vector<float> inputs = f32_inputs();
  std::erase_if(inputs, [](float x) { return x > 0; });
  std::vector<float> expected = run<float>(host()->isa, 8, "math.exp", {inputs});
  for (int width : {1, 4, 8}) {
    std::vector<float> got = run_body<float>(
        host()->isa, width, "    %y = math.exp %x0 {tile.never_positive} : VEC\n", {inputs});
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (std::isnan(inputs[i]))
        ASSERT_TRUE(std::isnan(got[i])) << i;
      else
        ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(expected[i]))
            << "exp(" << inputs[i] << ")";
    }
  }
}

TEST(Exp, SpecialValues) {
  std::vector<float> in{INFINITY, -INFINITY, 0.0f, -0.0f, 1e-45f, 88.73f, -104.0f, -103.9f};
  std::vector<float> out = run<float>("", 8, "math.exp", {in});
  EXPECT_EQ(out, (std::vector<float>{INFINITY, 0.0f, 1.0f, 1.0f, 1.0f, INFINITY, 0.0f,
                                     std::bit_cast<float>(1u)}));
}

// Masks are made of exp(-inf), and an underflow takes a processor many times as long.
TEST(Exp, OfMinusInfinityIsNoUnderflow) {
  for (std::string fact : {"", "{tile.never_positive} "})
    for (int width : {1, 8}) {
      std::string body = "    %y = math.exp %x0 " + fact + ": VEC\n";
      NativeCode code = compile_for("", map_text("f", 2, width, body));
      ASSERT_NE(code.symbols["f"], nullptr);
      for (float x : {-INFINITY, -100.0f}) {
        std::vector<float> in(8, x), out(8, -1.0f);
        std::feclearexcept(FE_ALL_EXCEPT);
        launch<float>(code.symbols["f"], {&in, &out}, 8);
        EXPECT_EQ(std::fetestexcept(FE_UNDERFLOW) != 0, x == -100.0f) << x;
      }
    }
}

TEST(MinimumMaximum, PropagateNanAndOrderZeros) {
  const std::vector<float> values{NAN, -NAN, 0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, 1e-45f};
  std::vector<float> a, b;
  for (float left : values)
    for (float right : values) {
      a.push_back(left);
      b.push_back(right);
    }
  for (int width : {1, 4, 8, 16}) {
    std::vector<float> low = run<float>("", width, "arith.minimumf", {a, b});
    std::vector<float> high = run<float>("", width, "arith.maximumf", {a, b});
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::isnan(a[i]) || std::isnan(b[i])) {
        EXPECT_TRUE(std::isnan(low[i]) && std::isnan(high[i])) << a[i] << " " << b[i];
        continue;
      }
      bool a_first = a[i] < b[i] || (a[i] == b[i] && std::signbit(a[i]));
      float expected_low = a_first ? a[i] : b[i];
      float expected_high = a_first ? b[i] : a[i];
      EXPECT_EQ(std::bit_cast<uint32_t>(low[i]), std::bit_cast<uint32_t>(expected_low))
          << a[i] << " " << b[i];
      EXPECT_EQ(std::bit_cast<uint32_t>(high[i]), std::bit_cast<uint32_t>(expected_high))
          << a[i] << " " << b[i];
    }
  }
}

TEST(MinimumMaximum, OfANumberFirstLeaveNanOut) {
  const std::vector<float> values{NAN, 1.0f, -1.0f, INFINITY, -INFINITY, 1e-45f};
  std::vector<float> a, b;
  for (float left : values)
    for (float right : values)
      if (!std::isnan(left)) {
        a.push_back(left);
        b.push_back(right);
      }
  for (int width : {1, 4, 8}) {
    auto run_marked = [&](const std::string &op) {
      return run_body<float>("", width,
                             "    %y = " + op + " %x0, %x1 {tile.first_is_number} : VEC\n", {a, b});
    };
    std::vector<float> low = run_marked("arith.minnumf"), high = run_marked("arith.maxnumf");
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(low[i], std::fmin(a[i], b[i])) << a[i] << " " << b[i];
      EXPECT_EQ(high[i], std::fmax(a[i], b[i])) << a[i] << " " << b[i];
    }
  }
}

TEST(LibraryCalls, AreMadePerLaneWithANote) {
  std::vector<float> in{0.5f, 1.0f, 2.0f, 1e-40f, INFINITY};
  std::vector<float> out = run<float>("", 8, "math.log", {in});
  for (size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], std::log(in[i]));
  NativeCode code = compile_for("", map_text("f", 2, 8, "    %y = math.tanh %x0 : VEC\n"));
  EXPECT_EQ(code.notes, std::vector<std::string>{"calls the C library's tanhf once per lane: this "
                                                 "function has no vector expansion yet"});
}

} // namespace
} // namespace tilewright::native
