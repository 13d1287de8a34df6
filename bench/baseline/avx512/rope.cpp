#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

namespace tilewright::baseline::avx512 {
namespace {

/// One row: the two halves of x and of y, and its cosines and sines.
struct Row {
  const float *x1, *x2, *cosine, *sine;
  float *y1, *y2;

  template <typename L>
  TW_INLINE Packet first_at(Index i, L lanes) const {
    Packet product = _mm512_mul_ps(load(x2 + i, lanes), load(sine + i, lanes));
    return _mm512_fmsub_ps(load(x1 + i, lanes), load(cosine + i, lanes), product);
  }
  template <typename L>
  TW_INLINE Packet second_at(Index i, L lanes) const {
    Packet product = _mm512_mul_ps(load(x1 + i, lanes), load(sine + i, lanes));
    return _mm512_fmadd_ps(load(x2 + i, lanes), load(cosine + i, lanes), product);
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

/// Both halves of the output in one loop.
void joined_halves(Call call) {
  for (Index r = 0; r < call.rows; ++r) {
    Row row = call.row(r);
    visit_range(0, call.half, [&](int, Index i, auto lanes) {
      Packet first = row.first_at(i, lanes), second = row.second_at(i, lanes);
      store(row.y1 + i, first, lanes);
      store(row.y2 + i, second, lanes);
    });
  }
}

/// One half of the output after the other, each from its own cache line on; the second finds its
/// inputs in the cache. Six streams keep the hardware's prefetchers busy: more would not help.
void separate_halves(Call call) {
  for (Index r = 0; r < call.rows; ++r) {
    Row row = call.row(r);
    walk<Store::nontemporal>(
        row.y1, call.half, [&](Index i, auto lanes) { return row.first_at(i, lanes); },
        [](Index) {});
    walk<Store::nontemporal>(
        row.y2, call.half, [&](Index i, auto lanes) { return row.second_at(i, lanes); },
        [](Index) {});
  }
  _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline::avx512

extern "C" void tw_rope_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx512;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<const float *>(call->inputs[2]),
         static_cast<float *>(call->outputs[0]),
         call->rows,
         call->cols / 2};
  if (prefers_nontemporal(size_t(6 * c.rows * c.half) * sizeof(float)))
    separate_halves(c);
  else
    joined_halves(c);
}
