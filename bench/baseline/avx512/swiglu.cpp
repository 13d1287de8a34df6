#include "baseline/avx512/exp.h"
#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

namespace tilewright::baseline::avx512 {
namespace {

TW_INLINE Packet swiglu(Packet a, Packet b) {
  Packet negated = _mm512_sub_ps(splat(-0.0f), a);
  // Below, exp adds nothing to 1; above, it is infinity.
  ExpParts e = exp_parts(clamp(negated, -87.0f, 88.75f));
  // Half of it first, because the scale of a number may be none itself.
  Packet half = _mm512_castsi512_ps(
      _mm512_sub_epi32(_mm512_castps_si512(e.scale), _mm512_set1_epi32(1 << 23)));
  Packet denominator = _mm512_fmadd_ps(half, e.rest, _mm512_add_ps(half, splat(0.5f)));
  denominator = _mm512_add_ps(denominator, denominator);
  return _mm512_mul_ps(_mm512_div_ps(a, denominator), b);
}

template <Store kind, Index prefetch_distance>
void whole_tensor(const float *a, const float *b, float *y, Index count) {
  walk<kind>(
      y, count, [&](Index i, auto lanes) { return swiglu(load(a + i, lanes), load(b + i, lanes)); },
      [&](Index at) {
        if constexpr (prefetch_distance > 0)
          visit_step(at, [&](int, Index i, auto) {
            prefetch(a + i + prefetch_distance);
            prefetch(b + i + prefetch_distance);
          });
      });
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline::avx512

extern "C" void tw_swiglu_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx512;
  auto *a = static_cast<const float *>(call->inputs[0]);
  auto *b = static_cast<const float *>(call->inputs[1]);
  auto *y = static_cast<float *>(call->outputs[0]);
  Index count = call->rows * call->cols;
  if (prefers_nontemporal(size_t(3 * count) * sizeof(float)))
    whole_tensor<Store::nontemporal, 512>(a, b, y, count);
  else
    whole_tensor<Store::aligned, 0>(a, b, y, count);
}
