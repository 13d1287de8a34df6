// exp by a table of eight in a register: exp(x) = 2^(k/8) · e^r, |r| ≤ ln 2 / 16.
#pragma once

#include "baseline/avx2/packet.h"

namespace tilewright::baseline::avx2 {
namespace {

/// exp(x) = scale · (1 + rest).
struct ExpParts {
  Packet scale, rest;
};

/// Beyond these, exp is zero or infinity; at them, exactly so. Below −87.3 a result is subnormal
/// and inaccurate.
constexpr float exp_lowest = -0x1.601e68p+6f; // −127 · ln 2
constexpr float exp_highest = 0x1.62e43p+6f;  // 128 · ln 2

/// For x within [exp_lowest, exp_highest], or NaN. The low three bits of k select from the table,
/// whose entries have them subtracted, so that adding k · 2^20 gives the bits of 2^(k/8).
TW_INLINE ExpParts exp_parts(Packet x) {
  const Packet to_integer = splat(0x1.8p23f);
  const __m256i table =
      _mm256_setr_epi32(0x3f800000, 0x3f8b95c2 - (1 << 20), 0x3f9837f0 - (2 << 20),
                        0x3fa5fed7 - (3 << 20), 0x3fb504f3 - (4 << 20), 0x3fc5672a - (5 << 20),
                        0x3fd744fd - (6 << 20), 0x3feac0c7 - (7 << 20));
  Packet shifted = _mm256_fmadd_ps(x, splat(0x1.715476p+3f), to_integer);
  Packet n = _mm256_sub_ps(shifted, to_integer);
  __m256i k = _mm256_castps_si256(shifted);
  Packet r = _mm256_fnmadd_ps(n, splat(0x1.62ep-4f), x);
  r = _mm256_fnmadd_ps(n, splat(0x1.0bfbe8p-18f), r);
  __m256i scale = _mm256_add_epi32(_mm256_slli_epi32(k, 20), _mm256_permutevar8x32_epi32(table, k));
  Packet p = _mm256_fmadd_ps(r, splat(0.166668587911f), splat(0.500064601003f));
  return {_mm256_castsi256_ps(scale), _mm256_fmadd_ps(_mm256_mul_ps(p, r), r, r)};
}

/// Keeps NaN.
TW_INLINE Packet clamp(Packet x, float lowest, float highest) {
  return _mm256_min_ps(splat(highest), _mm256_max_ps(splat(lowest), x));
}

/// Within 1.2 ULP; 0 for −inf, inf for inf, NaN for NaN.
TW_INLINE Packet exp(Packet x) {
  ExpParts e = exp_parts(clamp(x, exp_lowest, exp_highest));
  return _mm256_fmadd_ps(e.scale, e.rest, e.scale);
}

} // namespace
} // namespace tilewright::baseline::avx2
