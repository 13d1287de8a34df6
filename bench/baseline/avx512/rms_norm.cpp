#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>

namespace tilewright::baseline::avx512 {
namespace {

struct Call {
  const float *x, *gamma;
  float *y;
  Index rows, cols;
  float eps;
};

struct Squares {
  Packet sum[4] = {splat(0), splat(0), splat(0), splat(0)};

  TW_INLINE void add(int slot, Packet v) { sum[slot] = _mm512_fmadd_ps(v, v, sum[slot]); }
  TW_INLINE float total() const { return reduce<Add>(join<Add>(sum)); }
};

TW_INLINE float scale_of(float squares, Call c) {
  return 1.0f / std::sqrt(squares / float(c.cols) + c.eps);
}

TW_INLINE __m128 scales_of(__m128 squares, Call c) {
  __m128 mean = _mm_div_ps(squares, _mm_set1_ps(float(c.cols)));
  return _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(_mm_add_ps(mean, _mm_set1_ps(c.eps))));
}

/// `rows` rows of `packets` packets, the last of them masked, held in registers.
template <int rows, int packets>
TW_INLINE void rows_in_registers(Call c, Index row, Lanes last) {
  const float *x = c.x + row * c.cols;
  float *y = c.y + row * c.cols;
  Packet v[rows][packets], squares[4] = {splat(0), splat(0), splat(0), splat(0)};
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int p = 0; p + 1 < packets; ++p) {
      v[r][p] = load(x + r * c.cols + p * width);
      squares[r] = _mm512_fmadd_ps(v[r][p], v[r][p], squares[r]);
    }
    v[r][packets - 1] = load(x + r * c.cols + (packets - 1) * width, last);
    squares[r] = _mm512_fmadd_ps(v[r][packets - 1], v[r][packets - 1], squares[r]);
  }
  alignas(16) float scale[4];
  _mm_store_ps(scale, scales_of(reduce_four<Add>(squares), c));
#pragma GCC unroll 8
  for (int p = 0; p < packets; ++p) {
    bool full = p + 1 < packets;
    Packet gamma = full ? load(c.gamma + p * width) : load(c.gamma + p * width, last);
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      Packet out = _mm512_mul_ps(_mm512_mul_ps(v[r][p], splat(scale[r])), gamma);
      float *to = y + r * c.cols + p * width;
      if (full)
        store(to, out);
      else
        store(to, out, last);
    }
  }
}

constexpr Index most_packets = 6;

template <int packets>
void narrow_rows(Call c) {
  Lanes last = first_lanes(c.cols - (packets - 1) * width);
  Index r = 0;
  for (; r + 4 <= c.rows; r += 4)
    rows_in_registers<4, packets>(c, r, last);
  for (; r < c.rows; ++r)
    rows_in_registers<1, packets>(c, r, last);
}

/// The statistics of the next row inside the output loop of this one. Where not all rows lie alike,
/// either walks on its own grid of cache lines, since a load that crosses a cache line costs two.
template <Store kind, Rows rows, Index prefetch_distance>
void overlapped_rows(Call c) {
  Squares first;
  visit_range(0, c.cols,
              [&](int slot, Index i, auto lanes) { first.add(slot, load(c.x + i, lanes)); });
  float scale = scale_of(first.total(), c);
  for (Index r = 0; r < c.rows; ++r) {
    const float *x = c.x + r * c.cols, *next = x + c.cols;
    float *y = c.y + r * c.cols;
    auto packet_at = [x, gamma = c.gamma, factor = splat(scale)](Index i, auto lanes) {
      return _mm512_mul_ps(_mm512_mul_ps(load(x + i, lanes), factor), load(gamma + i, lanes));
    };
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
      break;
    }
    Index head = rows == Rows::alike ? 0 : elements_to_border(next);
    Index rest = c.cols - head, done = 0;
    Squares squares;
    squares.add(3, load(next, first_lanes(head)));
    next += head;
    auto add = [&](int slot, Index i, auto lanes) { squares.add(slot, load(next + i, lanes)); };
    walk<kind>(y, c.cols, packet_at, [&](Index i) {
      if constexpr (prefetch_distance > 0)
        visit_step(i, [&](int, Index j, auto) { prefetch(next + j + prefetch_distance); });
      if (rows == Rows::alike || i + step <= rest) {
        visit_step(i, add);
        done = i + step;
      }
    });
    visit_range(done, rest, add);
    scale = scale_of(squares.total(), c);
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

void any_rows(Call c) {
  static constexpr void (*narrow[])(Call) = {narrow_rows<1>, narrow_rows<2>, narrow_rows<3>,
                                             narrow_rows<4>, narrow_rows<5>, narrow_rows<6>};
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

extern "C" void tw_rms_norm_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline::avx512;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<float *>(call->outputs[0]),
         call->rows,
         call->cols,
         call->eps};
  if (c.rows > 0 && c.cols > 0)
    any_rows(c);
}
