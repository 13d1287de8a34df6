// Kernels of the library through the public interface.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright {
namespace {

Status launch(Device &device, const std::string &kernel, const std::vector<Argument> &arguments) {
  return detail::launch(device, kernels::find(kernel)->source, arguments);
}

Buffer<float> random_buffer(Dimensions extents) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 2);
  Buffer<float> buffer(std::move(extents));
  for (float &element : buffer)
    element = normal(random);
  return buffer;
}

void expect_rms_norm(const Buffer<float> &x, const Buffer<float> &gamma, const Buffer<float> &y) {
  const int64_t rows = x.extents()[0], columns = x.extents()[1];
  for (int64_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (int64_t c = 0; c < columns; ++c)
      squares += double(x(r, c)) * x(r, c);
    const double scale = 1 / std::sqrt(squares / double(columns) + 1e-6);
    for (int64_t c = 0; c < columns; ++c) {
      const double right = x(r, c) * scale * gamma(c);
      ASSERT_NEAR(y(r, c), right, 5e-5 * (1 + std::abs(right))) << r << ' ' << c;
    }
  }
}

class Workers : public testing::TestWithParam<int> {};

TEST_P(Workers, any_number_of_rows_runs_without_compiling_again) {
  Device device({.workers = GetParam()});
  const Buffer<float> gamma = random_buffer({65});
  for (int64_t rows : {17, 1, 0, 2, 1000, 8, 17, 20000}) {
    const Buffer<float> x = random_buffer({rows, 65});
    Buffer<float> y({rows, 65}, NAN);
    Status status =
        launch(device, "rms_norm", {x.as_argument(), gamma.as_argument(), y.as_argument()});
    ASSERT_TRUE(status) << status.error().message();
    expect_rms_norm(x, gamma, y);
    EXPECT_EQ(device.compile_count(), 1) << rows;
  }
  EXPECT_EQ(device.safe_launch_count(), 0);
}

// A row's result does not depend on how many rows there are, or who runs them.
TEST_P(Workers, rows_have_the_same_bits_in_any_launch) {
  Device device({.workers = GetParam()});
  Device alone({.workers = 1});
  const Buffer<float> x = random_buffer({5000, 33});
  Buffer<float> all({5000, 33}, NAN), one({1, 33}, NAN);
  ASSERT_TRUE(launch(device, "softmax", {x.as_argument(), all.as_argument()}));
  for (int64_t row : {0, 1, 7, 4097, 4999}) {
    Argument single = x.as_argument();
    single.extents = {1, 33};
    single.data = const_cast<float *>(&x(row, 0));
    ASSERT_TRUE(launch(alone, "softmax", {single, one.as_argument()}));
    for (int64_t c = 0; c < 33; ++c)
      ASSERT_EQ(one(0, c), all(row, c)) << row << ' ' << c;
  }
  EXPECT_EQ(device.compile_count(), 1);
  EXPECT_EQ(alone.compile_count(), 1);
}

INSTANTIATE_TEST_SUITE_P(Of, Workers, testing::Values(1, 2));

TEST(Launch, overlap_takes_the_safe_body_and_slices_do_not) {
  Device device({.workers = 1});
  Buffer<float> buffer = random_buffer({4, 60});
  Argument first = view(buffer.data(), {4, 20}, {60, 1}).as_argument();
  Argument second = view(buffer.data() + 20, {4, 20}, {60, 1}).as_argument();
  Argument third = view(buffer.data() + 40, {4, 20}, {60, 1}).as_argument();
  ASSERT_TRUE(launch(device, "add", {first, second, third}));
  EXPECT_EQ(device.safe_launch_count(), 0);
  const std::vector<float> before(buffer.begin(), buffer.end());
  Argument shifted = view(buffer.data() + 21, {4, 20}, {60, 1}).as_argument();
  ASSERT_TRUE(launch(device, "add", {first, second, shifted}));
  EXPECT_EQ(device.safe_launch_count(), 1);
  EXPECT_EQ(device.compile_count(), 1);
  for (int64_t r = 0; r < 4; ++r)
    for (int64_t c = 0; c < 20; ++c)
      ASSERT_EQ(buffer(r, c + 21), before[r * 60 + c] + before[r * 60 + c + 20]) << r << ' ' << c;
}

} // namespace
} // namespace tilewright
