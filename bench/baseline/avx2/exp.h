// exp by a table of eight in a register: exp(x) = 2^(k/8) · e^r, |r| ≤ ln 2 / 16.
#pragma once

#include "baseline/avx2/packet.h"

namespace tilewright::baseline::avx2 {
namespace {

/// exp(x) = scale · (1 + rest), within 1.2 ULP as fma(scale, rest, scale).
struct ExpParts {
  Packet scale, rest;
};

/// Below this exp is zero; at it, exactly so. Below −87.3 a result is subnormal and inaccurate.
constexpr float exp_lowest = -0x1.601e68p+6f; // −127 · ln 2

/// 2^(k/8), from a table of the bits of 2^(j/8), less j · 2^20: adding k · 2^20, where k ≡ j modulo
/// 8, gives those of 2^(k/8).
TW_INLINE Packet exp_scale(__m256i table, __m256i k) {
  __m256i entry = _mm256_permutevar8x32_epi32(table, k); // by the low three bits of k
  return _mm256_castsi256_ps(_mm256_add_epi32(entry, _mm256_slli_epi32(k, 20)));
}

constexpr float exp_to_integer = 0x1.8p23f; // adding it rounds to an integer in the low bits
constexpr float eight_over_ln2 = 0x1.715476p+3f;
constexpr float ln2_over_eight_high = 0x1.62ep-4f; // its product with k is exact
constexpr float ln2_over_eight_low = 0x1.0bfbe8p-18f;
constexpr float exp_c2 = 0.500064601003f; // e^r = 1 + r + c2 r² + c3 r³
constexpr float exp_c3 = 0.166668587911f;

/// Of exp(x), for x within [exp_lowest, 88.6], or NaN.
TW_INLINE ExpParts exp_parts(Packet x) {
  Packet shifted = _mm256_fmadd_ps(x, splat(eight_over_ln2), splat(exp_to_integer));
  Packet k = _mm256_sub_ps(shifted, splat(exp_to_integer));
  Packet r = _mm256_fnmadd_ps(k, splat(ln2_over_eight_high), x);
  r = _mm256_fnmadd_ps(k, splat(ln2_over_eight_low), r);
  Packet p = _mm256_fmadd_ps(r, splat(exp_c3), splat(exp_c2));
  const __m256i table =
      _mm256_setr_epi32(0x3f800000, 0x3f8b95c2 - (1 << 20), 0x3f9837f0 - (2 << 20),
                        0x3fa5fed7 - (3 << 20), 0x3fb504f3 - (4 << 20), 0x3fc5672a - (5 << 20),
                        0x3fd744fd - (6 << 20), 0x3feac0c7 - (7 << 20));
  return {exp_scale(table, _mm256_castps_si256(shifted)),
          _mm256_fmadd_ps(_mm256_mul_ps(p, r), r, r)};
}

/// Bounds for exp_parts_of_negated; beyond them exp adds nothing to 1, or is infinity.
constexpr float exp_negated_lowest = -87.0f;
constexpr float exp_negated_highest = 88.75f;

/// Of exp(−x), for −x within [exp_negated_lowest, exp_negated_highest], or NaN. The whole table is
/// smaller by 2^(1/270), which `rest` takes back: then even 2^128 has a finite scale.
TW_INLINE ExpParts exp_parts_of_negated(Packet x) {
  const __m256i table =
      _mm256_setr_epi32(0x3f7f5829, 0x3f8b3a3e - (1 << 20), 0x3f97d424 - (2 << 20),
                        0x3fa59202 - (3 << 20), 0x3fb48e45 - (4 << 20), 0x3fc4e5be - (5 << 20),
                        0x3fd6b7da - (6 << 20), 0x3fea26de - (7 << 20));
  Packet shifted = _mm256_fnmadd_ps(x, splat(eight_over_ln2), splat(exp_to_integer));
  Packet k = _mm256_sub_ps(shifted, splat(exp_to_integer));
  Packet near = _mm256_fmadd_ps(k, splat(0x1.62e43p-4f), x); // −r, and so is its correction:
  Packet r = _mm256_fmadd_ps(k, splat(-0x1.05c61p-32f), near);
  Packet rest = _mm256_fnmadd_ps(near, splat(0x1.563164p-3f), splat(0x1.00b28ap-1f));
  rest = _mm256_fnmadd_ps(rest, r, splat(0x1.00a846p+0f));
  rest = _mm256_fnmadd_ps(rest, r, splat(0x1.508ap-9f));
  return {exp_scale(table, _mm256_castps_si256(shifted)), rest};
}

/// Keeps NaN.
TW_INLINE Packet clamp(Packet x, float lowest, float highest) {
  return _mm256_min_ps(splat(highest), _mm256_max_ps(splat(lowest), x));
}

} // namespace
} // namespace tilewright::baseline::avx2
