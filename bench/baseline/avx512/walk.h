// Walking along an output in steps of four packets.
#pragma once

#include "baseline/avx512/packet.h"

namespace tilewright::baseline::avx512 {
namespace {

enum class Store {
  unaligned,
  aligned,     ///< the steps start at a cache line of the output, after a masked head
  nontemporal, ///< likewise; only whole lines bypass the caches
};

/// Whether all rows have the same place relative to packets, or not all.
enum class Rows { alike, ragged };

template <Store kind>
TW_INLINE void store_as(float *p, Packet v) {
  if constexpr (kind == Store::unaligned)
    _mm512_storeu_ps(p, v);
  else if constexpr (kind == Store::aligned)
    _mm512_store_ps(p, v);
  else
    _mm512_stream_ps(p, v);
}

constexpr Index step = 4 * width;

/// Stores packet_at(i, lanes), the elements from i on of the output, for [0, count), each once.
/// Calls beside(0), beside(64), beside(128), … before the steps: it does other work, once per step.
template <Store kind, typename PacketAt, typename Beside>
TW_INLINE void walk(float *y, Index count, PacketAt packet_at, Beside beside) {
  Index i = 0;
  if constexpr (kind != Store::unaligned) {
    Index head = elements_to_border(y);
    i = head < count ? head : count;
    Lanes lanes = first_lanes(i);
    store(y, packet_at(0, lanes), lanes);
  }
  for (Index at = 0; i + step <= count; i += step, at += step) {
    beside(at);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      store_as<kind>(y + i + k * width, packet_at(i + k * width, AllLanes()));
  }
  for (; i + width <= count; i += width)
    store_as<kind>(y + i, packet_at(i, AllLanes()));
  if (i < count) {
    Lanes lanes = first_lanes(count - i);
    store(y + i, packet_at(i, lanes), lanes);
  }
}

/// Calls visit(slot, i, lanes) for one step; the slot, 0 … 3, names an accumulator.
template <typename Visit>
TW_INLINE void visit_step(Index begin, Visit visit) {
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    visit(k, begin + k * width, AllLanes());
}

/// Calls visit(slot, i, lanes) for [begin, end).
template <typename Visit>
TW_INLINE void visit_range(Index begin, Index end, Visit visit) {
  Index i = begin;
  for (; i + step <= end; i += step)
    visit_step(i, visit);
  for (; i + width <= end; i += width)
    visit(0, i, AllLanes());
  if (i < end)
    visit(1, i, first_lanes(end - i));
}

} // namespace
} // namespace tilewright::baseline::avx512
