#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>

namespace tilewright::baseline::avx512 {
namespace {

struct Call {
  const float *x, *gamma, *beta;
  float *y;
  Index rows, cols;
  float eps;
};

struct Moments {
  float mean, variance;
};

TW_INLINE Packet difference(Packet a, Packet b, AllLanes) { return _mm512_sub_ps(a, b); }
TW_INLINE Packet difference(Packet a, Packet b, Lanes lanes) {
  return _mm512_maskz_sub_ps(lanes, a, b);
}

/// Mean and variance as they are defined, in two passes.
__attribute__((noinline)) Moments moments_in_two_passes(const float *x, Index cols) {
  Packet sums = splat(0), squares = splat(0);
  visit_range(0, cols,
              [&](int, Index i, auto lanes) { sums = _mm512_add_ps(sums, load(x + i, lanes)); });
  float mean = reduce<Add>(sums) / float(cols);
  visit_range(0, cols, [&](int, Index i, auto lanes) {
    Packet d = difference(load(x + i, lanes), splat(mean), lanes);
    squares = _mm512_fmadd_ps(d, d, squares);
  });
  return {mean, reduce<Add>(squares) / float(cols)};
}

/// With d = x − x[0], mean = x[0] + mean(d) and variance = mean(d²) − mean(d)², in one pass. The
/// difference is good to a few roundings while mean(d)² is no more than this many variances;
/// beyond, two passes decide. Random rows practically never are.
constexpr float most_cancellation = 32;

struct Deviations {
  Packet shift;
  Packet sum[4] = {splat(0), splat(0), splat(0), splat(0)};
  Packet squares[4] = {splat(0), splat(0), splat(0), splat(0)};

  TW_INLINE explicit Deviations(float x0) : shift(splat(x0)) {}
  template <typename L>
  TW_INLINE void add(int slot, const float *x, L lanes) {
    Packet d = difference(load(x, lanes), shift, lanes);
    sum[slot] = _mm512_add_ps(sum[slot], d);
    squares[slot] = _mm512_fmadd_ps(d, d, squares[slot]);
  }
  TW_INLINE Moments moments(const float *x, Index cols) const {
    float mean_d = reduce<Add>(join<Add>(sum)) / float(cols);
    float mean_dd = reduce<Add>(join<Add>(squares)) / float(cols);
    float variance = mean_dd - mean_d * mean_d;
    if (__builtin_expect(!(mean_d * mean_d <= most_cancellation * variance), 0))
      return moments_in_two_passes(x, cols);
    return {x[0] + mean_d, variance};
  }
};

/// `rows` rows of `packets` packets, the last of them masked, held in registers.
template <int rows, int packets>
TW_INLINE void rows_in_registers(Call c, Index row, Lanes last) {
  const float *x = c.x + row * c.cols;
  float *y = c.y + row * c.cols;
  __m128 n = _mm_set1_ps(float(c.cols));
  Packet v[rows][packets], sums[4] = {splat(0), splat(0), splat(0), splat(0)};
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int p = 0; p + 1 < packets; ++p) {
      v[r][p] = load(x + r * c.cols + p * width);
      sums[r] = _mm512_add_ps(sums[r], v[r][p]);
    }
    v[r][packets - 1] = load(x + r * c.cols + (packets - 1) * width, last);
    sums[r] = _mm512_add_ps(sums[r], v[r][packets - 1]);
  }
  alignas(16) float mean[4], scale[4];
  _mm_store_ps(mean, _mm_div_ps(reduce_four<Add>(sums), n));
  Packet squares[4] = {splat(0), splat(0), splat(0), splat(0)};
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int p = 0; p + 1 < packets; ++p) {
      v[r][p] = _mm512_sub_ps(v[r][p], splat(mean[r]));
      squares[r] = _mm512_fmadd_ps(v[r][p], v[r][p], squares[r]);
    }
    v[r][packets - 1] = difference(v[r][packets - 1], splat(mean[r]), last);
    squares[r] = _mm512_fmadd_ps(v[r][packets - 1], v[r][packets - 1], squares[r]);
  }
  __m128 variance = _mm_div_ps(reduce_four<Add>(squares), n);
  _mm_store_ps(scale,
               _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(_mm_add_ps(variance, _mm_set1_ps(c.eps)))));
