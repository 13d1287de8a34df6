// Made by scripts/math/erf_coefficients.py; do not edit.
#pragma once

namespace tilewright::native {

/// erf(t) = m + m P(m t - center), where m = min(t, bounds[0]), and entry -j mod 4 of each table is
/// of the piece above j bounds. In units of the last place the pieces are within 0.02, 0.11, 0.21,
/// 0.19 before P is rounded. From `limit` on erf is 1.
struct ErfF32 {
  static constexpr float bounds[] = {0x1.2000000000000p+0f, 0x1.d800000000000p+0f,
                                     0x1.6000000000000p+1f};
  static constexpr float limit = 0x1.f800000000000p+1f;
  static constexpr float minus_centers[4] = {-0x1.4400000000000p-1f, -0x1.e180000000000p+1f,
                                             -0x1.4ac0000000000p+1f, -0x1.ab80000000000p+0f};
  /// Of 1, u, u^2, ...
  static constexpr float coefficients[8][4] = {
      {-0x1.20c6ec0000000p-4f, -0x1.c71e8a0000000p-4f, -0x1.cb56aa0000000p-4f,
       -0x1.24b8f00000000p-3f},
      {-0x1.0b2d380000000p-2f, 0x1.a10f860000000p-17f, 0x1.2ad9420000000p-8f,
       0x1.9345d00000000p-4f},
      {0x1.28e1500000000p-4f, -0x1.3add040000000p-15f, -0x1.3108960000000p-7f,
       -0x1.0a0cb40000000p-3f},
      {-0x1.0ed53c0000000p-6f, 0x1.2579d20000000p-14f, 0x1.77dbb40000000p-7f,
       0x1.69d7560000000p-4f},
      {0x1.99f6440000000p-9f, -0x1.72f98c0000000p-14f, -0x1.3029c00000000p-7f,
       -0x1.89d4220000000p-6f},
      {-0x1.077e6a0000000p-11f, 0x1.8ae6740000000p-14f, 0x1.3e25a20000000p-8f,
       -0x1.0ed9dc0000000p-7f},
      {0x1.2585440000000p-14f, -0x1.8b39760000000p-14f, -0x1.38c95a0000000p-10f,
       0x1.137e180000000p-7f},
      {-0x1.1128140000000p-17f, 0x1.acca980000000p-15f, -0x1.93ed800000000p-13f,
       -0x1.8f341c0000000p-10f},
  };
};

} // namespace tilewright::native
