// What tests of vector math share: running one operation at a width, and errors in units of the
// last place.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>

#include "compile_text.h"
#include "kernels.h"
#include "launch.h"

namespace tilewright::native {

/// The values of %y in `body`, whose inputs are %x0, %x1.
template <typename T>
std::vector<T> run_body(const std::string &isa, int width, const std::string &body,
                        const std::vector<std::vector<T>> &inputs) {
  std::string element = sizeof(T) == 4 ? "f32" : "f64";
  int views = static_cast<int>(inputs.size()) + 1;
  NativeCode code = compile_for(isa, map_text("f", views, width, body, element));
  std::vector<std::vector<T>> copies = inputs;
  std::vector<T> output(inputs[0].size(), T(-1));
  std::vector<std::vector<T> *> arrays;
  for (std::vector<T> &copy : copies)
    arrays.push_back(&copy);
  arrays.push_back(&output);
  if (void *function = code.symbols["f"])
    launch<T>(function, arrays, static_cast<int64_t>(output.size()));
  return output;
}

template <typename T>
std::vector<T> run(const std::string &isa, int width, const std::string &op,
                   const std::vector<std::vector<T>> &inputs) {
  std::string operands = inputs.size() == 2 ? "%x0, %x1" : "%x0";
  return run_body<T>(isa, width, "    %y = " + op + " " + operands + " : VEC\n", inputs);
}

/// The error of `got` in units of the last place of the right answer.
template <typename T>
double ulps_of(long double right, T got) {
  constexpr int digits = std::numeric_limits<T>::digits;
  constexpr int least = std::numeric_limits<T>::min_exponent - digits;
  if (right > std::numeric_limits<T>::max())
    return std::isinf(got) ? 0 : got == std::numeric_limits<T>::max() ? 1 : INFINITY;
  int exponent;
  frexpl(right, &exponent);
  long double unit = ldexpl(1.0L, std::max(exponent - digits, least));
  return static_cast<double>(fabsl(static_cast<long double>(got) - right) / unit);
}

template <typename T>
void expect_same_bits(const std::vector<T> &expected, const std::vector<T> &got,
                      const std::string &what) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::bit_cast<Bits>(expected[i]), std::bit_cast<Bits>(got[i]))
        << what << " at " << i << ": " << expected[i] << " and " << got[i];
}

/// Expects of `op` the given bits at every width up to 64 bytes, on all levels that run here.
template <typename T>
void expect_same_everywhere(const std::string &op, const std::vector<T> &inputs,
                            const std::vector<T> &expected) {
  constexpr int widest = 64 / sizeof(T);
  for (std::string isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    for (int width = 1; width <= widest; width *= 2)
      if (runs_here(*named(isa)))
        expect_same_bits(expected, run<T>(isa, width, op, {inputs}),
                         isa + " width " + std::to_string(width));
}

} // namespace tilewright::native