#pragma GCC unroll 8
  for (int p = 0; p < packets; ++p) {
    bool full = p + 1 < packets;
    Packet gamma = full ? load(c.gamma + p * width) : load(c.gamma + p * width, last);
    Packet beta = full ? load(c.beta + p * width) : load(c.beta + p * width, last);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      Packet out = _mm512_fmadd_ps(_mm512_mul_ps(v[r][p], splat(scale[r])), gamma, beta);
      float *to = y + r * c.cols + p * width;
      if (full)
        store(to, out);
      else
        store(to, out, last);
    }
  }
}

constexpr Index most_packets = 5;

template <int packets>
void narrow_rows(Call c) {
  Lanes last = first_lanes(c.cols - (packets - 1) * width);
  Index r = 0;
  for (; r + 4 <= c.rows; r += 4)
    rows_in_registers<4, packets>(c, r, last);
  for (; r < c.rows; ++r)
    rows_in_registers<1, packets>(c, r, last);
}

/// The moments of the next row inside the output loop of this one. Where not all rows lie alike,
/// either walks on its own grid of cache lines, since a load that crosses a cache line costs two.
template <Store kind, Rows rows, Index prefetch_distance>
void overlapped_rows(Call c) {
  Deviations first(c.x[0]);
  visit_range(0, c.cols, [&](int slot, Index i, auto lanes) { first.add(slot, c.x + i, lanes); });
  Moments moments = first.moments(c.x, c.cols);
  for (Index r = 0; r < c.rows; ++r) {
    const float *x = c.x + r * c.cols, *next = x + c.cols;
    float *y = c.y + r * c.cols;
    Packet mean = splat(moments.mean);
    Packet factor = splat(1.0f / std::sqrt(moments.variance + c.eps));
    auto packet_at = [x, gamma = c.gamma, beta = c.beta, mean, factor](Index i, auto lanes) {
      Packet centered = _mm512_mul_ps(_mm512_sub_ps(load(x + i, lanes), mean), factor);
      return _mm512_fmadd_ps(centered, load(gamma + i, lanes), load(beta + i, lanes));
    };
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
      break;
    }
    Index head = rows == Rows::alike ? 0 : elements_to_border(next);
    Index rest = c.cols - head, done = 0;
    const float *from_border = next + head;
    Deviations deviations(next[0]);
    deviations.add(3, next, first_lanes(head));
    auto add = [&](int slot, Index i, auto lanes) { deviations.add(slot, from_border + i, lanes); };
    walk<kind>(y, c.cols, packet_at, [&](Index i) {
      if constexpr (prefetch_distance > 0)
        visit_step(i, [&](int, Index j, auto) { prefetch(from_border + j + prefetch_distance); });
      if (rows == Rows::alike || i + step <= rest) {
        visit_step(i, add);
        done = i + step;
      }
    });
    visit_range(done, rest, add);
    moments = deviations.moments(next, c.cols);
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

void any_rows(Call c) {
  static constexpr void (*narrow[])(Call) = {narrow_rows<1>, narrow_rows<2>, narrow_rows<3>,
                                             narrow_rows<4>, narrow_rows<5>};
  static_assert(sizeof narrow / sizeof *narrow == most_packets);
  if (c.cols <= most_packets * width)
    narrow[(c.cols - 1) / width](c);
  else if (prefers_nontemporal(size_t(2 * c.rows * c.cols) * sizeof(float)))
    overlapped_rows<Store::nontemporal, Rows::ragged, 512>(c);
  else if (c.cols % width != 0)
    overlapped_rows<Store::aligned, Rows::ragged, 0>(c);
  else
    overlapped_rows<Store::aligned, Rows::alike, 0>(c);
}

} // namespace
} // namespace tilewright::baseline::avx512

extern "C" void tw_layer_norm_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline::avx512;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<const float *>(call->inputs[2]),
         static_cast<float *>(call->outputs[0]),
         call->rows,
         call->cols,
         call->eps};
  if (c.rows > 0 && c.cols > 0)
    any_rows(c);
}
