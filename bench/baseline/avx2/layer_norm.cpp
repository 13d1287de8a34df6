#include "baseline/avx2/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>

namespace tilewright::baseline::avx2 {
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

/// Mean and variance as they are defined, in two passes.
__attribute__((noinline)) Moments moments_in_two_passes(const float *x, Index cols) {
  Packet sums = splat(0), squares = splat(0);
  Index i = 0;
  for (; i + width <= cols; i += width)
    sums = _mm256_add_ps(sums, load(x + i));
  sums = _mm256_add_ps(sums, load_first(x + i, cols - i));
  float mean = reduce<Add>(sums) / float(cols);
  for (i = 0; i + width <= cols; i += width) {
    Packet d = _mm256_sub_ps(load(x + i), splat(mean));
    squares = _mm256_fmadd_ps(d, d, squares);
  }
  Packet d = _mm256_sub_ps(load_first(x + i, cols - i), splat(mean));
  d = _mm256_and_ps(d, _mm256_castsi256_ps(first_lanes(cols - i)));
  return {mean, reduce<Add>(_mm256_fmadd_ps(d, d, squares)) / float(cols)};
}

/// With d = x − x[0], mean = x[0] + mean(d) and variance = mean(d²) − mean(d)², in one pass. The
/// difference is good to a few roundings while mean(d)² is no more than this many variances;
/// beyond, two passes decide. Random rows practically never are.
constexpr float most_cancellation = 32;

TW_INLINE bool cancels(float mean_d, float variance) {
  return !(mean_d * mean_d <= most_cancellation * variance);
}

struct Deviations {
  Packet shift;
  Packet sum[4] = {splat(0), splat(0), splat(0), splat(0)};
  Packet squares[4] = {splat(0), splat(0), splat(0), splat(0)};

  TW_INLINE explicit Deviations(float x0) : shift(splat(x0)) {}
  TW_INLINE void add_deviation(int slot, Packet d) {
    sum[slot] = _mm256_add_ps(sum[slot], d);
    squares[slot] = _mm256_fmadd_ps(d, d, squares[slot]);
  }
  TW_INLINE void add(int slot, Packet x) { add_deviation(slot, _mm256_sub_ps(x, shift)); }
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
      add_first(1, x + i, end - i);
  }
  /// Adds x[0, n), n ≤ 8.
  TW_INLINE void add_first(int slot, const float *x, Index n) {
    Packet d = _mm256_sub_ps(load_first(x, n), shift);
    add_deviation(slot, _mm256_and_ps(d, _mm256_castsi256_ps(first_lanes(n))));
  }
  TW_INLINE Moments moments(const float *x, Index cols) const {
    float n = float(cols);
    float mean_d = reduce<Add>(join<Add>(sum)) / n;
    float mean_dd = reduce<Add>(join<Add>(squares)) / n;
    float variance = mean_dd - mean_d * mean_d;
    if (__builtin_expect(cancels(mean_d, variance), 0))
      return moments_in_two_passes(x, cols);
    return {x[0] + mean_d, variance};
  }
};

TW_INLINE float scale_of(Moments m, float eps) { return 1.0f / std::sqrt(m.variance + eps); }

/// Elements of a row normalised with its own moments.
TW_INLINE auto normalized(Call c, Index row, Moments m) {
  return [x = c.x + row * c.cols, gamma = c.gamma, beta = c.beta, mean = splat(m.mean),
          scale = splat(scale_of(m, c.eps))](Index i) {
    Packet centered = _mm256_mul_ps(_mm256_sub_ps(load(x + i), mean), scale);
    return _mm256_fmadd_ps(centered, load(gamma + i), load(beta + i));
  };
}

/// One packet holds a row.
void tiny_rows(Call c) {
  Packet gamma = load_first(c.gamma, c.cols), beta = load_first(c.beta, c.cols);
  for (Index r = 0; r < c.rows; ++r) {
    const float *x = c.x + r * c.cols;
    Moments m = moments_in_two_passes(x, c.cols);
    Packet centered = _mm256_sub_ps(load_first(x, c.cols), splat(m.mean));
    Packet scaled = _mm256_mul_ps(centered, splat(scale_of(m, c.eps)));
    store_first(c.y + r * c.cols, c.cols, _mm256_fmadd_ps(scaled, gamma, beta));
  }
}

struct FourMoments {
  float mean[4], scale[4];
};

