#include "baseline/avx2/exp.h"
#include "baseline/avx2/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

namespace tilewright::baseline::avx2 {
namespace {

TW_INLINE Packet swiglu(Packet a, Packet b) {
  ExpParts e = exp_parts_of_negated(clamp(a, -exp_negated_highest, -exp_negated_lowest));
  Packet denominator = _mm256_fmadd_ps(e.scale, e.rest, _mm256_add_ps(e.scale, splat(1)));
  return _mm256_mul_ps(_mm256_div_ps(a, denominator), b);
}

template <Store kind, Index prefetch_distance>
void whole_tensor(const float *a, const float *b, float *y, Index count) {
  walk<kind>(
      y, count, [&](Index i) { return swiglu(load(a + i), load(b + i)); },
      [&](Index i) {
        if constexpr (prefetch_distance > 0) {
          prefetch_step(a + i + prefetch_distance);
          prefetch_step(b + i + prefetch_distance);
        }
      });
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline::avx2

extern "C" void tw_swiglu_avx2(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx2;
  auto *a = static_cast<const float *>(call->inputs[0]);
  auto *b = static_cast<const float *>(call->inputs[1]);
  auto *y = static_cast<float *>(call->outputs[0]);
  Index count = call->rows * call->cols;
  if (count < width)
    store_first(y, count, swiglu(load_first(a, count), load_first(b, count)));
  else if (prefers_nontemporal(size_t(3 * count) * sizeof(float)))
    whole_tensor<Store::nontemporal, 512>(a, b, y, count);
  else
    whole_tensor<Store::aligned, 0>(a, b, y, count);
}
