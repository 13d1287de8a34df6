// Walking along an output in steps of four packets.
#pragma once

#include "baseline/avx2/packet.h"

namespace tilewright::baseline::avx2 {
namespace {

enum class Store {
  unaligned,
  aligned,     ///< the steps start at a cache line of the output
  nontemporal, ///< likewise; only whole lines bypass the caches, partial ones stall when they do
};

constexpr Index step = 4 * width;

/// Whether all rows have the same place relative to packets, or not all.
enum class Rows { alike, ragged };

template <Store kind>
TW_INLINE void store_as(float *p, Packet v) {
  if constexpr (kind == Store::unaligned)
    _mm256_storeu_ps(p, v);
  else if constexpr (kind == Store::aligned)
    _mm256_store_ps(p, v);
  else
    _mm256_stream_ps(p, v);
}

/// Stores packet_at(i), the elements [i, i + 8) of the output, so as to cover [0, count), with
/// count ≥ 8. Elements near either end may be computed and stored twice, so the output must not
/// overlap what packet_at reads. Calls beside(0), beside(32), beside(64), … before the steps: it
/// does other work, once per step.
template <Store kind, typename PacketAt, typename Beside>
TW_INLINE void walk(float *y, Index count, PacketAt packet_at, Beside beside) {
  Index head = 0;
  if constexpr (kind != Store::unaligned) {
    head = Index((-reinterpret_cast<uintptr_t>(y) & 63) / sizeof(float));
    if (head + step > count)
      return walk<Store::unaligned>(y, count, packet_at, beside);
    if (head > 0)
      store(y, packet_at(0));
    if (head > width)
      store(y + head - width, packet_at(head - width));
  }
  Index i = head;
  for (; i + step <= count; i += step) {
    beside(i - head);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      store_as<kind>(y + i + k * width, packet_at(i + k * width));
  }
  for (; i + width <= count; i += width)
    store(y + i, packet_at(i));
  if (i < count)
    store(y + count - width, packet_at(count - width));
}

} // namespace
} // namespace tilewright::baseline::avx2
