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

template <Store kind>
TW_INLINE void store_as(float *p, Packet v) {
  if constexpr (kind == Store::unaligned)
    _mm512_storeu_ps(p, v);
  else if constexpr (kind == Store::aligned)
    _mm512_store_ps(p, v);
  else
    _mm512_stream_ps(p, v);
}

/// Stores packet_at(i, lanes), the elements from i on of the output, for [0, count), each once.
/// Before each packet it calls beside(slot, i, lanes), which may do other work for the same
/// elements of another row; the slot, 0 … 3, names an accumulator.
template <Store kind, typename PacketAt, typename Beside>
TW_INLINE void walk(float *y, Index count, PacketAt packet_at, Beside beside) {
  Index i = 0;
  if constexpr (kind != Store::unaligned) {
    Index head = Index((-reinterpret_cast<uintptr_t>(y) & 63) / sizeof(float));
    if (head > 0) {
      i = head < count ? head : count;
      Lanes lanes = first_lanes(i);
      beside(3, 0, lanes);
      store(y, packet_at(0, lanes), lanes);
    }
  }
  for (; i + 4 * width <= count; i += 4 * width) {
    Packet v[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      beside(k, i + k * width, AllLanes());
      v[k] = packet_at(i + k * width, AllLanes());
    }
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      store_as<kind>(y + i + k * width, v[k]);
  }
  for (; i + width <= count; i += width) {
    beside(0, i, AllLanes());
    store_as<kind>(y + i, packet_at(i, AllLanes()));
  }
  if (i < count) {
    Lanes lanes = first_lanes(count - i);
    beside(1, i, lanes);
    store(y + i, packet_at(i, lanes), lanes);
  }
}

/// For walks with nothing beside them.
struct Nothing {
  template <typename L>
  TW_INLINE void operator()(int, Index, L) const {}
};

/// Calls visit(slot, i, lanes) for [0, count).
template <typename Visit>
TW_INLINE void visit_all(Index count, Visit visit) {
  Index i = 0;
  for (; i + 4 * width <= count; i += 4 * width)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      visit(k, i + k * width, AllLanes());
  for (; i + width <= count; i += width)
    visit(0, i, AllLanes());
  if (i < count)
    visit(1, i, first_lanes(count - i));
}

} // namespace
} // namespace tilewright::baseline::avx512
