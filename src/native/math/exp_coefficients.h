// Made by scripts/math/exp_coefficients.py; do not edit.
#pragma once

#include <cstdint>

namespace tilewright::native {

// `step` is ln 2 / 2^step_bits. `step_high` has so few bits that x - k step_high is exact where k
// is the nearest number of steps. Adding `rounder` to x / step leaves k in the low bits of the sum.
// At `lowest` the smaller factor of 2^n is 0, far below where exp is; above `highest` exp is inf;
// below `lowest_added` it is too small to change a sum (see exp.cpp).

/// In units of the last place, the table is within 0.040, the polynomial before
/// rounding within 0.298, and its rounded coefficients within 0.302.
struct ExpF32 {
  using Type = float;
  static constexpr int mantissa_bits = 23;
  static constexpr int bias = 127;
  static constexpr int step_bits = 3;
  static constexpr float inverse_step = 0x1.7154760000000p+3f;
  static constexpr float step_high = 0x1.62e4300000000p-4f;
  static constexpr float step_low = -0x1.05c6100000000p-32f;
  static constexpr float rounder = 0x1.8000000000000p+23f;
  static constexpr float lowest = -0x1.5e00000000000p+7f;
  static constexpr float lowest_added = -0x1.1800000000000p+6f;
  static constexpr float highest = 0x1.6300000000000p+6f;
  /// Of 1, r, r^2, ...
  static constexpr float coefficients[] = {
      0x1.508a000000000p-9f,
      0x1.00a8460000000p+0f,
      0x1.00b28a0000000p-1f,
      0x1.5631640000000p-3f,
  };
  /// Of 2^(j/8) e^s as a number, less j at the place of k's low bits, less the bias.
  static constexpr int32_t table[] = {-42967,  -312770, -535516, -683518,
                                      -750011, -727618, -608294, -383266};
};

/// Relative error of the polynomial before rounding: 3.62e-18.
struct ExpF64 {
  using Type = double;
  static constexpr int mantissa_bits = 52;
  static constexpr int bias = 1023;
  static constexpr int step_bits = 0;
  static constexpr double inverse_step = 0x1.71547652b82fep+0;
  static constexpr double step_high = 0x1.62e42fefa4000p-1;
  static constexpr double step_low = -0x1.8432a1b0e2634p-43;
  static constexpr double rounder = 0x1.8000000000000p+52;
  static constexpr double lowest = -0x1.6260000000000p+10;
  static constexpr double lowest_added = -0x1.5e00000000000p+9;
  static constexpr double highest = 0x1.6300000000000p+9;
  /// Of 1, r, r^2, ...
  static constexpr double coefficients[] = {
      0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.000000000000ap-1,  0x1.55555555554fap-3,
      0x1.555555555088bp-5,  0x1.1111111127b9ep-7,  0x1.6c16c184268f8p-10, 0x1.a01a012a691f6p-13,
      0x1.a0199a167ea5ap-16, 0x1.71df253af0fafp-19, 0x1.28ad690311c21p-22, 0x1.ad7f7aa1cc5b3p-26,
  };
};

} // namespace tilewright::native
