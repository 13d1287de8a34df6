#include "baseline/stream_loops.h"

#include <immintrin.h>

namespace {

struct Packet {
  using Vector = __m256i;
  static constexpr std::size_t bytes = 32;
  static Vector load(const char *p) { return _mm256_loadu_si256((const __m256i *)p); }
  static void store(char *p, Vector v) { _mm256_storeu_si256((__m256i *)p, v); }
  static void store_nontemporal(char *p, Vector v) { _mm256_stream_si256((__m256i *)p, v); }
};

} // namespace

using namespace tilewright::baseline;

extern "C" void tw_stream_plain_avx2(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::plain>(call);
}

extern "C" void tw_stream_prefetched_avx2(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::prefetched>(call);
}

extern "C" void tw_stream_nontemporal_avx2(const tw_stream_call *call) {
  move_streams<Packet, StreamLoop::nontemporal>(call);
}
