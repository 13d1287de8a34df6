// Blocks of a dimension: origins, fills, stores that are dropped, promises that are broken.
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

#include "run_kernel.h"

namespace tilewright {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// y, of any length, is the block of x from ${ORIGIN} on.
std::string block_of(int64_t origin, const std::string &bounds = "",
                     const std::string &fill_of = "") {
  return fill(R"(
tile.kernel @block(%x: !tile.view<const ?xf32>, %y: !tile.view<?xf32>) {
  tile.axis @h = %y[0] : !tile.view<?xf32>
  %o = arith.constant ${ORIGIN} : index
  %v = tile.load %x[@h at %o ${BOUNDS}] ${FILL} : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
  tile.store %v, %y[@h] : !tile.tile<[h:?], f32>, !tile.view<?xf32>
})",
              {{"ORIGIN", std::to_string(origin)}, {"BOUNDS", bounds}, {"FILL", fill_of}});
}

std::vector<float> loaded(int64_t origin, const std::string &fill_of = "") {
  std::vector<float> x = {1, 2, 3}, y(4, -1.0f);
  run_kernel(block_of(origin, "", fill_of), {view(x), view(y)});
  return y;
}

TEST(Block, LoadsGiveZeroOrTheFillOutside) {
  EXPECT_THAT(loaded(0), ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(loaded(1), ElementsAre(2, 3, 0, 0));
  EXPECT_THAT(loaded(-1), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(loaded(-1, "{fill = 7.0 : f32}"), ElementsAre(7, 1, 2, 3));
  EXPECT_THAT(loaded(2, "{fill = 7.0 : f32}"), ElementsAre(3, 7, 7, 7));
  EXPECT_THAT(loaded(100), ElementsAre(0, 0, 0, 0));
}

TEST(Block, PositionsNearTheEndsOfTheNumbersWrap) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(loaded(most), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(loaded(most - 2), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(loaded(std::numeric_limits<int64_t>::min()), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(loaded(-3), ElementsAre(0, 0, 0, 1));
}

TEST(Block, StoresOutsideAreDropped) {
  const std::string text = R"(
tile.kernel @shift(%x: !tile.view<const ?xf32>, %y: !tile.view<?xf32>) {
  tile.axis @c = %x[0] : !tile.view<const ?xf32>
  %o = arith.constant -1 : index
  %v = tile.load %x[@c] : !tile.view<const ?xf32> -> !tile.tile<[c:?], f32>
  tile.store %v, %y[@c at %o] : !tile.tile<[c:?], f32>, !tile.view<?xf32>
})";
  std::vector<float> x = {1, 2, 3, 4}, y(4, -1.0f);
  run_kernel(text, {view(x), view(y.data(), {2})});
  EXPECT_THAT(y, ElementsAre(2, 3, -1, -1));
}

TEST(Block, AnOriginMayDependOnTheProgram) {
  std::vector<float> x = {0, 1, 2, 3, 4, 5}, y(8, -1.0f);
  run_kernel(R"(
tile.kernel @windows(%x: !tile.view<const ?xf32>, %y: !tile.view<?x?xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x?xf32>
  tile.axis @h = %y[1] : !tile.view<?x?xf32>
  tile.parallel (%row) over [@r] {
    %n = tile.extent @h : index
    %o = arith.muli %row, %n : index
    %v = tile.load %x[@h at %o] : !tile.view<const ?xf32> -> !tile.tile<[h:?], f32>
    tile.store %v, %y[%row, @h] : !tile.tile<[h:?], f32>, !tile.view<?x?xf32>
  }
})",
             {view(x), view(y.data(), {2, 4})});
  EXPECT_THAT(y, ElementsAre(0, 1, 2, 3, 4, 5, 0, 0));
}

TEST(Block, TheHalvesOfARowInPlace) {
  std::vector<float> x = {1, 2, 3, 4};
  run_kernel(R"(
tile.kernel @swap(%x: !tile.view<4xf32>, %h: !tile.view<const 2xf32>) {
  tile.axis @h = %h[0] : !tile.view<const 2xf32>
  %zero = arith.constant 0 : index
  %n = tile.extent @h : index
  %a = tile.load %x[@h at %zero] : !tile.view<4xf32> -> !tile.tile<[h:2], f32>
  %b = tile.load %x[@h at %n] : !tile.view<4xf32> -> !tile.tile<[h:2], f32>
  tile.store %b, %x[@h at %zero] : !tile.tile<[h:2], f32>, !tile.view<4xf32>
  tile.store %a, %x[@h at %n] : !tile.tile<[h:2], f32>, !tile.view<4xf32>
})",
             {view(x), view(x.data(), {2})});
  EXPECT_THAT(x, ElementsAre(3, 4, 1, 2));
}

TEST(Block, ABrokenPromiseIsAnErrorOfTheUser) {
  std::vector<float> x = {1, 2, 3}, y(3, -1.0f);
  Status status = evaluate(block_of(1, "assume"), {view(x), view(y)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::user);
  EXPECT_THAT(status.error().message(),
              HasSubstr("accesses a block that is assumed to lie inside of its view, and it does "
                        "not; bounds that are not assumed are tested"));
  EXPECT_TRUE(evaluate(block_of(1, "assume"), {view(x), view(y.data(), {2})}));
}

} // namespace
} // namespace tilewright
