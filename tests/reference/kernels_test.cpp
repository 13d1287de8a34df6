// Whole kernels against a computation in double precision that shares nothing with the reference.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "run_kernel.h"

namespace tilewright {
namespace {

constexpr const char *rms_norm = R"(
tile.kernel @rms_norm(%x: !tile.view<const ?x${C}xf32>, %gamma: !tile.view<const ${C}xf32>,
                      %y: !tile.view<?x${C}xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x${C}xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x${C}xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %count = arith.constant ${C}.0 : f32
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x${C}xf32> -> !tile.tile<[c:${C}], f32>
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 64> : (!tile.tile<[c:${C}], f32>), (f32) -> (f32)
      step { ^bb0(%acc: f32, %e: f32): %n = math.fma %e, %e, %acc : f32
             tile.yield %n : f32 }
      merge { ^bb0(%a: f32, %b: f32): %n = arith.addf %a, %b : f32
              tile.yield %n : f32 }
    %mean = arith.divf %s, %count : f32
    %shifted = arith.addf %mean, %eps : f32
    %root = math.sqrt %shifted : f32
    %scale = arith.divf %one, %root : f32
    %g = tile.load %gamma[@c] : !tile.view<const ${C}xf32> -> !tile.tile<[c:${C}], f32>
    %m = tile.map (%v, %g) : (!tile.tile<[c:${C}], f32>, !tile.tile<[c:${C}], f32>)
        -> !tile.tile<[c:${C}], f32> {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %scale : f32
      %q = arith.mulf %p, %b : f32
      tile.yield %q : f32
    }
    tile.store %m, %y[%row, @c] : !tile.tile<[c:${C}], f32>, !tile.view<?x${C}xf32>
  }
})";

constexpr const char *swiglu = R"(
tile.kernel @swiglu(%a: !tile.view<const ?x?xf32>, %b: !tile.view<const ?x?xf32>,
                    %y: !tile.view<?x?xf32>) {
  tile.axis @r = %a[0] : !tile.view<const ?x?xf32>
  tile.axis @c = %a[1] : !tile.view<const ?x?xf32>
  tile.parallel (%row) over [@r] {
    %u = tile.load %a[%row, @c] : !tile.view<const ?x?xf32> -> !tile.tile<[c:?], f32>
    %v = tile.load %b[%row, @c] : !tile.view<const ?x?xf32> -> !tile.tile<[c:?], f32>
    %m = tile.map (%u, %v) : (!tile.tile<[c:?], f32>, !tile.tile<[c:?], f32>)
        -> !tile.tile<[c:?], f32> {
    ^bb0(%p: f32, %q: f32):
      %one = arith.constant 1.0 : f32
      %minus = arith.negf %p : f32
      %e = math.exp %minus : f32
      %d = arith.addf %one, %e : f32
      %s = arith.divf %p, %d : f32
      %t = arith.mulf %s, %q : f32
      tile.yield %t : f32
    }
    tile.store %m, %y[%row, @c] : !tile.tile<[c:?], f32>, !tile.view<?x?xf32>
  }
})";

std::vector<float> random_values(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0f, 2.0f);
  std::vector<float> values(count);
  for (float &value : values)
    value = normal(generator);
  return values;
}

void expect_close(const std::vector<float> &values, const std::vector<double> &answers) {
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], answers[i], 5e-6 + 5e-6 * std::abs(answers[i])) << "element " << i;
}

TEST(Kernels, RmsNorm) {
  for (int64_t columns : {1, 17, 64, 65, 257}) {
    int64_t rows = 5;
    std::vector<float> x = random_values(rows * columns, 1), gamma = random_values(columns, 2);
    std::vector<float> y(x.size(), std::nanf(""));
    run_kernel(fill(rms_norm, {{"C", std::to_string(columns)}}),
               {view(x.data(), {rows, columns}), view(gamma), view(y.data(), {rows, columns})});
    std::vector<double> answers;
    for (int64_t r = 0; r < rows; ++r) {
      double squares = 0;
      for (int64_t c = 0; c < columns; ++c)
        squares += std::pow(x[r * columns + c], 2.0);
      for (int64_t c = 0; c < columns; ++c)
        answers.push_back(x[r * columns + c] / std::sqrt(squares / columns + 1e-6) * gamma[c]);
    }
    expect_close(y, answers);
  }
}

TEST(Kernels, Swiglu) {
  int64_t rows = 3, columns = 65;
  std::vector<float> a = random_values(rows * columns, 3), b = random_values(rows * columns, 4);
  std::vector<float> y(a.size(), std::nanf(""));
  run_kernel(swiglu, {view(a.data(), {rows, columns}), view(b.data(), {rows, columns}),
                      view(y.data(), {rows, columns})});
  std::vector<double> answers;
  for (size_t i = 0; i < a.size(); ++i)
    answers.push_back(double(a[i]) / (1.0 + std::exp(-double(a[i]))) * b[i]);
  expect_close(y, answers);
}

} // namespace
} // namespace tilewright
