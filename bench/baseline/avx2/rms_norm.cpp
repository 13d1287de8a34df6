#include "baseline/avx2/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>

namespace tilewright::baseline::avx2 {
namespace {

struct Call {
  const float *x, *gamma;
  float *y;
  Index rows, cols;
  float eps;
};

/// Four independent accumulators of x².
struct Squares {
  Packet sum[4] = {splat(0), splat(0), splat(0), splat(0)};

  TW_INLINE void add(int slot, Packet v) { sum[slot] = _mm256_fmadd_ps(v, v, sum[slot]); }
  TW_INLINE void add_step(const float *x) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      add(k, load(x + k * width));
  }
  /// Adds x[begin, end).
  TW_INLINE void add_range(const float *x, Index begin, Index end) {
    Index i = begin;
    for (; i + step <= end; i += step)
      add_step(x + i);
    for (; i + width <= end; i += width)
      add(0, load(x + i));
    if (i < end)
      add(1, load_first(x + i, end - i));
  }
  TW_INLINE float total() const { return reduce<Add>(join<Add>(sum)); }
};

TW_INLINE float scale_of(float squares, Call c) {
  return 1.0f / std::sqrt(squares / float(c.cols) + c.eps);
}

/// One packet holds a row.
void tiny_rows(Call c) {
  Packet gamma = load_first(c.gamma, c.cols);
  for (Index r = 0; r < c.rows; ++r) {
    Packet x = load_first(c.x + r * c.cols, c.cols);
    Packet scale = splat(scale_of(reduce<Add>(_mm256_mul_ps(x, x)), c));
    store_first(c.y + r * c.cols, c.cols, _mm256_mul_ps(_mm256_mul_ps(x, scale), gamma));
  }
}

/// The sums of squares of four consecutive rows.
TW_INLINE __m128 squares_of_four(const float *rows, Index cols) {
  const float *x = opaque(rows);
  Packet even[4], odd[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    even[k] = odd[k] = splat(0);
  auto add = [&](Packet *sums, Index i) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Packet v = load(x + k * cols + i);
      sums[k] = _mm256_fmadd_ps(v, v, sums[k]);
    }
  };
  Index i = 0;
  for (; i + 2 * width <= cols; i += 2 * width) {
    add(even, i);
    add(odd, i + width);
  }
  if (i + width <= cols) {
    add(even, i);
    i += width;
  }
  if (i < cols) {
    __m256i lanes = first_lanes(cols - i);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Packet v = _mm256_maskload_ps(x + k * cols + i, lanes);
      odd[k] = _mm256_fmadd_ps(v, v, odd[k]);
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    even[k] = _mm256_add_ps(even[k], odd[k]);
  return reduce_four<Add>(even);
}

TW_INLINE void normalize_four(Call c, Index row, __m128 squares) {
  __m128 mean = _mm_div_ps(squares, _mm_set1_ps(float(c.cols)));
  __m128 root = _mm_sqrt_ps(_mm_add_ps(mean, _mm_set1_ps(c.eps)));
  alignas(16) float scales[4];
  _mm_store_ps(scales, _mm_div_ps(_mm_set1_ps(1), root));
  Packet scale[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    scale[k] = splat(scales[k]);
  const float *x = opaque(c.x + row * c.cols);
  float *y = opaque(c.y + row * c.cols);
  auto column = [&](Index i) {
    Packet gamma = load(c.gamma + i);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      store(y + k * c.cols + i,
            _mm256_mul_ps(_mm256_mul_ps(load(x + k * c.cols + i), scale[k]), gamma));
  };
  Index i = 0;
  for (; i + width <= c.cols; i += width)
    column(i);
  if (i < c.cols)
    column(c.cols - width);
}

/// Elements of a row normalised with its own scale.
TW_INLINE auto normalized(Call c, Index row, float scale) {
  const float *x = c.x + row * c.cols;
  return [x, gamma = c.gamma, factor = splat(scale)](Index i) {
    return _mm256_mul_ps(_mm256_mul_ps(load(x + i), factor), load(gamma + i));
  };
}

/// Four rows at a time, the sums of the next four ahead of the outputs of these: the reduction's
/// latency is hidden, and one gamma serves four rows.
void narrow_rows(Call c) {
  Index r = 0;
  if (c.rows >= 4) {
    __m128 squares = squares_of_four(c.x, c.cols);
    for (; r + 4 <= c.rows; r += 4) {
      __m128 these = squares;
      if (r + 8 <= c.rows)
        squares = squares_of_four(c.x + (r + 4) * c.cols, c.cols);
      normalize_four(c, r, these);
    }
  }
  for (; r < c.rows; ++r) {
    Squares squares;
    squares.add_range(c.x + r * c.cols, 0, c.cols);
    walk<Store::unaligned>(c.y + r * c.cols, c.cols, normalized(c, r, scale_of(squares.total(), c)),
                           [](Index) {});
  }
}

/// The statistics of the next row inside the output loop of this one. Where not all rows lie alike,
/// either walks on its own 32-byte grid, since a load that crosses a cache line costs two.
template <Store kind, Rows rows, Index prefetch_distance>
void overlapped_rows(Call c) {
  Squares squares;
  squares.add_range(c.x, 0, c.cols);
  for (Index r = 0; r < c.rows; ++r) {
    auto packet_at = normalized(c, r, scale_of(squares.total(), c));
    float *y = c.y + r * c.cols;
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
      break;
    }
    const float *next = c.x + (r + 1) * c.cols;
    Index head = rows == Rows::alike ? 0 : elements_to_border(next);
    Index rest = c.cols - head, done = 0;
    squares = Squares();
    squares.add(3, load_first(next, head));
    next += head;
    walk<kind>(y, c.cols, packet_at, [&](Index i) {
      if constexpr (prefetch_distance > 0)
        prefetch_step(next + i + prefetch_distance);
      if (rows == Rows::alike || i + step <= rest) {
        squares.add_step(next + i);
        done = i + step;
      }
    });
    squares.add_range(next, done, rest);
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

constexpr Index narrow = 384;

} // namespace
} // namespace tilewright::baseline::avx2

extern "C" void tw_rms_norm_avx2(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx2;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<float *>(call->outputs[0]),
         call->rows,
         call->cols,
         call->eps};
  if (c.rows == 0 || c.cols == 0)
    return;
  if (c.cols < width)
    tiny_rows(c);
  else if (c.cols <= narrow)
    narrow_rows(c);
  else if (prefers_nontemporal(size_t(2 * c.rows * c.cols) * sizeof(float)))
    overlapped_rows<Store::nontemporal, Rows::ragged, 512>(c);
  else if (c.cols % width != 0)
    overlapped_rows<Store::aligned, Rows::ragged, 0>(c);
  else
    overlapped_rows<Store::aligned, Rows::alike, 0>(c);
}
