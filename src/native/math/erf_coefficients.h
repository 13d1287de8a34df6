// Made by scripts/math/erf_coefficients.py; do not edit.
#pragma once

namespace tilewright::native {

/// erf(t) = m + m P(m t - center), where m = min(t, bounds[0]), and entry -j mod 4 of each table is
/// of the piece above j bounds. In units of the last place the pieces are within 0.02, 0.21, 0.13,
/// 0.08 before P is rounded. From `limit` on erf is 1.
struct ErfF32 {
  static constexpr float bounds[] = {0x1.2000000000000p+0f, 0x1.f000000000000p+0f,
                                     0x1.6800000000000p+1f};
  static constexpr float limit = 0x1.f800000000000p+1f;
  static constexpr float minus_centers[4] = {-0x1.4400000000000p-1f, -0x1.e600000000000p+1f,
                                             -0x1.5600000000000p+1f, -0x1.b900000000000p+0f};
  /// Of 1, u, u^2, ...
  static constexpr float coefficients[8][4] = {
      {-0x1.20c6ec0000000p-4f, -0x1.c71e220000000p-4f, -0x1.c9f6340000000p-4f,
       -0x1.1acd8e0000000p-3f},
      {-0x1.0b2d380000000p-2f, 0x1.51bf200000000p-17f, 0x1.9eec580000000p-9f,
       0x1.5e1cdc0000000p-4f},
      {0x1.28e1500000000p-4f, -0x1.0023d20000000p-15f, -0x1.b5eb7e0000000p-8f,
       -0x1.dc8c4c0000000p-4f},
      {-0x1.0ed53c0000000p-6f, 0x1.e72a100000000p-15f, 0x1.18dfbe0000000p-7f,
       0x1.5438180000000p-4f},
      {0x1.99f6440000000p-9f, -0x1.39d3c20000000p-14f, -0x1.deb1900000000p-8f,
       -0x1.a784c00000000p-6f},
      {-0x1.077e6a0000000p-11f, 0x1.49cfc20000000p-14f, 0x1.0ea2b00000000p-8f,
       -0x1.7195460000000p-8f},
      {0x1.2585440000000p-14f, -0x1.4edc5c0000000p-14f, -0x1.4ab56c0000000p-10f,
       0x1.f9edea0000000p-8f},
      {-0x1.1128140000000p-17f, 0x1.83c57c0000000p-15f, -0x1.5f6fc20000000p-21f,
       -0x1.d7f2620000000p-10f},
  };
};

} // namespace tilewright::native
