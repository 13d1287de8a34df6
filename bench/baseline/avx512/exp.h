// exp by a table of 32 in two registers: exp(x) = 2^(k/32) · e^r, |r| ≤ ln 2 / 64.
#pragma once

#include "baseline/avx512/packet.h"

namespace tilewright::baseline::avx512 {
namespace {

/// exp(x) = scale · (1 + rest).
struct ExpParts {
  Packet scale, rest;
};

/// Below this exp is zero; at it, exactly so. Below −87.3 a result is subnormal and inaccurate.
constexpr float exp_lowest = -0x1.601e68p+6f; // −127 · ln 2

/// The bits of 2^(j/32), less j · 2^18.
alignas(64) constexpr uint32_t exp_table[32] = {
    0x3f800000, 0x3f7ecd87, 0x3f7daac3, 0x3f7c980f, 0x3f7b95c2, 0x3f7aa43a, 0x3f79c3d3, 0x3f78f4f0,
    0x3f7837f0, 0x3f778d3a, 0x3f76f532, 0x3f767043, 0x3f75fed7, 0x3f75a15b, 0x3f75583f, 0x3f7523f6,
    0x3f7504f3, 0x3f74fbaf, 0x3f7508a4, 0x3f752c4d, 0x3f75672a, 0x3f75b9be, 0x3f76248c, 0x3f76a81e,
    0x3f7744fd, 0x3f77fbb8, 0x3f78ccdf, 0x3f79b907, 0x3f7ac0c7, 0x3f7be4ba, 0x3f7d257d, 0x3f7e83b3,
};

/// For x within [exp_lowest, 88.75], or NaN; within 1.8 ULP. From 88.71 on `scale` has the bits of
/// 2^128, which is no number. The low five bits of k select
/// from the table; adding k · 2^18 gives the bits of 2^(k/32).
TW_INLINE ExpParts exp_parts(Packet x) {
  const Packet to_integer = splat(0x1.8p23f);
  Packet shifted = _mm512_fmadd_ps(x, splat(0x1.715476p+5f), to_integer);
  Packet n = _mm512_sub_ps(shifted, to_integer);
  __m512i k = _mm512_castps_si512(shifted);
  Packet r = _mm512_fnmadd_ps(n, splat(0x1.62cp-6f), x);
  r = _mm512_fnmadd_ps(n, splat(0x1.217f7ep-17f), r);
  __m512i entry =
      _mm512_permutex2var_epi32(_mm512_load_si512(exp_table), k, _mm512_load_si512(exp_table + 16));
  __m512i scale = _mm512_add_epi32(entry, _mm512_slli_epi32(k, 18));
  Packet p = _mm512_fmadd_ps(r, splat(0.50000417f), splat(1.00001466f));
  return {_mm512_castsi512_ps(scale), _mm512_mul_ps(p, r)};
}

/// Keeps NaN.
TW_INLINE Packet clamp(Packet x, float lowest, float highest) {
  return _mm512_min_ps(splat(highest), _mm512_max_ps(splat(lowest), x));
}

} // namespace
} // namespace tilewright::baseline::avx512
