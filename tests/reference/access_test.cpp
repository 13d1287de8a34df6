// Loads and stores: coordinates, spans, strides, snapshots and overlap.
#include <gmock/gmock.h>
#include <numeric>

#include "run_kernel.h"

namespace tilewright {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<float> counting(size_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

/// One program copies all of x to y.
constexpr const char *copy_all = R"(
tile.kernel @copy(%x: !tile.view<const ?xf32, unit = none>, %y: !tile.view<?xf32, unit = none>) {
  tile.axis @c = %x[0] : !tile.view<const ?xf32, unit = none>
  %v = tile.load %x[@c] : !tile.view<const ?xf32, unit = none> -> !tile.tile<[c:?], f32>
  tile.store %v, %y[@c] : !tile.tile<[c:?], f32>, !tile.view<?xf32, unit = none>
})";

TEST(Access, CopiesEveryLength) {
  for (int64_t length : {0, 1, 7, 63, 64, 65, 129}) {
    std::vector<float> x = counting(length), y(length + 1, -1.0f);
    run_kernel(copy_all, {view(x), view(y.data(), {length})});
    x.push_back(-1.0f);
    EXPECT_EQ(x, y) << length;
  }
}

TEST(Access, ShiftsInPlaceLikeASnapshot) { // x[1:] = x[:-1]
  std::vector<float> x = counting(10);
  run_kernel(copy_all, {view(x.data(), {9}), view(x.data() + 1, {9})});
  EXPECT_THAT(x, ElementsAre(0, 0, 1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(Access, ReversesInPlaceLikeASnapshot) {
  std::vector<float> x = counting(5);
  run_kernel(copy_all, {view(x.data() + 4, {5}, Dimensions{-1}), view(x)});
  EXPECT_THAT(x, ElementsAre(4, 3, 2, 1, 0));
}

TEST(Access, StridesOfAnySign) {
  std::vector<float> x = counting(9), y(3, 0.0f);
  run_kernel(copy_all, {view(x.data() + 8, {3}, Dimensions{-4}), view(y)});
  EXPECT_THAT(y, ElementsAre(8, 4, 0));
  run_kernel(copy_all, {view(x.data() + 5, {3}, Dimensions{0}), view(y)});
  EXPECT_THAT(y, ElementsAre(5, 5, 5));
}

TEST(Access, ASizeOneAxisMayHaveAnyStride) {
  std::vector<float> x = {3}, y = {0};
  run_kernel(copy_all, {view(x.data(), {1}, Dimensions{1 << 20}), view(y)});
  EXPECT_THAT(y, ElementsAre(3));
}

TEST(Access, CoordinatesSelectAndAxesSpan) {
  std::vector<float> x = counting(6), y(6, -1.0f);
  run_kernel(R"(
tile.kernel @rows(%x: !tile.view<const ?x3xf32>, %y: !tile.view<?x3xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x3xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x3xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x3xf32> -> !tile.tile<[c:3], f32>
    tile.store %v, %y[%row, @c] : !tile.tile<[c:3], f32>, !tile.view<?x3xf32>
  }
})",
             {view(x.data(), {2, 3}), view(y.data(), {2, 3})});
  EXPECT_EQ(x, y);
}

TEST(Access, ScalarsMoveOneElement) {
  std::vector<float> x = counting(6), y(6, -1.0f);
  run_kernel(R"(
tile.kernel @middle(%x: !tile.view<const ?x3xf32>, %y: !tile.view<?x3xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x3xf32>
  tile.parallel (%row) over [@r] {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %s = tile.load %x[%row, %two] : !tile.view<const ?x3xf32> -> f32
    tile.store %s, %y[%row, %one] : f32, !tile.view<?x3xf32>
  }
})",
             {view(x.data(), {2, 3}), view(y.data(), {2, 3})});
  EXPECT_THAT(y, ElementsAre(-1, 2, -1, -1, 5, -1));
}

TEST(Access, StoresMatchByAxisNotByPosition) { // y = transpose(x)
  std::vector<float> x = counting(9), y(9, -1.0f);
  const char *transpose = R"(
tile.kernel @transpose(%x: !tile.view<const 3x3xf32>, %y: !tile.view<3x3xf32>) {
  tile.axis @r = %x[0] : !tile.view<const 3x3xf32>
  tile.axis @c = %x[1] : !tile.view<const 3x3xf32>
  %v = tile.load %x[@r, @c] : !tile.view<const 3x3xf32> -> !tile.tile<[r:3, c:3], f32>
  tile.store %v, %y[@c, @r] : !tile.tile<[r:3, c:3], f32>, !tile.view<3x3xf32>
})";
  run_kernel(transpose, {view(x.data(), {3, 3}), view(y.data(), {3, 3})});
  EXPECT_THAT(y, ElementsAre(0, 3, 6, 1, 4, 7, 2, 5, 8));
  run_kernel(transpose, {view(x.data(), {3, 3}), view(x.data(), {3, 3})});
  EXPECT_EQ(x, y);
}

