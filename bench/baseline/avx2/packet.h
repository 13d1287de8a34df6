// AVX2 and FMA helpers shared by the kernels of this folder. Everything is inlined into its user,
// because the files of this library are compiled for different instruction sets.
#pragma once

#include <cstdint>
#include <immintrin.h>

#define TW_INLINE __attribute__((always_inline)) inline

namespace tilewright::baseline::avx2 {
namespace {

using Packet = __m256;
using Index = int64_t;
constexpr Index width = 8;

TW_INLINE Packet splat(float value) { return _mm256_set1_ps(value); }
TW_INLINE Packet load(const float *p) { return _mm256_loadu_ps(p); }
TW_INLINE void store(float *p, Packet v) { _mm256_storeu_ps(p, v); }

/// All ones in the first n lanes, 0 ≤ n ≤ 8.
TW_INLINE __m256i first_lanes(Index n) {
  alignas(64) static const int32_t table[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  return _mm256_loadu_si256((const __m256i *)(table + width - n));
}

/// Elements from p to the next 32-byte border, 0 … 7.
TW_INLINE Index elements_to_border(const float *p) {
  return Index((-reinterpret_cast<uintptr_t>(p) & 31) / sizeof(float));
}

/// The first n elements at p, then zeros; touches no other.
TW_INLINE Packet load_first(const float *p, Index n) {
  return _mm256_maskload_ps(p, first_lanes(n));
}

/// Slow on AMD; for tensors and rows narrower than a packet. Others overlap their last two packets.
TW_INLINE void store_first(float *p, Index n, Packet v) {
  _mm256_maskstore_ps(p, first_lanes(n), v);
}

struct Add {
  static TW_INLINE Packet of(Packet a, Packet b) { return _mm256_add_ps(a, b); }
  static TW_INLINE __m128 of(__m128 a, __m128 b) { return _mm_add_ps(a, b); }
};

/// The second operand when either is NaN.
struct Max {
  static TW_INLINE Packet of(Packet a, Packet b) { return _mm256_max_ps(a, b); }
  static TW_INLINE __m128 of(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
};

/// All lanes of a packet combined.
template <typename Op>
TW_INLINE float reduce(Packet v) {
  __m128 four = Op::of(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  __m128 two = Op::of(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(Op::of(two, _mm_movehdup_ps(two)));
}

/// Four packets each combined to one lane, transposed and done together.
template <typename Op>
TW_INLINE __m128 reduce_four(const Packet v[4]) {
  Packet ab = Op::of(_mm256_unpacklo_ps(v[0], v[1]), _mm256_unpackhi_ps(v[0], v[1]));
  Packet cd = Op::of(_mm256_unpacklo_ps(v[2], v[3]), _mm256_unpackhi_ps(v[2], v[3]));
  Packet abcd = Op::of(_mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0)),
                       _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2)));
  return Op::of(_mm256_castps256_ps128(abcd), _mm256_extractf128_ps(abcd, 1));
}

/// Four accumulators combined to one packet.
template <typename Op>
TW_INLINE Packet join(const Packet v[4]) {
  return Op::of(Op::of(v[0], v[2]), Op::of(v[1], v[3]));
}

/// Hides where a pointer came from. Without it GCC keeps a running pointer per row across an outer
/// loop over groups of rows, more than there are registers.
template <typename T>
TW_INLINE T *opaque(T *p) {
  asm("" : "+r"(p));
  return p;
}

/// Brings the two cache lines that hold p[0, 32) to L1. Any address will do. An asm statement,
/// because GCC takes a function that only prefetches for pure and removes calls to it.
TW_INLINE void prefetch_step(const float *p) {
  asm volatile("prefetcht0 (%0)\n\tprefetcht0 64(%0)" : : "r"(p));
}

} // namespace
} // namespace tilewright::baseline::avx2
