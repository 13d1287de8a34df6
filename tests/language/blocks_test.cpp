// Blocks of a dimension as recorded, what their misuse says, and what a kernel may require.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/registry.h"
#include "recording_helpers.h"

namespace tilewright {
namespace {

namespace tw = tilewright;
using testing::HasSubstr;

/// The text of a kernel that loads one block of x, of 3 rows and 9 columns, over the 4 columns of
/// y.
template <typename T = float, typename Make>
std::string text_of(Make make, ElementType type = ElementType::f32) {
  auto kernel = tw::kernel("f", [&](tw::View<const T, 2> x, tw::View<T, 2> y) {
    auto [r, h] = y.axes("r", "h");
    for (auto &row : tw::parallel(r))
      y(row, h).store(x(row, make(h, row)).load());
  });
  return recorded_text(kernel.source(), {shaped(type, {3, 9}), shaped(type, {3, 4})});
}

TEST(BlocksTest, OriginsAreIntegersExtentsAndIndices) {
  auto constant = text_of([](tw::Axis &h, tw::Index &) { return h.at(5); });
  EXPECT_THAT(constant, HasSubstr("%c5 = arith.constant 5 : index"));
  EXPECT_THAT(constant, HasSubstr("tile.load %arg0[%r, @h at %c5] : "));
  EXPECT_THAT(constant, HasSubstr("-> !tile.tile<[h:4], f32>"));

  auto extent = text_of([](tw::Axis &h, tw::Index &) { return h.at(h.extent()); });
  EXPECT_THAT(extent, HasSubstr("%0 = tile.extent @h : index\n"));
  EXPECT_THAT(extent, HasSubstr("tile.load %arg0[%r, @h at %0]"));

  auto index = text_of([](tw::Axis &h, tw::Index &row) { return h.at(row); });
  EXPECT_THAT(index, HasSubstr("tile.load %arg0[%r, @h at %r]"));

  auto sum =
      text_of([](tw::Axis &h, tw::Index &row) { return h.at(2 * h.extent() - row * 3 + 1); });
  EXPECT_THAT(sum, HasSubstr("%0 = tile.extent @h : index\n"
                             "    %c2 = arith.constant 2 : index\n"
                             "    %1 = arith.muli %0, %c2 : index\n"
                             "    %c-3 = arith.constant -3 : index\n"
                             "    %2 = arith.muli %r, %c-3 : index\n"
                             "    %3 = arith.addi %1, %2 : index\n"
                             "    %c1 = arith.constant 1 : index\n"
                             "    %4 = arith.addi %3, %c1 : index\n"));
  EXPECT_THAT(sum, HasSubstr("tile.load %arg0[%r, @h at %4]"));
}

TEST(BlocksTest, BoundsAreZeroUnlessGiven) {
  auto assumed = text_of([](tw::Axis &h, tw::Index &) { return h.at(0, tw::assume); });
  EXPECT_THAT(assumed, HasSubstr("@h at %c0 assume] : "));
  auto filled = text_of([](tw::Axis &h, tw::Index &) { return h.at(0, tw::fill(1)); });
  EXPECT_THAT(filled, HasSubstr("@h at %c0] {fill = 1.000000e+00 : f32} : "));
  auto infinite = text_of([](tw::Axis &h, tw::Index &) {
    return h.at(0, tw::fill(-std::numeric_limits<float>::infinity()));
  });
  EXPECT_THAT(infinite, HasSubstr("{fill = 0xFF800000 : f32}"));
  auto integer = text_of<int8_t>([](tw::Axis &h, tw::Index &) { return h.at(0, tw::fill(-128)); },
                                 ElementType::i8);
  EXPECT_THAT(integer, HasSubstr("{fill = -128 : i8}"));
}

TEST(BlocksTest, AFillThatTheElementTypeCannotHold) {
  const char *text = "load: the fill of a block is no i8, the element type of the view; give a "
                     "number that it holds";
  for (tw::Bounds bounds : {tw::fill(128), tw::fill(-129), tw::fill(0.5), tw::fill(1u << 31)})
    EXPECT_THAT(
        text_of<int8_t>([&](tw::Axis &h, tw::Index &) { return h.at(0, bounds); }, ElementType::i8),
        HasSubstr(text));
  EXPECT_THAT(text_of<uint8_t>([&](tw::Axis &h, tw::Index &) { return h.at(0, tw::fill(-1)); },
                               ElementType::u8),
              HasSubstr("the fill of a block is no u8"));
}

TEST(BlocksTest, TwoFillsOfOneAccess) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = y.axes("r", "c");
    y(r, c).store(x(r.at(1, tw::fill(1)), c.at(1, tw::fill(2))).load());
  });
  EXPECT_THAT(recorded_text(kernel.source(), {f32({3, 9}), f32({3, 4})}),
              HasSubstr("load: two blocks of one access ask for different fills; ask for one"));
}