TEST(Access, StoresRepeatAlongMissingAxes) {
  std::vector<float> x = {1, 2}, y(6, -1.0f), z(6, -1.0f);
  run_kernel(R"(
tile.kernel @spread(%x: !tile.view<const ?xf32>, %y: !tile.view<?x3xf32>, %z: !tile.view<?x3xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x3xf32>
  tile.axis @c = %y[1] : !tile.view<?x3xf32>
  %v = tile.load %x[@r] : !tile.view<const ?xf32> -> !tile.tile<[r:?], f32>
  tile.store %v, %y[@r, @c] : !tile.tile<[r:?], f32>, !tile.view<?x3xf32>
  %s = arith.constant 7.0 : f32
  tile.store %s, %z[@r, @c] : f32, !tile.view<?x3xf32>
})",
             {view(x), view(y.data(), {2, 3}), view(z.data(), {2, 3})});
  EXPECT_THAT(y, ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(z, ElementsAreArray(std::vector<float>(6, 7.0f)));
}

TEST(Access, LaterStoresWinAndEarlierLoadsKeepTheirValues) {
  std::vector<float> x = {1, 2, 3};
  run_kernel(R"(
tile.kernel @order(%x: !tile.view<?xf32>, %y: !tile.view<?xf32>) {
  tile.axis @c = %x[0] : !tile.view<?xf32>
  %old = tile.load %x[@c] : !tile.view<?xf32> -> !tile.tile<[c:?], f32>
  %s = arith.constant 9.0 : f32
  tile.store %s, %x[@c] : f32, !tile.view<?xf32>
  %new = tile.load %x[@c] : !tile.view<?xf32> -> !tile.tile<[c:?], f32>
  %sum = tile.map (%old, %new) : (!tile.tile<[c:?], f32>, !tile.tile<[c:?], f32>)
      -> !tile.tile<[c:?], f32> {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    tile.yield %n : f32
  }
  tile.store %sum, %y[@c] : !tile.tile<[c:?], f32>, !tile.view<?xf32>
})",
             {view(x), view(x)});
  EXPECT_THAT(x, ElementsAre(10, 11, 12));
}

TEST(Access, ParallelRunsOverSeveralAxes) {
  std::vector<float> x = counting(24), y(24, -1.0f);
  run_kernel(R"(
tile.kernel @planes(%x: !tile.view<const ?x?x4xf32>, %y: !tile.view<?x?x4xf32>) {
  tile.axis @p = %x[0] : !tile.view<const ?x?x4xf32>
  tile.axis @r = %x[1] : !tile.view<const ?x?x4xf32>
  tile.axis @c = %x[2] : !tile.view<const ?x?x4xf32>
  tile.parallel (%i, %j) over [@p, @r] {
    %v = tile.load %x[%i, %j, @c] : !tile.view<const ?x?x4xf32> -> !tile.tile<[c:4], f32>
    tile.store %v, %y[%i, %j, @c] : !tile.tile<[c:4], f32>, !tile.view<?x?x4xf32>
  }
})",
             {view(x.data(), {2, 3, 4}), view(y.data(), {2, 3, 4})});
  EXPECT_EQ(x, y);
}

TEST(Access, NestedParallel) {
  std::vector<float> y(6, -1.0f);
  run_kernel(R"(
tile.kernel @nested(%y: !tile.view<?x?xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x?xf32>
  tile.axis @c = %y[1] : !tile.view<?x?xf32>
  tile.parallel (%i) over [@r] {
    tile.parallel (%j) over [@c] {
      %n = tile.extent @c : index
      %row = arith.muli %i, %n : index
      %at = arith.addi %row, %j : index
      %k = arith.index_cast %at : index to i32
      %v = arith.sitofp %k : i32 to f32
      tile.store %v, %y[%i, %j] : f32, !tile.view<?x?xf32>
    }
  }
})",
             {view(y.data(), {2, 3})});
  EXPECT_EQ(y, counting(6));
}

TEST(Access, EveryElementType) {
  auto copies = [](const std::string &type, auto values) {
    auto copy = values;
    for (auto &value : copy)
      value = 0;
    std::string text = fill(R"(
tile.kernel @copy(%x: !tile.view<const ?x${T}>, %y: !tile.view<?x${T}>) {
  tile.axis @c = %x[0] : !tile.view<const ?x${T}>
  %v = tile.load %x[@c] : !tile.view<const ?x${T}> -> !tile.tile<[c:?], ${T}>
  tile.store %v, %y[@c] : !tile.tile<[c:?], ${T}>, !tile.view<?x${T}>
})",
                            {{"T", type}});
    run_kernel(text, {view(values), view(copy)});
    EXPECT_EQ(values, copy) << type;
  };
  copies("f32", std::vector<float>{1.5f, -0.0f});
  copies("f64", std::vector<double>{1e300, 0.1});
  copies("i8", std::vector<int8_t>{-128, 127});
  copies("i8", std::vector<uint8_t>{0, 255});
  copies("i16", std::vector<int16_t>{-32768, 1});
  copies("i32", std::vector<int32_t>{-1, 1 << 30});
  copies("i64", std::vector<int64_t>{-1, int64_t(1) << 62});
}

TEST(Access, BooleansAreOneByteZeroOrOne) {
  bool x[2] = {true, false};
  uint8_t y[2] = {9, 9};
  Argument result = view(y, {2});
  result.type = ElementType::boolean;
  run_kernel(R"(
tile.kernel @copy(%x: !tile.view<const ?xi1>, %y: !tile.view<?xi1>) {
  tile.axis @c = %x[0] : !tile.view<const ?xi1>
  %v = tile.load %x[@c] : !tile.view<const ?xi1> -> !tile.tile<[c:?], i1>
  tile.store %v, %y[@c] : !tile.tile<[c:?], i1>, !tile.view<?xi1>
})",
             {view(x, {2}), result});
  EXPECT_THAT(y, ElementsAre(1, 0));
}

} // namespace
} // namespace tilewright
