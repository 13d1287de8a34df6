// AVX-512 helpers shared by the kernels of this folder. Everything is inlined into its user,
// because the files of this library are compiled for different instruction sets.
#pragma once

#include <cstdint>
#include <immintrin.h>

#define TW_INLINE __attribute__((always_inline)) inline

namespace tilewright::baseline::avx512 {
namespace {

using Packet = __m512;
using Index = int64_t;
constexpr Index width = 16;

TW_INLINE Packet splat(float value) { return _mm512_set1_ps(value); }

/// Which lanes take part: all, or those of a mask. Kernels are written once for both.
struct AllLanes {};
using Lanes = __mmask16;

/// The first n lanes, 0 ≤ n ≤ 16.
TW_INLINE Lanes first_lanes(Index n) { return Lanes((1u << n) - 1); }

/// Lanes that do not take part give zero and touch no memory.
TW_INLINE Packet load(const float *p, AllLanes = {}) { return _mm512_loadu_ps(p); }
TW_INLINE Packet load(const float *p, Lanes lanes) { return _mm512_maskz_loadu_ps(lanes, p); }
TW_INLINE void store(float *p, Packet v, AllLanes = {}) { _mm512_storeu_ps(p, v); }
TW_INLINE void store(float *p, Packet v, Lanes lanes) { _mm512_mask_storeu_ps(p, lanes, v); }

struct Add {
  static TW_INLINE Packet of(Packet a, Packet b) { return _mm512_add_ps(a, b); }
  static TW_INLINE __m256 of(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
  static TW_INLINE __m128 of(__m128 a, __m128 b) { return _mm_add_ps(a, b); }
};

/// The second operand when either is NaN.
struct Max {
  static TW_INLINE Packet of(Packet a, Packet b) { return _mm512_max_ps(a, b); }
  static TW_INLINE __m256 of(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
  static TW_INLINE __m128 of(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
};

template <typename Op>
TW_INLINE __m256 halves(Packet v) {
  return Op::of(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
}

/// All lanes of a packet combined.
template <typename Op>
TW_INLINE float reduce(Packet v) {
  __m256 eight = halves<Op>(v);
  __m128 four = Op::of(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  __m128 two = Op::of(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(Op::of(two, _mm_movehdup_ps(two)));
}

/// Four packets each combined to one lane, transposed and done together.
template <typename Op>
TW_INLINE __m128 reduce_four(const Packet v[4]) {
  __m256 a = halves<Op>(v[0]), b = halves<Op>(v[1]), c = halves<Op>(v[2]), d = halves<Op>(v[3]);
  __m256 ab = Op::of(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
  __m256 cd = Op::of(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
  __m256 abcd = Op::of(_mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0)),
                       _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2)));
  return Op::of(_mm256_castps256_ps128(abcd), _mm256_extractf128_ps(abcd, 1));
}

/// Four accumulators combined to one packet.
template <typename Op>
TW_INLINE Packet join(const Packet v[4]) {
  return Op::of(Op::of(v[0], v[2]), Op::of(v[1], v[3]));
}

/// Elements from p to the next cache line, 0 … 15.
TW_INLINE Index elements_to_border(const float *p) {
  return Index((-reinterpret_cast<uintptr_t>(p) & 63) / sizeof(float));
}

/// Brings the cache line of p to L1. Any address will do. An asm statement, because GCC takes a
/// function that only prefetches for pure and removes calls to it.
TW_INLINE void prefetch(const float *p) { asm volatile("prefetcht0 (%0)" : : "r"(p)); }

} // namespace
} // namespace tilewright::baseline::avx512
