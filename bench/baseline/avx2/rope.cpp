#include "baseline/avx2/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

namespace tilewright::baseline::avx2 {
namespace {

/// One row: the two halves of x and of y, and its cosines and sines.
struct Row {
  const float *x1, *x2, *cosine, *sine;
  float *y1, *y2;

  TW_INLINE Packet first(Packet a, Packet b, Packet c, Packet s) const {
    return _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s));
  }
  TW_INLINE Packet second(Packet a, Packet b, Packet c, Packet s) const {
    return _mm256_fmadd_ps(b, c, _mm256_mul_ps(a, s));
  }
  TW_INLINE Packet first_at(Index i) const {
    return first(load(x1 + i), load(x2 + i), load(cosine + i), load(sine + i));
  }
  TW_INLINE Packet second_at(Index i) const {
    return second(load(x1 + i), load(x2 + i), load(cosine + i), load(sine + i));
  }
  TW_INLINE void both_at(Index i) const {
    Packet a = load(x1 + i), b = load(x2 + i), c = load(cosine + i), s = load(sine + i);
    store(y1 + i, first(a, b, c, s));
    store(y2 + i, second(a, b, c, s));
  }
};

struct Call {
  const float *x, *cosine, *sine;
  float *y;
  Index rows, half;

  TW_INLINE Row row(Index r) const {
    const float *begin = x + 2 * r * half;
    float *out = y + 2 * r * half;
    return {begin, begin + half, cosine + r * half, sine + r * half, out, out + half};
  }
};

/// One packet holds half a row.
void tiny_rows(Call call) {
  for (Index r = 0; r < call.rows; ++r) {
    Row row = call.row(r);
    Packet a = load_first(row.x1, call.half), b = load_first(row.x2, call.half);
    Packet c = load_first(row.cosine, call.half), s = load_first(row.sine, call.half);
    store_first(row.y1, call.half, row.first(a, b, c, s));
    store_first(row.y2, call.half, row.second(a, b, c, s));
  }
}

/// Both halves of the output in one loop.
void joined_halves(Call call) {
  for (Index r = 0; r < call.rows; ++r) {
    Row row = call.row(r);
    Index i = 0;
    for (; i + 2 * width <= call.half; i += 2 * width) {
      row.both_at(i);
      row.both_at(i + width);
    }
    if (i + width <= call.half) {
      row.both_at(i);
      i += width;
    }
    if (i < call.half)
      row.both_at(call.half - width);
  }
}

/// One half of the output after the other, each from its own cache line on; the second finds its
/// inputs in the cache. Six streams keep the hardware's prefetchers busy: more would not help.
void separate_halves(Call call) {
  for (Index r = 0; r < call.rows; ++r) {
    Row row = call.row(r);
    walk<Store::nontemporal>(
        row.y1, call.half, [&](Index i) { return row.first_at(i); }, [](Index) {});
    walk<Store::nontemporal>(
        row.y2, call.half, [&](Index i) { return row.second_at(i); }, [](Index) {});
  }
  _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline::avx2

extern "C" void tw_rope_avx2(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx2;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<const float *>(call->inputs[2]),
         static_cast<float *>(call->outputs[0]),
         call->rows,
         call->cols / 2};
  if (c.half == 0)
    return;
  if (c.half < width)
    tiny_rows(c);
  else if (prefers_nontemporal(size_t(6 * c.rows * c.half) * sizeof(float)))
    separate_halves(c);
  else
    joined_halves(c);
}
