#include "language/shape_class.h"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

Argument argument(Dimensions extents, Dimensions strides) {
  return {nullptr, ElementType::f32, extents, strides, false};
}

TEST(ShapeClassTest, RowMajorWithoutGapsIsPacked) {
  EXPECT_TRUE(is_packed(argument({17, 65}, {65, 1})));
  EXPECT_TRUE(is_packed(argument({}, {})));
  EXPECT_FALSE(is_packed(argument({17, 65}, {66, 1})));
  EXPECT_FALSE(is_packed(argument({17, 65}, {1, 17})));
}

TEST(ShapeClassTest, DimensionsOfOneElementMayCarryAnyStride) {
  EXPECT_TRUE(is_packed(argument({1, 65}, {1000, 1})));
  EXPECT_TRUE(is_packed(argument({17, 1}, {1, 77})));
  EXPECT_TRUE(is_packed(argument({0, 65}, {7, 3})));
  EXPECT_FALSE(is_packed(argument({17, 1}, {65, 1})));
}

TEST(ShapeClassTest, UnitDimension) {
  EXPECT_EQ(unit_dimension(argument({17, 65}, {65, 1})), 1);
  EXPECT_EQ(unit_dimension(argument({17, 65}, {100, 1})), 1);
  EXPECT_EQ(unit_dimension(argument({17, 65}, {1, 17})), 0);
  EXPECT_EQ(unit_dimension(argument({17, 65}, {130, 2})), -1);
  EXPECT_EQ(unit_dimension(argument({17, 1}, {65, 9})), 1);
  EXPECT_EQ(unit_dimension(argument({1, 65}, {1, 2})), -1);
  EXPECT_EQ(unit_dimension(argument({64, 17, 1}, {1, 64, 9})), 0);
  EXPECT_EQ(unit_dimension(argument({}, {})), -1);
}

TEST(ShapeClassTest, DynamicExtentsDoNotTellLaunchesApart) {
  std::vector<std::vector<bool>> dynamic = {{true, false}};
  std::vector<Argument> a = {argument({17, 65}, {65, 1})};
  std::vector<Argument> b = {argument({1, 65}, {65, 1})};
  std::vector<Argument> c = {argument({17, 64}, {64, 1})};
  std::vector<Argument> d = {argument({17, 65}, {80, 1})};
  EXPECT_EQ(shape_class(dynamic, a), shape_class(dynamic, b));
  EXPECT_NE(shape_class(dynamic, a), shape_class(dynamic, c));
  EXPECT_NE(shape_class(dynamic, a), shape_class(dynamic, d));
  EXPECT_EQ(shape_class(dynamic, a).extents[0], (std::vector<int64_t>{-1, 65}));
}

} // namespace
} // namespace tilewright
