// Reductions: seeds, lengths, order and the canonical grouping.
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include "run_kernel.h"

namespace tilewright {
namespace {

using testing::ElementsAre;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Reduction {
  std::string operation = "arith.addf"; // of accumulator and element, and of two accumulators
  std::string seed = "0.0";
  std::string identity = "-0.0";
  std::string order = "unordered grouping <slots = 64>";
};

constexpr const char *reduce_text = R"(
tile.kernel @reduce(%x: !tile.view<const ?xf32, unit = none>, %y: !tile.view<1xf32>) {
  tile.axis @c = %x[0] : !tile.view<const ?xf32, unit = none>
  %zero = arith.constant 0 : index
  %seed = arith.constant ${SEED} : f32
  %v = tile.load %x[@c] : !tile.view<const ?xf32, unit = none> -> !tile.tile<[c:?], f32>
  %s = tile.reduce (%v) over [@c] seed (%seed) identity [${IDENTITY} : f32] ${ORDER}
      : (!tile.tile<[c:?], f32>), (f32) -> (f32)
    step {
    ^bb0(%a: f32, %e: f32):
      ${STEP}
      tile.yield %n : f32
    } merge {
    ^bb0(%l: f32, %r: f32):
      ${MERGE}
      tile.yield %n : f32
    }
  tile.store %s, %y[%zero] : f32, !tile.view<1xf32>
})";

float run_reduction(std::vector<float> x, const Reduction &how, const std::string &step) {
  float y = -99.0f;
  std::string text = fill(reduce_text, {{"SEED", how.seed},
                                        {"IDENTITY", how.identity},
                                        {"ORDER", how.order},
                                        {"STEP", step},
                                        {"MERGE", "%n = " + how.operation + " %l, %r : f32"}});
  run_kernel(text, {view(x), view(&y, {1})});
  return y;
}

float reduce(std::vector<float> x, const Reduction &how = {}) {
  return run_reduction(std::move(x), how, "%n = " + how.operation + " %a, %e : f32");
}

TEST(Reduce, SumsEveryLength) {
  for (int length : {0, 1, 2, 63, 64, 65, 127, 128, 129, 8193}) {
    std::vector<float> x;
    for (int i = 1; i <= length; ++i)
      x.push_back(static_cast<float>(i % 7));
    float sum = 0;
    for (float value : x)
      sum += value; // small whole numbers: exact in any order
    EXPECT_EQ(reduce(x), sum) << length;
  }
}

TEST(Reduce, TheSeedCountsOnce) {
  EXPECT_EQ(reduce({}, {.seed = "2.5"}), 2.5f);
  EXPECT_EQ(reduce(std::vector<float>(129, 1.0f), {.seed = "2.5"}), 131.5f);
  EXPECT_EQ(reduce(std::vector<float>(129, 1.0f), {.seed = "2.5", .order = "fold_left"}), 131.5f);
  EXPECT_EQ(reduce({3, 2}, {.operation = "arith.mulf", .seed = "2.0", .identity = "1.0"}), 12.0f);
}

TEST(Reduce, NegativeZerosSumToNegativeZero) {
  for (size_t length : {1, 64, 65}) {
    float sum = reduce(std::vector<float>(length, -0.0f), {.seed = "-0.0"});
    EXPECT_EQ(sum, 0.0f);
    EXPECT_TRUE(std::signbit(sum)) << length;
  }
  EXPECT_FALSE(std::signbit(reduce({-0.0f}, {.seed = "0.0"})));
}

TEST(Reduce, MaximumOfNegativeZeros) {
  Reduction maximum = {
      .operation = "arith.maximumf", .seed = "0xFF800000", .identity = "0xFF800000"};
  float result = reduce(std::vector<float>(8193, -0.0f), maximum);
  EXPECT_EQ(result, 0.0f);
  EXPECT_TRUE(std::signbit(result));
  EXPECT_EQ(reduce({}, maximum), -infinity);
  EXPECT_EQ(reduce({-3, -1, -2}, maximum), -1.0f);
}

TEST(Reduce, NanAnywhereGivesNan) {
  for (size_t length : {1, 64, 65, 129})
    for (size_t at : {size_t(0), length / 2, length - 1}) {
      std::vector<float> x(length, 1.0f);
      x[at] = nan;
      Reduction maximum = {
          .operation = "arith.maximumf", .seed = "0xFF800000", .identity = "0xFF800000"};
      Reduction minimum = {
          .operation = "arith.minimumf", .seed = "0x7F800000", .identity = "0x7F800000"};
      EXPECT_TRUE(std::isnan(reduce(x)));
      EXPECT_TRUE(std::isnan(reduce(x, maximum)));
      EXPECT_TRUE(std::isnan(reduce(x, minimum)));
    }
}

TEST(Reduce, FoldsSubtractFromEachSide) {
  std::string left = "%n = arith.subf %a, %e : f32", right = "%n = arith.subf %e, %a : f32";
  EXPECT_EQ(run_reduction({1, 2, 3}, {.order = "fold_left"}, left), -6.0f);
  EXPECT_EQ(run_reduction({1, 2, 3}, {.order = "fold_right"}, right), 2.0f);
}

// 2^24 + 1 rounds to 2^24, so the order shows in the sum.
TEST(Reduce, FoldsRunInOrder) {
  EXPECT_EQ(reduce({0x1p24f, 1, 1}, {.order = "fold_left"}), 0x1p24f);
  EXPECT_EQ(reduce({0x1p24f, 1, 1}, {.order = "fold_right"}), 0x1p24f + 2);
}

TEST(Reduce, ElementsShareASlotModuloTheSlots) {
  std::vector<float> x(65, 0.0f);
  x[0] = 0x1p24f, x[1] = 1, x[64] = 1; // slot 0 takes elements 0 and 64: 2^24 + 1 = 2^24
  EXPECT_EQ(reduce(x), 0x1p24f);
  x[64] = 0, x[1] = 1, x[33] = 1; // slots 1 and 33 meet first: 2^24 + 2
  EXPECT_EQ(reduce(x), 0x1p24f + 2);
}

TEST(Reduce, TheTreeHalves) {
  Reduction four = {.order = "unordered grouping <slots = 4>"};
  EXPECT_EQ(reduce({0x1p24f, 1, 0, 1}, four), 0x1p24f + 2); // (x0 + x2) + (x1 + x3)
  EXPECT_EQ(reduce({0x1p24f, 1, 1, 0}, four), 0x1p24f);
}

TEST(Reduce, TheSeedMergesLastAndOnTheLeft) {
  Reduction four = {.seed = "16777216.0", .order = "unordered grouping <slots = 4>"};
  EXPECT_EQ(reduce({1, 1, 0, 0}, four), 0x1p24f + 2);
  // A merge that does not commute shows the sides: seed - (the only element - identity - ...).
  Reduction subtract = {.operation = "arith.subf",
                        .seed = "10.0",
                        .identity = "0.0",
                        .order = "unordered grouping <slots = 2>"};
  EXPECT_EQ(run_reduction({1, 2}, subtract, "%n = arith.addf %a, %e : f32"), 11.0f); // 10 - (1 - 2)
}

TEST(Reduce, WithoutAGroupingThereAre64Slots) {
  std::vector<float> x(65, 0.0f);
  x[0] = 0x1p24f, x[1] = 1, x[64] = 1;
  EXPECT_EQ(reduce(x, {.order = "unordered"}), 0x1p24f);
}

TEST(Reduce, TheStepMayBeAnFma) {
  float x = 1.0f + 0x1p-12f;
  EXPECT_EQ(run_reduction({x}, {.identity = "-1.0"}, "%n = math.fma %e, %e, %a : f32"),
            0x1p-11f + 0x1p-24f + -63.0f);
}

TEST(Reduce, SomeAxesRemain) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6}, y(2), z(3);
  std::string text = R"(
