#include "baseline/avx2/exp.h"
#include "baseline/avx2/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>
#include <cstring>

namespace tilewright::baseline::avx2 {
namespace {

struct Call {
  const float *scores;
  const uint8_t *mask;
  float *y;
  Index rows, cols;
};

/// All ones where the byte is 0, all zeros where it is 1.
TW_INLINE Packet masked_lanes(const uint8_t *mask) {
  __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)mask));
  return _mm256_castsi256_ps(_mm256_add_epi32(wide, _mm256_set1_epi32(-1)));
}

/// The maximum of `running` and the unmasked scores. Masked ones become NaN, and vmaxps gives its
/// second operand when either is NaN.
TW_INLINE Packet max_with(Packet running, Packet scores, Packet masked) {
  return _mm256_max_ps(_mm256_or_ps(scores, masked), running);
}

/// exp(score − maximum), zero where masked. Unmasked differences are never above zero, so there is
/// no upper clamp: what masked ones give does not matter.
TW_INLINE Packet exp_of(Packet scores, Packet masked, Packet maximum) {
  Packet x = _mm256_max_ps(splat(exp_lowest), _mm256_sub_ps(scores, maximum));
  ExpParts e = exp_parts(x);
  return _mm256_andnot_ps(masked, _mm256_fmadd_ps(e.scale, e.rest, e.scale));
}

/// One division per row. The sum is zero only where every score is masked.
TW_INLINE float scale_of(float sum) { return sum == 0 ? 0.0f : 1.0f / sum; }

struct Row {
  const float *scores;
  const uint8_t *mask;

  TW_INLINE Row(Call c, Index r) : scores(c.scores + r * c.cols), mask(c.mask + r * c.cols) {}
};

/// Few accumulators: the registers are needed for constants.
struct Maximum {
  Packet max[2] = {splat(-INFINITY), splat(-INFINITY)};

  TW_INLINE void add(int slot, const Row &row, Index i) {
    max[slot] = max_with(max[slot], load(row.scores + i), masked_lanes(row.mask + i));
  }
  TW_INLINE void add_step(const Row &row, Index i) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      add(k % 2, row, i + k * width);
  }
  /// Adds [begin, end), with end ≥ 8. Elements may be added twice.
  TW_INLINE void add_range(const Row &row, Index begin, Index end) {
    Index i = begin;
    for (; i + step <= end; i += step)
      add_step(row, i);
    for (; i + width <= end; i += width)
      add(0, row, i);
    if (i < end)
      add(1, row, end - width);
  }
  TW_INLINE float total() const { return reduce<Max>(Max::of(max[0], max[1])); }
};

/// Writes exponentials and adds them up.
struct Exponentials {
  Packet maximum;
  Packet sum = splat(0);

  TW_INLINE explicit Exponentials(float maximum) : maximum(splat(maximum)) {}
  TW_INLINE Packet at(const Row &row, Index i) const {
    return exp_of(load(row.scores + i), masked_lanes(row.mask + i), maximum);
  }
  TW_INLINE void add(const Row &row, Index i, float *e) {
    Packet v = at(row, i);
    store(e + i, v);
    sum = _mm256_add_ps(sum, v);
  }
  TW_INLINE void add_step(const Row &row, Index i, float *e) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      add(row, i + k * width, e);
  }
  /// Adds [begin, end), with end ≥ 8; the last packet may write elements again.
  TW_INLINE void add_range(const Row &row, Index begin, Index end, float *e) {
    Index i = begin;
    for (; i + step <= end; i += step)
      add_step(row, i, e);
    for (; i + width <= end; i += width)
      add(row, i, e);
    if (i < end) {
      Packet v = at(row, end - width);
      store(e + end - width, v);
      Packet counted = _mm256_castsi256_ps(first_lanes(width - (end - i)));
      sum = _mm256_add_ps(sum, _mm256_andnot_ps(counted, v));
    }
  }
  TW_INLINE float total() const { return reduce<Add>(sum); }
};

TW_INLINE auto scaled(const float *e, float scale) {
  return [e, factor = splat(scale)](Index i) { return _mm256_mul_ps(load(e + i), factor); };
}

/// Rows narrower than a packet.
void tiny_rows(Call c) {
  for (Index r = 0; r < c.rows; ++r) {
    Row row(c, r);
    uint8_t bytes[width] = {};
    std::memcpy(bytes, row.mask, size_t(c.cols));
    Packet scores = load_first(row.scores, c.cols), masked = masked_lanes(bytes);
    float maximum = reduce<Max>(max_with(splat(-INFINITY), scores, masked));
    Packet e = exp_of(scores, masked, splat(maximum));
    store_first(c.y + r * c.cols, c.cols, _mm256_mul_ps(e, splat(scale_of(reduce<Add>(e)))));
  }
}

constexpr Index narrow = 256;

TW_INLINE __m128 maxima_of_four(Call c, Index r) {
  Packet max[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    max[k] = splat(-INFINITY);
  auto column = [&](Index i) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Row row(c, r + k);
      max[k] = max_with(max[k], load(row.scores + i), masked_lanes(row.mask + i));
    }
  };
  Index i = 0;
  for (; i + width <= c.cols; i += width)
    column(i);
  if (i < c.cols)
    column(c.cols - width);
  return reduce_four<Max>(max);
}

