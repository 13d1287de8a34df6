// What the reference says when arguments do not fit the kernel.
#include <gtest/gtest.h>

#include "run_kernel.h"

namespace tilewright {
namespace {

constexpr const char *text = R"(
tile.kernel @add(%x: !tile.view<const packed ?x3xf32>, %g: !tile.view<const ?xf32>,
                 %y: !tile.view<?x3xf32>) {
  tile.axis @r = %x[0] : !tile.view<const packed ?x3xf32>
  tile.axis @c = %x[1] : !tile.view<const packed ?x3xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const packed ?x3xf32> -> !tile.tile<[c:3], f32>
    %w = tile.load %g[@c] : !tile.view<const ?xf32> -> !tile.tile<[c:3], f32>
    tile.store %v, %y[%row, @c] : !tile.tile<[c:3], f32>, !tile.view<?x3xf32>
  }
})";

class Bind : public testing::Test {
protected:
  std::vector<float> x = std::vector<float>(12), g = std::vector<float>(4),
                     y = std::vector<float>(12);
  std::vector<Argument> arguments = {view(x.data(), {4, 3}), view(g.data(), {3}),
                                     view(y.data(), {4, 3})};

  std::string message() const {
    Status status = evaluate(text, arguments);
    return status ? "" : status.error().message();
  }
};

TEST_F(Bind, TakesArgumentsThatFit) { EXPECT_EQ(message(), ""); }

TEST_F(Bind, CountsArguments) {
  arguments.pop_back();
  EXPECT_EQ(message(), "test.tile:2: add takes 3 arguments and was given 2");
}

TEST_F(Bind, ChecksElementTypes) {
  arguments[1].type = ElementType::i32;
  EXPECT_EQ(message(), "test.tile:2: argument 1 of add holds i32; the kernel takes another element "
                       "type");
}

TEST_F(Bind, ChecksRanks) {
  arguments[1] = view(g.data(), {1, 3});
  EXPECT_EQ(message(),
            "test.tile:2: argument 1 of add has 2 extents and 2 strides; the kernel takes "
            "rank 1");
}

TEST_F(Bind, ChecksStaticExtents) {
  arguments[0] = view(x.data(), {3, 4});
  EXPECT_EQ(message(),
            "test.tile:2: argument 0 of add has extent 4 in dimension 1; the kernel takes 3");
}

TEST_F(Bind, ChecksUnitStrides) {
  arguments[1].strides = {2};
  EXPECT_EQ(message(),
            "test.tile:2: argument 1 of add has stride 2 in dimension 0; the kernel takes 1");
}

TEST_F(Bind, ChecksPackedStrides) {
  arguments[0].strides = {4, 1};
  arguments[0].extents = {3, 3};
  EXPECT_EQ(message(),
            "test.tile:2: argument 0 of add has stride 4 in dimension 0; the kernel takes 3");
}

TEST_F(Bind, ChecksThatAxesAgree) {
  arguments[1] = view(g.data(), {4});
  EXPECT_EQ(message(),
            "test.tile:8: axis c has extent 3 and spans dimension 0 of argument 1, which "
            "has 4; pass arguments whose extents agree");
}

TEST_F(Bind, RefusesToStoreToConstStorage) {
  arguments[2].read_only = true;
  EXPECT_EQ(message(), "test.tile:9: argument 2 is const and the kernel stores to it; pass storage "
                       "that may be written");
}

TEST_F(Bind, AnAccessOutsideOfAViewIsCaught) {
  arguments[2] = view(y.data(), {2, 3});
  EXPECT_EQ(message(),
            "test.tile:9: internal error: 'tile.store' accesses an element outside of its "
            "view");
}

} // namespace
} // namespace tilewright