tile.kernel @sums(%x: !tile.view<const 2x3xf32>, %y: !tile.view<2xf32>, %z: !tile.view<3xf32>) {
  tile.axis @r = %x[0] : !tile.view<const 2x3xf32>
  tile.axis @c = %x[1] : !tile.view<const 2x3xf32>
  %zero = arith.constant 0.0 : f32
  %v = tile.load %x[@r, @c] : !tile.view<const 2x3xf32> -> !tile.tile<[r:2, c:3], f32>
  %rows = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] fold_left
      : (!tile.tile<[r:2, c:3], f32>), (f32) -> (!tile.tile<[r:2], f32>)
    step { ^bb0(%a: f32, %e: f32): %n = arith.addf %a, %e : f32
           tile.yield %n : f32 }
    merge { ^bb0(%a: f32, %e: f32): %n = arith.addf %a, %e : f32
            tile.yield %n : f32 }
  %columns = tile.reduce (%v) over [@r] seed (%zero) identity [-0.0 : f32] fold_left
      : (!tile.tile<[r:2, c:3], f32>), (f32) -> (!tile.tile<[c:3], f32>)
    step { ^bb0(%a: f32, %e: f32): %n = arith.addf %a, %e : f32
           tile.yield %n : f32 }
    merge { ^bb0(%a: f32, %e: f32): %n = arith.addf %a, %e : f32
            tile.yield %n : f32 }
  tile.store %rows, %y[@r] : !tile.tile<[r:2], f32>, !tile.view<2xf32>
  tile.store %columns, %z[@c] : !tile.tile<[c:3], f32>, !tile.view<3xf32>
})";
  run_kernel(text, {view(x.data(), {2, 3}), view(y), view(z)});
  EXPECT_THAT(y, ElementsAre(6, 15));
  EXPECT_THAT(z, ElementsAre(5, 7, 9));
}

