#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

namespace tilewright::baseline::avx512 {
namespace {

/// Φ(x) = (1 + erf(x / √2)) / 2 on 32 intervals around (j − 16) · 0.36, as polynomials of degree 4
/// in f = x / 0.36 − (j − 16), |f| ≤ 1/2: phi_table[k][j] goes with f^k. Within 2e-7. The outermost
/// intervals are exactly 0 and 1.
constexpr float interval = 0.36f;
alignas(64) constexpr float phi_table[5][32] = {
    {
        0,
        3.33221841e-08f,
        2.32773388e-07f,
        1.4344015e-06f,
        7.80154005e-06f,
        3.74750744e-05f,
        0.000159108939f,
        0.000597648905f,
        0.00198837579f,
        0.00586774061f,
        0.0153863328f,
        0.0359303169f,
        0.0749337003f,
        0.140071094f,
        0.235762507f,
        0.359423578f,
        0.5f,
        0.640576422f,
        0.764237523f,
        0.859928906f,
        0.925066292f,
        0.964069664f,
        0.984613657f,
        0.99413228f,
        0.998011649f,
        0.999402344f,
        0.999840915f,
        0.999962509f,
        0.999992192f,
        0.999998569f,
        0.999999762f,
        1,
    },
    {
        0,
        6.6738437e-08f,
        4.37246456e-07f,
        2.51619463e-06f,
        1.27185358e-05f,
        5.64691836e-05f,
        0.000220228452f,
        0.000754445966f,
        0.00227028551f,
        0.0060011521f,
        0.0139345918f,
        0.0284225177f,
        0.0509262979f,
        0.0801558346f,
        0.11082641f,
        0.134607002f,
        0.143618047f,
        0.134607002f,
        0.11082641f,
        0.0801558346f,
        0.0509262979f,
        0.0284225177f,
        0.0139345918f,
        0.0060011521f,
        0.00227028551f,
        0.000754445966f,
        0.000220228452f,
        5.64691836e-05f,
        1.27185358e-05f,
        2.51619463e-06f,
        4.37246456e-07f,
        0,
    },
    {
        0,
        6.49028848e-08f,
        3.96829932e-07f,
        2.1203075e-06f,
        9.89230557e-06f,
        4.02584265e-05f,
        0.000142726436f,
        0.000440032309f,
        0.0011769844f,
        0.00272221351f,
        0.00541784754f,
        0.0092088962f,
        0.0131999562f,
        0.0155820092f,
        0.0143627971f,
        0.0087223053f,
        7.3594794e-41f,
        -0.0087223053f,
        -0.0143627971f,
        -0.0155820092f,
        -0.0131999562f,
        -0.0092088962f,
        -0.00541784754f,
        -0.00272221351f,
        -0.0011769844f,
        -0.000440032309f,
        -0.000142726436f,
        -4.02584265e-05f,
        -9.89230557e-06f,
        -2.1203075e-06f,
        -3.96829932e-07f,
        0,
    },
    {
        0,
        4.26864943e-08f,
        2.4039619e-07f,
        1.17622608e-06f,
        4.98957615e-06f,
        1.82995227e-05f,
        5.78071267e-05f,
        0.00015645058f,
        0.000359904574f,
        0.000694907969f,
        0.00110131106f,
        0.0013677947f,
        0.00116954173f,
        0.00027890582f,
        -0.00115213369f,
        -0.00251757936f,
        -0.00308340904f,
        -0.00251757936f,
        -0.00115213369f,
        0.00027890582f,
        0.00116954173f,
        0.0013677947f,
        0.00110131106f,
        0.000694907969f,
        0.000359904574f,
        0.00015645058f,
        5.78071267e-05f,
        1.82995227e-05f,
        4.98957615e-06f,
        1.17622608e-06f,
        2.4039619e-07f,
        0,
    },
    {
        0,
        1.91334877e-08f,
        9.94286466e-08f,
        4.45160765e-07f,
        1.7098522e-06f,
        5.6008912e-06f,
        1.55101025e-05f,
        3.58134894e-05f,
        6.73180912e-05f,
        9.80448167e-05f,
        9.63661587e-05f,
        2.25780168e-05f,
        -0.000132447414f,
        -0.000307080219f,
        -0.000382105063f,
        -0.000267972297f,
        -1.89325232e-40f,
        0.000267972297f,
        0.000382105063f,
        0.000307080219f,
        0.000132447414f,
        -2.25780168e-05f,
        -9.63661587e-05f,
        -9.80448167e-05f,
        -6.73180912e-05f,
        -3.58134894e-05f,
        -1.55101025e-05f,
        -5.6008912e-06f,
        -1.7098522e-06f,
        -4.45160765e-07f,
        -9.94286466e-08f,
        0,
    },
};

TW_INLINE Packet phi_entry(int degree, __m512i j) {
  return _mm512_permutex2var_ps(_mm512_load_ps(phi_table[degree]), j,
                                _mm512_load_ps(phi_table[degree] + 16));
}

/// x · Φ(x) + r.
TW_INLINE Packet gelu_residual(Packet x, Packet r) {
  const Packet to_integer = splat(0x1.8p23f + 16);
  Packet inside = _mm512_min_ps(splat(15 * interval), _mm512_max_ps(splat(-16 * interval), x));
  Packet shifted = _mm512_fmadd_ps(inside, splat(1 / interval), to_integer);
  Packet n = _mm512_sub_ps(shifted, to_integer);
  Packet f = _mm512_fmsub_ps(inside, splat(1 / interval), n);
  __m512i j = _mm512_castps_si512(shifted);
  Packet phi = phi_entry(4, j);
  phi = _mm512_fmadd_ps(phi, f, phi_entry(3, j));
  phi = _mm512_fmadd_ps(phi, f, phi_entry(2, j));
  phi = _mm512_fmadd_ps(phi, f, phi_entry(1, j));
  phi = _mm512_fmadd_ps(phi, f, phi_entry(0, j));
  return _mm512_fmadd_ps(x, phi, r);
}

template <Store kind, Index prefetch_distance>
void whole_tensor(const float *x, const float *r, float *y, Index count) {
  walk<kind>(
      y, count,
      [&](Index i, auto lanes) { return gelu_residual(load(x + i, lanes), load(r + i, lanes)); },
      [&](Index at) {
        if constexpr (prefetch_distance > 0)
          visit_step(at, [&](int, Index i, auto) {
            prefetch(x + i + prefetch_distance);
            prefetch(r + i + prefetch_distance);
          });
      });
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline::avx512

extern "C" void tw_gelu_residual_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx512;
  auto *x = static_cast<const float *>(call->inputs[0]);
  auto *r = static_cast<const float *>(call->inputs[1]);
  auto *y = static_cast<float *>(call->outputs[0]);
  Index count = call->rows * call->cols;
  if (prefers_nontemporal(size_t(3 * count) * sizeof(float)))
    whole_tensor<Store::nontemporal, 512>(x, r, y, count);
  else
    whole_tensor<Store::aligned, 0>(x, r, y, count);
}
