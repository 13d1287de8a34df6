#include "baseline/stream_loops.h"

#include <immintrin.h>

namespace {

struct Packet {
  using Vector = __m512i;
  static constexpr std::size_t bytes = 64;
  static Vector load(const char *p) { return _mm512_loadu_si512(p); }
  static void store(char *p, Vector v) { _mm512_storeu_si512(p, v); }
  static void store_nontemporal(char *p, Vector v) { _mm512_stream_si512((__m512i *)p, v); }
};

} // namespace

using namespace tilewright::baseline;

extern "C" void tw_stream_plain_avx512(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::plain>(call);
}

extern "C" void tw_stream_prefetched_avx512(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::prefetched>(call);
}

extern "C" void tw_stream_nontemporal_avx512(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::nontemporal>(call);
}
