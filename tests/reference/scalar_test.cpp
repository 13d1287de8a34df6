// Every scalar operation of the reference, with answers written by hand.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "reference/scalar_functions.h"

namespace tilewright::reference {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Scalar call(std::string_view name, std::vector<Scalar> operands, Kind result,
            int64_t predicate = 0) {
  ScalarFunction function = find_scalar_function(name);
  EXPECT_NE(function, nullptr) << name;
  return function({operands, result, predicate, {}});
}

float f32(std::string_view name, float x) { return call(name, {real(x)}, Kind::f32).f32; }
float f32(std::string_view name, float x, float y) {
  return call(name, {real(x), real(y)}, Kind::f32).f32;
}

int64_t i32(std::string_view name, int64_t x, int64_t y) {
  auto a = integer(Kind::i32, static_cast<uint64_t>(x));
  auto b = integer(Kind::i32, static_cast<uint64_t>(y));
  return call(name, {a, b}, Kind::i32).integer;
}

bool cmpf(int64_t predicate, float x, float y) {
  return is_true(call("arith.cmpf", {real(x), real(y)}, Kind::i1, predicate));
}

bool cmpi(int64_t predicate, int64_t x, int64_t y) {
  auto a = integer(Kind::i8, static_cast<uint64_t>(x));
  auto b = integer(Kind::i8, static_cast<uint64_t>(y));
  return is_true(call("arith.cmpi", {a, b}, Kind::i1, predicate));
}

TEST(Real, ArithmeticRoundsOnceInItsOwnType) {
  EXPECT_EQ(f32("arith.addf", 16777216.0f, 1.0f), 16777216.0f); // 2^24 + 1 is no float
  EXPECT_EQ(f32("arith.subf", 1.5f, 0.25f), 1.25f);
  EXPECT_EQ(f32("arith.mulf", 1e30f, 1e30f), infinity);
  EXPECT_EQ(f32("arith.divf", 1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(f32("arith.divf", -1.0f, 0.0f), -infinity);
  EXPECT_EQ(f32("arith.remf", -7.5f, 2.0f), -1.5f);
  EXPECT_EQ(f32("math.sqrt", 2.0f), 1.41421356f);
  EXPECT_EQ(f32("math.rsqrt", 4.0f), 0.5f);
  double sum = call("arith.addf", {real(16777216.0), real(1.0)}, Kind::f64).f64;
  EXPECT_EQ(sum, 16777217.0);
}

TEST(Real, SubnormalsAreKept) {
  float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(f32("arith.addf", least, least), 2 * least);
  EXPECT_EQ(f32("arith.mulf", std::numeric_limits<float>::min(), 0.5f), 0x1p-127f);
}

TEST(Real, NegationChangesTheSignOfZero) {
  EXPECT_TRUE(std::signbit(f32("arith.negf", 0.0f)));
  EXPECT_FALSE(std::signbit(f32("math.absf", -0.0f)));
  EXPECT_EQ(f32("math.copysign", 3.0f, -0.0f), -3.0f);
}

TEST(Real, FmaRoundsOnce) {
  float x = 1.0f + 0x1p-12f; // x * x = 1 + 2^-11 + 2^-24
  Scalar fused = call("math.fma", {real(x), real(x), real(-1.0f)}, Kind::f32);
  EXPECT_EQ(fused.f32, 0x1p-11f + 0x1p-24f);
  EXPECT_EQ(f32("arith.addf", f32("arith.mulf", x, x), -1.0f), 0x1p-11f);
}

TEST(Real, MaximumPropagatesNanAndOrdersZeros) {
  EXPECT_TRUE(std::isnan(f32("arith.maximumf", nan, 1.0f)));
  EXPECT_TRUE(std::isnan(f32("arith.minimumf", 1.0f, nan)));
  EXPECT_FALSE(std::signbit(f32("arith.maximumf", -0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(f32("arith.maximumf", 0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(f32("arith.minimumf", -0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(f32("arith.minimumf", 0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(f32("arith.maximumf", -0.0f, -infinity)));
  EXPECT_EQ(f32("arith.maxnumf", nan, 1.0f), 1.0f);
  EXPECT_EQ(f32("arith.minnumf", 1.0f, nan), 1.0f);
}

TEST(Real, RoundingToWholeNumbers) {
  EXPECT_EQ(f32("math.floor", -1.5f), -2.0f);
  EXPECT_EQ(f32("math.ceil", -1.5f), -1.0f);
  EXPECT_EQ(f32("math.trunc", -1.5f), -1.0f);
  EXPECT_EQ(f32("math.round", 2.5f), 3.0f);
  EXPECT_EQ(f32("math.roundeven", 2.5f), 2.0f);
  EXPECT_TRUE(std::signbit(f32("math.ceil", -0.5f)));
}

TEST(Real, PredicatesOfComparison) {
  // false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true
  std::vector<bool> less, equal, greater, unordered;
  for (int64_t predicate = 0; predicate < 16; ++predicate) {
    less.push_back(cmpf(predicate, 1.0f, 2.0f));
    equal.push_back(cmpf(predicate, -0.0f, 0.0f));
    greater.push_back(cmpf(predicate, 2.0f, 1.0f));
    unordered.push_back(cmpf(predicate, nan, 1.0f));
  }
  using testing::ElementsAre;
  EXPECT_THAT(less, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1));
  EXPECT_THAT(equal, ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1));
  EXPECT_THAT(greater, ElementsAre(0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1));
  EXPECT_THAT(unordered, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(Real, Classification) {
  EXPECT_TRUE(is_true(call("math.isnan", {real(nan)}, Kind::i1)));
  EXPECT_TRUE(is_true(call("math.isinf", {real(-infinity)}, Kind::i1)));
  EXPECT_FALSE(is_true(call("math.isfinite", {real(infinity)}, Kind::i1)));
}

TEST(Real, FunctionsAtTheirEdges) {
  EXPECT_EQ(f32("math.exp", -infinity), 0.0f);
  EXPECT_EQ(f32("math.exp", 89.0f), infinity);
  EXPECT_EQ(f32("math.exp", 1.0f), 2.71828183f);
  EXPECT_EQ(f32("math.exp2", -149.0f), 0x1p-149f);
  EXPECT_EQ(f32("math.expm1", 1e-10f), 1e-10f);
  EXPECT_EQ(f32("math.log", 0.0f), -infinity);
  EXPECT_FLOAT_EQ(f32("math.log", 1e-40f), -92.1034f);
  EXPECT_EQ(f32("math.log2", 8.0f), 3.0f);
  EXPECT_EQ(f32("math.log10", 1000.0f), 3.0f);
  EXPECT_EQ(f32("math.log1p", 1e-10f), 1e-10f);
  EXPECT_EQ(f32("math.tanh", 1e-9f), 1e-9f);
  EXPECT_FLOAT_EQ(f32("math.erf", 3e-12f), 3.385137e-12f);
  EXPECT_TRUE(std::signbit(f32("math.erf", -0.0f)));
  EXPECT_EQ(f32("math.erfc", 0.0f), 1.0f);
  EXPECT_TRUE(std::isnan(f32("math.sin", infinity)));
  EXPECT_EQ(f32("math.cos", 0.0f), 1.0f);
  EXPECT_EQ(f32("math.tan", 0.0f), 0.0f);
  EXPECT_FLOAT_EQ(f32("math.asin", 1.0f), 1.57079633f);
  EXPECT_EQ(f32("math.acos", 1.0f), 0.0f);
  EXPECT_FLOAT_EQ(f32("math.atan", infinity), 1.57079633f);
  EXPECT_FLOAT_EQ(f32("math.atan2", 0.0f, -1.0f), 3.14159265f);
  EXPECT_EQ(f32("math.sinh", 0.0f), 0.0f);
  EXPECT_EQ(f32("math.cosh", 0.0f), 1.0f);
  EXPECT_EQ(f32("math.powf", 2.0f, 10.0f), 1024.0f);
  EXPECT_EQ(f32("math.cbrt", -8.0f), -2.0f);
  Scalar power = call("math.fpowi", {real(2.0f), integer(Kind::i32, 5)}, Kind::f32);
  EXPECT_EQ(power.f32, 32.0f);
}

constexpr int64_t least32 = std::numeric_limits<int32_t>::min();

TEST(Integer, Wraps) {
  EXPECT_EQ(i32("arith.addi", 2147483647, 1), least32);
  EXPECT_EQ(i32("arith.subi", least32, 1), 2147483647);
  EXPECT_EQ(i32("arith.muli", 65536, 65536), 0);
  EXPECT_EQ(i32("arith.andi", 12, 10), 8);
  EXPECT_EQ(i32("arith.ori", 12, 10), 14);
  EXPECT_EQ(i32("arith.xori", 12, -1), -13);
}

TEST(Integer, DivisionNeverTraps) {
  EXPECT_EQ(i32("arith.divsi", -7, 2), -3);
  EXPECT_EQ(i32("arith.divsi", 5, 0), 0);
  EXPECT_EQ(i32("arith.divsi", least32, -1), least32);
  EXPECT_EQ(i32("arith.remsi", -7, 2), -1);
  EXPECT_EQ(i32("arith.remsi", 5, 0), 5);
  EXPECT_EQ(i32("arith.remsi", least32, -1), 0);
  EXPECT_EQ(i32("arith.floordivsi", -7, 2), -4);
  EXPECT_EQ(i32("arith.floordivsi", 7, -2), -4);
  EXPECT_EQ(i32("arith.floordivsi", -8, 2), -4);
  EXPECT_EQ(i32("arith.floordivsi", 5, 0), 0);
  EXPECT_EQ(i32("arith.ceildivsi", 7, 2), 4);
  EXPECT_EQ(i32("arith.ceildivsi", -7, 2), -3);
  EXPECT_EQ(i32("arith.divui", -1, 2), 2147483647);
  EXPECT_EQ(i32("arith.divui", 5, 0), 0);
  EXPECT_EQ(i32("arith.remui", -1, 10), 5);
  EXPECT_EQ(i32("arith.remui", 5, 0), 5);
  EXPECT_EQ(i32("arith.ceildivui", 7, 2), 4);
  auto least64 = integer(Kind::i64, uint64_t(1) << 63), minus_one = integer(Kind::i64, ~0ull);
  EXPECT_EQ(call("arith.divsi", {least64, minus_one}, Kind::i64).integer, least64.integer);
  EXPECT_EQ(call("arith.remsi", {least64, minus_one}, Kind::i64).integer, 0);
}

TEST(Integer, ShiftsByTheWidthOrMore) {
  EXPECT_EQ(i32("arith.shli", 1, 31), least32);
  EXPECT_EQ(i32("arith.shli", 1, 32), 0);
  EXPECT_EQ(i32("arith.shli", 1, -1), 0);
  EXPECT_EQ(i32("arith.shrui", -1, 31), 1);
  EXPECT_EQ(i32("arith.shrui", -1, 32), 0);
  EXPECT_EQ(i32("arith.shrsi", -8, 1), -4);
  EXPECT_EQ(i32("arith.shrsi", -8, 100), -1);
  EXPECT_EQ(i32("arith.shrsi", 8, 100), 0);
}

TEST(Integer, Order) {
  EXPECT_EQ(i32("arith.maxsi", -1, 1), 1);
  EXPECT_EQ(i32("arith.maxui", -1, 1), -1);
  EXPECT_EQ(i32("arith.minsi", -1, 1), -1);
  EXPECT_EQ(i32("arith.minui", -1, 1), 1);
  // eq ne slt sle sgt sge ult ule ugt uge
  std::vector<bool> answers;
  for (int64_t predicate = 0; predicate < 10; ++predicate)
    answers.push_back(cmpi(predicate, -1, 1));
  EXPECT_THAT(answers, testing::ElementsAre(0, 1, 1, 1, 0, 0, 0, 0, 1, 1));
}

TEST(Integer, Bits) {
  auto of = [](std::string_view name, uint64_t x) {
    return call(name, {integer(Kind::i16, x)}, Kind::i16).integer;
  };
  EXPECT_EQ(of("math.absi", 0x8000), -32768);
  EXPECT_EQ(of("math.absi", 0xffff), 1);
  EXPECT_EQ(of("math.ctlz", 1), 15);
  EXPECT_EQ(of("math.ctlz", 0), 16);
  EXPECT_EQ(of("math.cttz", 8), 3);
  EXPECT_EQ(of("math.cttz", 0), 16);
  EXPECT_EQ(of("math.ctpop", 0xffff), 16);
}

TEST(Cast, RealToIntegerSaturates) {
  auto to = [](std::string_view name, double x, Kind kind) {
    return call(name, {real(x)}, kind).integer;
  };
  EXPECT_EQ(to("arith.fptosi", -1.9, Kind::i32), -1);
  EXPECT_EQ(to("arith.fptosi", 3e9, Kind::i32), 2147483647);
  EXPECT_EQ(to("arith.fptosi", -3e9, Kind::i32), least32);
  EXPECT_EQ(to("arith.fptosi", std::nan(""), Kind::i32), 0);
  EXPECT_EQ(to("arith.fptosi", HUGE_VAL, Kind::i64), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(to("arith.fptosi", 200.0, Kind::i8), 127);
  EXPECT_EQ(to("arith.fptoui", 200.0, Kind::i8), -56); // 200 as eight bits
  EXPECT_EQ(to("arith.fptoui", 300.0, Kind::i8), -1);  // 255 as eight bits
  EXPECT_EQ(to("arith.fptoui", -0.5, Kind::i8), 0);
  EXPECT_EQ(to("arith.fptoui", -5.0, Kind::i8), 0);
  EXPECT_EQ(to("arith.fptoui", std::nan(""), Kind::i8), 0);
}

TEST(Cast, IntegerToReal) {
  auto minus_one = integer(Kind::i8, 0xff);
  EXPECT_EQ(call("arith.sitofp", {minus_one}, Kind::f32).f32, -1.0f);
  EXPECT_EQ(call("arith.uitofp", {minus_one}, Kind::f32).f32, 255.0f);
  EXPECT_EQ(call("arith.uitofp", {boolean(true)}, Kind::f64).f64, 1.0);
  // Straight to float: by way of double, this would round twice, to 2^60.
  auto wide = integer(Kind::i64, (uint64_t(1) << 60) + (uint64_t(1) << 36) + 1);
  EXPECT_EQ(call("arith.sitofp", {wide}, Kind::f32).f32, 0x1p60f + 0x1p37f);
}

TEST(Cast, BetweenIntegers) {
  auto minus_two = integer(Kind::i8, 0xfe);
  EXPECT_EQ(call("arith.extsi", {minus_two}, Kind::i32).integer, -2);
  EXPECT_EQ(call("arith.extui", {minus_two}, Kind::i32).integer, 254);
  EXPECT_EQ(call("arith.trunci", {integer(Kind::i32, 0x1ff)}, Kind::i8).integer, -1);
  EXPECT_EQ(call("arith.index_cast", {minus_two}, Kind::i64).integer, -2);
  EXPECT_EQ(call("arith.index_castui", {minus_two}, Kind::i64).integer, 254);
  EXPECT_EQ(call("arith.extui", {boolean(true)}, Kind::i32).integer, 1);
  EXPECT_EQ(call("arith.extsi", {boolean(true)}, Kind::i32).integer, -1);
}

TEST(Cast, BetweenReals) {
  EXPECT_EQ(call("arith.truncf", {real(1.0 + 0x1p-24)}, Kind::f32).f32, 1.0f); // ties to even
  EXPECT_EQ(call("arith.extf", {real(0.1f)}, Kind::f64).f64, static_cast<double>(0.1f));
}

TEST(Cast, BitsStay) {
  EXPECT_EQ(call("arith.bitcast", {real(1.0f)}, Kind::i32).integer, 0x3f800000);
  EXPECT_EQ(call("arith.bitcast", {integer(Kind::i32, 0x3f800000)}, Kind::f32).f32, 1.0f);
  EXPECT_EQ(call("arith.bitcast", {integer(Kind::i64, 0x3ff0000000000000)}, Kind::f64).f64, 1.0);
  // An f32 that is computed in double precision has the bits of the f32.
  EXPECT_EQ(call("arith.bitcast", {real(1.0)}, Kind::i32).integer, 0x3f800000);
  EXPECT_EQ(call("arith.bitcast", {integer(Kind::i32, 0x3f800000)}, Kind::f64).f64, 1.0);
}

TEST(Cast, SelectTakesOneOfTwo) {
  EXPECT_EQ(call("arith.select", {boolean(true), real(1.0f), real(2.0f)}, Kind::f32).f32, 1.0f);
  EXPECT_EQ(call("arith.select", {boolean(false), real(1.0f), real(2.0f)}, Kind::f32).f32, 2.0f);
}

TEST(Table, KnowsNothingElse) { EXPECT_EQ(find_scalar_function("arith.unknown"), nullptr); }

} // namespace
} // namespace tilewright::reference