TW_INLINE FourMoments moments_of_four(const float *rows, Index cols, float eps) {
  const float *x = opaque(rows);
  Packet sum[4], squares[4], shift[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    sum[k] = squares[k] = splat(0);
    shift[k] = splat(x[k * cols]);
  }
  Index i = 0;
  for (; i + width <= cols; i += width)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Packet d = _mm256_sub_ps(load(x + k * cols + i), shift[k]);
      sum[k] = _mm256_add_ps(sum[k], d);
      squares[k] = _mm256_fmadd_ps(d, d, squares[k]);
    }
  if (i < cols) {
    __m256i lanes = first_lanes(cols - i);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Packet d = _mm256_sub_ps(_mm256_maskload_ps(x + k * cols + i, lanes), shift[k]);
      d = _mm256_and_ps(d, _mm256_castsi256_ps(lanes));
      sum[k] = _mm256_add_ps(sum[k], d);
      squares[k] = _mm256_fmadd_ps(d, d, squares[k]);
    }
  }
  __m128 n = _mm_set1_ps(float(cols));
  __m128 mean_d = _mm_div_ps(reduce_four<Add>(sum), n);
  __m128 mean_dd = _mm_div_ps(reduce_four<Add>(squares), n);
  __m128 square = _mm_mul_ps(mean_d, mean_d);
  __m128 variance = _mm_sub_ps(mean_dd, square);
  __m128 x0 = _mm_setr_ps(x[0], x[cols], x[2 * cols], x[3 * cols]);
  FourMoments result;
  _mm_storeu_ps(result.mean, _mm_add_ps(x0, mean_d));
  _mm_storeu_ps(result.scale,
                _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(_mm_add_ps(variance, _mm_set1_ps(eps)))));
  __m128 fine = _mm_cmple_ps(square, _mm_mul_ps(_mm_set1_ps(most_cancellation), variance));
  if (__builtin_expect(_mm_movemask_ps(fine) != 15, 0))
    for (int k = 0; k < 4; ++k) {
      Moments m = moments_in_two_passes(x + k * cols, cols);
      result.mean[k] = m.mean;
      result.scale[k] = scale_of(m, eps);
    }
  return result;
}

TW_INLINE void normalize_four(Call c, Index row, const FourMoments &m) {
  const float *x = opaque(c.x + row * c.cols);
  float *y = opaque(c.y + row * c.cols);
  auto column = [&](Index i) {
    Packet gamma = load(c.gamma + i), beta = load(c.beta + i);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Packet centered = _mm256_sub_ps(load(x + k * c.cols + i), splat(m.mean[k]));
      store(y + k * c.cols + i,
            _mm256_fmadd_ps(_mm256_mul_ps(centered, splat(m.scale[k])), gamma, beta));
    }
  };
  Index i = 0;
  for (; i + width <= c.cols; i += width)
    column(i);
  if (i < c.cols)
    column(c.cols - width);
}

/// Four rows at a time, the moments of the next four ahead of the outputs of these.
void narrow_rows(Call c) {
  Index r = 0;
  if (c.rows >= 4) {
    FourMoments next = moments_of_four(c.x, c.cols, c.eps);
    for (; r + 4 <= c.rows; r += 4) {
      FourMoments these = next;
      if (r + 8 <= c.rows)
        next = moments_of_four(c.x + (r + 4) * c.cols, c.cols, c.eps);
      normalize_four(c, r, these);
    }
  }
  for (; r < c.rows; ++r) {
    const float *x = c.x + r * c.cols;
    Deviations deviations(x[0]);
    deviations.add_range(x, 0, c.cols);
    walk<Store::unaligned>(c.y + r * c.cols, c.cols,
                           normalized(c, r, deviations.moments(x, c.cols)), [](Index) {});
  }
}

/// The moments of the next row inside the output loop of this one. Where not all rows lie alike,
/// either walks on its own 32-byte grid, since a load that crosses a cache line costs two.
template <Store kind, Rows rows, Index prefetch_distance>
void overlapped_rows(Call c) {
  Deviations first(c.x[0]);
  first.add_range(c.x, 0, c.cols);
  Moments moments = first.moments(c.x, c.cols);
  for (Index r = 0; r < c.rows; ++r) {
    auto packet_at = normalized(c, r, moments);
    float *y = c.y + r * c.cols;
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
      break;
    }
    const float *next = c.x + (r + 1) * c.cols;
    Index head = rows == Rows::alike ? 0 : elements_to_border(next);
    Index rest = c.cols - head, done = 0;
    const float *from_border = next + head;
    Deviations deviations(next[0]);
    deviations.add_first(3, next, head);
    walk<kind>(y, c.cols, packet_at, [&](Index i) {
      if constexpr (prefetch_distance > 0)
        prefetch_step(from_border + i + prefetch_distance);
      if (rows == Rows::alike || i + step <= rest) {
        deviations.add_step(from_border + i);
        done = i + step;
      }
    });
    deviations.add_range(from_border, done, rest);
    moments = deviations.moments(next, c.cols);
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

constexpr Index narrow = 384;

} // namespace
} // namespace tilewright::baseline::avx2

extern "C" void tw_layer_norm_avx2(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx2;
  Call c{static_cast<const float *>(call->inputs[0]),
         static_cast<const float *>(call->inputs[1]),
         static_cast<const float *>(call->inputs[2]),
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