// Over [@a, @b] elements come with b fastest, over [@b, @a] with a fastest: "digits" shows the
// order.
TEST(Reduce, SeveralAxesGoInTheOrderListed) {
  std::vector<float> x = {1, 2, 3, 4, 5, 6};
  for (const auto &[axes, expected] :
       std::vector<std::pair<std::string, float>>{{"[@r, @c]", 123456}, {"[@c, @r]", 142536}}) {
    float y = 0;
    std::string text = fill(R"(
tile.kernel @digits(%x: !tile.view<const 2x3xf32>, %y: !tile.view<1xf32>) {
  tile.axis @r = %x[0] : !tile.view<const 2x3xf32>
  tile.axis @c = %x[1] : !tile.view<const 2x3xf32>
  %zero = arith.constant 0.0 : f32
  %at = arith.constant 0 : index
  %v = tile.load %x[@r, @c] : !tile.view<const 2x3xf32> -> !tile.tile<[r:2, c:3], f32>
  %s = tile.reduce (%v) over ${AXES} seed (%zero) identity [0.0 : f32] fold_left
      : (!tile.tile<[r:2, c:3], f32>), (f32) -> (f32)
    step { ^bb0(%a: f32, %e: f32): %ten = arith.constant 10.0 : f32
           %t = arith.mulf %a, %ten : f32
           %n = arith.addf %t, %e : f32
           tile.yield %n : f32 }
    merge { ^bb0(%a: f32, %e: f32): tile.yield %a : f32 }
  tile.store %s, %y[%at] : f32, !tile.view<1xf32>
})",
                            {{"AXES", axes}});
    run_kernel(text, {view(x.data(), {2, 3}), view(&y, {1})});
    EXPECT_EQ(y, expected) << axes;
  }
}

TEST(Reduce, SeveralCarriedValuesAreArgmax) {
  auto argmax = [](std::vector<float> x) {
    std::vector<int32_t> positions(x.size());
    for (size_t i = 0; i < x.size(); ++i)
      positions[i] = static_cast<int32_t>(i);
    float value = 0;
    int32_t position = -1;
    std::string better = R"(
      %more = arith.cmpf ogt, %v1, %v0 : f32
      %same = arith.cmpf oeq, %v1, %v0 : f32
      %first = arith.cmpi slt, %p1, %p0 : i32
      %tie = arith.andi %same, %first : i1
      %take = arith.ori %more, %tie : i1
      %v = arith.select %take, %v1, %v0 : f32
      %p = arith.select %take, %p1, %p0 : i32
      tile.yield %v, %p : f32, i32)";
    std::string text = fill(R"(
tile.kernel @argmax(%x: !tile.view<const ?xf32>, %i: !tile.view<const ?xi32>,
                    %y: !tile.view<1xf32>, %z: !tile.view<1xi32>) {
  tile.axis @c = %x[0] : !tile.view<const ?xf32>
  %zero = arith.constant 0 : index
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 2147483647 : i32
  %a = tile.load %x[@c] : !tile.view<const ?xf32> -> !tile.tile<[c:?], f32>
  %b = tile.load %i[@c] : !tile.view<const ?xi32> -> !tile.tile<[c:?], i32>
  %m, %k = tile.reduce (%a, %b) over [@c] seed (%least, %none)
      identity [0xFF800000 : f32, 2147483647 : i32] unordered
      : (!tile.tile<[c:?], f32>, !tile.tile<[c:?], i32>), (f32, i32) -> (f32, i32)
    step { ^bb0(%v0: f32, %p0: i32, %v1: f32, %p1: i32): ${BETTER} }
    merge { ^bb0(%v0: f32, %p0: i32, %v1: f32, %p1: i32): ${BETTER} }
  tile.store %m, %y[%zero] : f32, !tile.view<1xf32>
  tile.store %k, %z[%zero] : i32, !tile.view<1xi32>
})",
                            {{"BETTER", better}});
    run_kernel(text, {view(x), view(positions), view(&value, {1}), view(&position, {1})});
    return std::pair(value, position);
  };
  EXPECT_EQ(argmax({3, 1, 7, 7, 2}), std::pair(7.0f, 2)); // ties: the lowest position
  std::vector<float> far(200, 0.0f);
  far[130] = far[66] = 5;
  EXPECT_EQ(argmax(far), std::pair(5.0f, 66));
}

} // namespace
} // namespace tilewright