/// Writes the exponentials of four rows, `narrow` elements apart, and returns 1 / Σ of each.
TW_INLINE __m128 exponentials_of_four(Call c, Index r, __m128 maxima, float *e) {
  alignas(16) float maximum[4];
  _mm_store_ps(maximum, maxima);
  Packet sum[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k)
    sum[k] = splat(0);
  auto column = [&](Index i, Packet not_counted) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      Row row(c, r + k);
      Packet v = exp_of(load(row.scores + i), masked_lanes(row.mask + i), splat(maximum[k]));
      store(e + k * narrow + i, v);
      sum[k] = _mm256_add_ps(sum[k], _mm256_andnot_ps(not_counted, v));
    }
  };
  Index i = 0;
  for (; i + width <= c.cols; i += width)
    column(i, splat(0));
  if (i < c.cols)
    column(c.cols - width, _mm256_castsi256_ps(first_lanes(width - (c.cols - i))));
  __m128 sums = reduce_four<Add>(sum);
  __m128 empty = _mm_cmpeq_ps(sums, _mm_setzero_ps());
  return _mm_andnot_ps(empty, _mm_div_ps(_mm_set1_ps(1), sums));
}

TW_INLINE void scale_four(Call c, Index r, const float *e, __m128 scales) {
  alignas(16) float scale[4];
  _mm_store_ps(scale, scales);
  float *y = c.y + r * c.cols;
  auto column = [&](Index i) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      store(y + k * c.cols + i, _mm256_mul_ps(load(e + k * narrow + i), splat(scale[k])));
  };
  Index i = 0;
  for (; i + width <= c.cols; i += width)
    column(i);
  if (i < c.cols)
    column(c.cols - width);
}

/// One row after the other, in three passes.
TW_INLINE void separate_row(Call c, Index r, float *e) {
  Row row(c, r);
  Maximum maximum;
  maximum.add_range(row, 0, c.cols);
  Exponentials exponentials(maximum.total());
  exponentials.add_range(row, 0, c.cols, e);
  walk<Store::unaligned>(c.y + r * c.cols, c.cols, scaled(e, scale_of(exponentials.total())),
                         [](Index) {});
}

/// Four rows at a time; the maxima of the next four stand between the exponentials and the outputs
/// of these, which hides the latency of both reductions.
void narrow_rows(Call c) {
  alignas(64) float e[4 * narrow];
  Index r = 0;
  if (c.rows >= 4) {
    __m128 maxima = maxima_of_four(c, 0);
    for (; r + 4 <= c.rows; r += 4) {
      __m128 scales = exponentials_of_four(c, r, maxima, e);
      if (r + 8 <= c.rows)
        maxima = maxima_of_four(c, r + 4);
      scale_four(c, r, e, scales);
    }
  }
  for (; r < c.rows; ++r)
    separate_row(c, r, e);
}

constexpr Index widest_overlapped = 8192;

/// In one loop: the output of row r, the exponentials of row r + 1, the maximum of row r + 2.
/// Exponentials wait in two rows of the stack, so that every output is stored once.
template <Store kind, Index prefetch_distance>
void overlapped_rows(Call c) {
  alignas(64) float waiting[2][widest_overlapped];
  auto maximum_of = [&](Index r) {
    Maximum maximum;
    maximum.add_range(Row(c, r), 0, c.cols);
    return maximum.total();
  };
  Exponentials first(maximum_of(0));
  first.add_range(Row(c, 0), 0, c.cols, waiting[0]);
  float scale = scale_of(first.total());
  float next_maximum = c.rows > 1 ? maximum_of(1) : 0;
  for (Index r = 0; r < c.rows; ++r) {
    float *y = c.y + r * c.cols;
    auto packet_at = scaled(waiting[r % 2], scale);
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
      break;
    }
    Row next(c, r + 1), after(c, r + 2 < c.rows ? r + 2 : r + 1);
    Exponentials exponentials(next_maximum);
    Maximum following;
    float *e = waiting[(r + 1) % 2];
    Index done = 0;
    walk<kind>(y, c.cols, packet_at, [&](Index i) {
      if constexpr (prefetch_distance > 0)
        prefetch_step(after.scores + i + prefetch_distance);
      exponentials.add_step(next, i, e);
      following.add_step(after, i);
      done = i + step;
    });
    exponentials.add_range(next, done, c.cols, e);
    following.add_range(after, done, c.cols);
    scale = scale_of(exponentials.total());
    next_maximum = following.total();
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

/// Exponentials wait in the output itself, which is scaled in place: no packet may overlap another.
void wide_rows(Call c) {
  for (Index r = 0; r < c.rows; ++r) {
    Row row(c, r);
    float *y = c.y + r * c.cols;
    Maximum maximum;
    maximum.add_range(row, 0, c.cols);
    Exponentials exponentials(maximum.total());
    exponentials.add_range(row, 0, c.cols, y);
    auto packet_at = scaled(y, scale_of(exponentials.total()));
    Index whole = c.cols / width * width;
    walk<Store::unaligned>(y, whole, packet_at, [](Index) {});
    if (whole < c.cols)
      store_first(y + whole, c.cols - whole,
                  _mm256_mul_ps(load_first(y + whole, c.cols - whole),
                                splat(scale_of(exponentials.total()))));
  }
}

} // namespace
} // namespace tilewright::baseline::avx2

extern "C" void tw_masked_softmax_avx2(const tw_baseline_call *call) {
  using namespace tilewright::baseline;
  using namespace tilewright::baseline::avx2;
  Call c{static_cast<const float *>(call->inputs[0]), static_cast<const uint8_t *>(call->inputs[1]),
         static_cast<float *>(call->outputs[0]), call->rows, call->cols};
  if (c.rows == 0 || c.cols == 0)
    return;
  if (c.cols < width)
    tiny_rows(c);
  else if (c.cols <= narrow)
    narrow_rows(c);
  else if (c.cols > widest_overlapped)
    wide_rows(c);
  else if (prefers_nontemporal(size_t(2 * c.rows * c.cols) * sizeof(float)))
    overlapped_rows<Store::nontemporal, 512>(c);
  else
    overlapped_rows<Store::aligned, 0>(c);
}
