// Buffer, HostView and Dimensions.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

#include "tilewright/buffer.h"
#include "tilewright/host_view.h"

namespace tilewright {
namespace {

TEST(Dimensions, behaves_like_a_vector) {
  Dimensions d{3, 4};
  d.push_back(5);
  EXPECT_EQ(d, (std::vector<int64_t>{3, 4, 5}));
  d.resize(1);
  EXPECT_EQ(d.size(), 1u);
  EXPECT_EQ(d.back(), 3);
  EXPECT_NE(d, (Dimensions{3, 4}));
}

TEST(Dimensions, row_major_strides_are_products_of_the_extents_behind) {
  EXPECT_EQ(row_major_strides({2, 3, 4}), (Dimensions{12, 4, 1}));
  EXPECT_EQ(row_major_strides({}), Dimensions{});
  EXPECT_EQ(row_major_strides({7}), Dimensions{1});
}

TEST(Buffer, is_zero_and_aligned) {
  for (int64_t n : {1, 17, 1000}) {
    Buffer<float> buffer({n, 3});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_EQ(buffer.size(), 3 * n);
    for (float x : buffer)
      EXPECT_EQ(x, 0);
  }
}

TEST(Buffer, indexes_row_major) {
  Buffer<int32_t> buffer({2, 3});
  std::iota(buffer.begin(), buffer.end(), 0);
  EXPECT_EQ(buffer(1, 2), 5);
  buffer(0, 1) = 42;
  EXPECT_EQ(buffer.data()[1], 42);
}

TEST(Buffer, fills) {
  Buffer<double> buffer({4}, 1.5);
  EXPECT_EQ(std::accumulate(buffer.begin(), buffer.end(), 0.0), 6.0);
}

TEST(Buffer, moves) {
  Buffer<float> a({3}, 1.0f);
  float *data = a.data();
  Buffer<float> b(std::move(a));
  EXPECT_EQ(b.data(), data);
  a = std::move(b);
  EXPECT_EQ(a.data(), data);
  EXPECT_EQ(a.extents(), Dimensions{3});
}

TEST(Buffer, may_be_empty) {
  Buffer<float> buffer({0, 5});
  EXPECT_EQ(buffer.size(), 0);
  EXPECT_EQ(buffer.begin(), buffer.end());
}

TEST(Buffer, too_large_throws) {
  EXPECT_THROW(Buffer<float>({int64_t{1} << 40, int64_t{1} << 40}), std::bad_alloc);
  EXPECT_THROW(Buffer<double>({int64_t{1} << 61}), std::bad_alloc);
}

TEST(Buffer, argument_is_writable_unless_const) {
  Buffer<uint8_t> buffer({2, 3});
  Argument argument = buffer.as_argument();
  EXPECT_EQ(argument.data, buffer.data());
  EXPECT_EQ(argument.type, ElementType::u8);
  EXPECT_EQ(argument.extents, (Dimensions{2, 3}));
  EXPECT_EQ(argument.strides, (Dimensions{3, 1}));
  EXPECT_FALSE(argument.read_only);
  EXPECT_TRUE(std::as_const(buffer).as_argument().read_only);
}

TEST(HostView, has_row_major_strides_by_default) {
  float data[6] = {};
  EXPECT_EQ(view(data, {2, 3}).as_argument().strides, (Dimensions{3, 1}));
}

TEST(HostView, takes_any_strides) {
  int64_t data[6] = {0, 1, 2, 3, 4, 5};
  auto transposed = view(data, {3, 2}, {1, 3});
  EXPECT_EQ(transposed(2, 1), 5);
  auto backwards = view(data + 5, {6}, {-1});
  EXPECT_EQ(backwards(0), 5);
  EXPECT_EQ(backwards(5), 0);
}

TEST(HostView, of_const_is_read_only) {
  const bool data[3] = {};
  Argument argument = view(data, {3}).as_argument();
  EXPECT_TRUE(argument.read_only);
  EXPECT_EQ(argument.type, ElementType::boolean);
  EXPECT_EQ(argument.data, data);
}

TEST(ElementType, names_and_sizes) {
  EXPECT_EQ(to_string(ElementType::f32), "f32");
  EXPECT_EQ(to_string(ElementType::boolean), "bool");
  EXPECT_EQ(byte_size(ElementType::boolean), 1);
  EXPECT_EQ(byte_size(element_type_of<const uint64_t>()), 8);
  EXPECT_EQ(to_string(element_type_of<int16_t>()), "i16");
}

} // namespace
} // namespace tilewright