TEST(BlocksTest, AnAxisSpansOneDimensionByBlocksToo) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 1> y) {
    auto [c] = y.axes("c");
    y(c).store(x(c.at(0), c.at(1)).load());
  });
  EXPECT_THAT(recorded_text(kernel.source(), {f32({9, 9}), f32({4})}),
              HasSubstr("load: axis 'c' spans two dimensions of argument 1; use two axes"));
}

TEST(BlocksTest, AnIndexOfALoopThatHasEnded) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 1> x, tw::View<float, 2> y) {
    auto [r, c] = y.axes("r", "c");
    std::vector<tw::Block> kept;
    for (auto &row : tw::parallel(r))
      kept.push_back(c.at(row));
    y(0, c).store(x(kept.front()).load());
  });
  EXPECT_THAT(recorded_text(kernel.source(), {f32({9}), f32({2, 4})}),
              HasSubstr("load: the index along axis 'r' is used after its parallel loop"));
}

// A block's dimension and its axis have extents of their own.
TEST(BlocksTest, ExtentsStayApart) {
  auto kernel = tw::kernel("f",
                           [](tw::View<const float, 2> x, tw::View<float, 2> y) {
                             auto [r, h] = y.axes("r", "h");
                             for (auto &row : tw::parallel(r))
                               y(row, h).store(x(row, h.at(1)).load());
                           },
                           {.shapes = {{tw::automatic, tw::dynamic}}});
  Result<Recorded> recorded = record(kernel.source(), {{f32({3, 9}), f32({3, 4})}});
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ(recorded->dynamic, (std::vector<std::vector<bool>>{{true, true}, {true, false}}));
}

TEST(BlocksTest, WhatAKernelRequires) {
  auto kernel = tw::kernel("f", [](tw::View<float, 1> x) {
    auto [c] = x.axes("c");
    tw::require(c.fixed() % 2 == 0, "x has an even number of elements");
    x(c).store(1.0f);
  });
  EXPECT_THAT(recorded_text(kernel.source(), {f32({4})}), HasSubstr("tile.store"));
  Result<Recorded> odd = record(kernel.source(), {{f32({5})}});
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().kind, ErrorKind::user);
  EXPECT_EQ(odd.error().text, "tw::require: x has an even number of elements");
  EXPECT_EQ(odd.error().where.line, kernel.source().where.line + 2);
}

TEST(BlocksTest, RopeRefusesOddColumns) {
  const KernelSource &source = kernels::find("rope")->source;
  auto message = [&](int64_t columns, int64_t half) {
    return recorded_text(source,
                         {f32({3, columns}), f32({3, half}), f32({3, half}), f32({3, columns})});
  };
  EXPECT_THAT(message(66, 33), HasSubstr("tile.kernel @rope"));
  for (auto [columns, half] : {std::pair{65, 32}, {65, 33}, {64, 33}})
    EXPECT_THAT(message(columns, half),
                HasSubstr("a row of x and of y is two rows of cosine; pass an even number of "
                          "columns, and half as many cosines and sines"));
}

} // namespace
} // namespace tilewright
