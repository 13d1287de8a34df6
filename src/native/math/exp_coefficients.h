// Made by scripts/math/exp_coefficients.py; do not edit.
#pragma once

namespace tilewright::native {

// `ln2_high` has so few bits that n * ln2_high is exact. Adding `rounder` to x / ln 2 leaves n in
// the low bits of the sum. Below `lowest` exp is 0, above `highest` it is inf; below `lowest_added`
// it is too small to change a sum (see factors_by in exp.cpp).

/// Relative error of the polynomial before rounding: 4.28e-09.
struct ExpF32 {
  using Type = float;
  static constexpr int mantissa_bits = 23;
  static constexpr int bias = 127;
  static constexpr float inverse_ln2 = 0x1.7154760000000p+0f;
  static constexpr float ln2_high = 0x1.62e4000000000p-1f;
  static constexpr float ln2_low = 0x1.7f7d1c0000000p-20f;
  static constexpr float rounder = 0x1.8000000000000p+23f;
  static constexpr float lowest = -0x1.a000000000000p+6f;
  static constexpr float lowest_added = -0x1.1800000000000p+6f;
  static constexpr float highest = 0x1.6400000000000p+6f;
  /// Of r^2, r^3, ...
  static constexpr float coefficients[] = {
      0x1.0000000000000p-1f, 0x1.5554660000000p-3f,  0x1.5553000000000p-5f,
      0x1.1257820000000p-7f, 0x1.6fee5a0000000p-10f,
  };
};

/// Relative error of the polynomial before rounding: 3.62e-18.
struct ExpF64 {
  using Type = double;
  static constexpr int mantissa_bits = 52;
  static constexpr int bias = 1023;
  static constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa4000p-1;
  static constexpr double ln2_low = -0x1.8432a1b0e2634p-43;
  static constexpr double rounder = 0x1.8000000000000p+52;
  static constexpr double lowest = -0x1.74a0000000000p+9;
  static constexpr double lowest_added = -0x1.5e00000000000p+9;
  static constexpr double highest = 0x1.6300000000000p+9;
  /// Of r^2, r^3, ...
  static constexpr double coefficients[] = {
      0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.555555555088bp-5,  0x1.1111111127b9ep-7,
      0x1.6c16c184268f8p-10, 0x1.a01a012a691f6p-13, 0x1.a0199a167ea5ap-16, 0x1.71df253af0fafp-19,
      0x1.28ad690311c21p-22, 0x1.ad7f7aa1cc5b3p-26,
  };
};

} // namespace tilewright::native
