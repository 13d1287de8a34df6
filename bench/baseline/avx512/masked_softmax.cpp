#include "baseline/avx512/exp.h"
#include "baseline/avx512/walk.h"
#include "baseline/baseline.h"
#include "baseline/cache_size.h"

#include <cmath>

namespace tilewright::baseline::avx512 {
namespace {

struct Call {
  const float *scores;
  const uint8_t *mask;
  float *y;
  Index rows, cols;
};

struct Row {
  const float *scores;
  const uint8_t *mask;

  TW_INLINE Row(Call c, Index r) : scores(c.scores + r * c.cols), mask(c.mask + r * c.cols) {}

  /// Which lanes are unmasked and take part.
  TW_INLINE Lanes kept(Index i, AllLanes) const {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(mask + i));
    return _mm_test_epi8_mask(bytes, bytes);
  }
  TW_INLINE Lanes kept(Index i, Lanes lanes) const {
    __m128i bytes = _mm_maskz_loadu_epi8(lanes, mask + i);
    return _mm_test_epi8_mask(bytes, bytes);
  }
  /// Scores, −inf where masked.
  template <typename L>
  TW_INLINE Packet at(Index i, L lanes) const {
    return _mm512_mask_loadu_ps(splat(-INFINITY), kept(i, lanes), scores + i);
  }
};

/// exp(score − maximum), for differences that are −inf, or not above zero, or NaN.
TW_INLINE Packet exp_of(Packet scores, Packet maximum) {
  ExpParts e = exp_parts(_mm512_max_ps(splat(exp_lowest), _mm512_sub_ps(scores, maximum)));
  return _mm512_fmadd_ps(e.scale, e.rest, e.scale);
}

/// A row without a single finite maximum to subtract: zeros when all of it is masked, else NaN.
__attribute__((noinline)) void fill_row_without_maximum(Call c, Index r) {
  Row row(c, r);
  unsigned any = 0;
  visit_range(0, c.cols, [&](int, Index i, auto lanes) { any |= row.kept(i, lanes); });
  Packet fill = splat(any ? NAN : 0.0f);
  visit_range(0, c.cols,
              [&](int, Index i, auto lanes) { store(c.y + r * c.cols + i, fill, lanes); });
}

/// `rows` rows of `packets` packets, the last of them masked, held in registers.
template <int rows, int packets>
TW_INLINE void rows_in_registers(Call c, Index first, Lanes last) {
  Packet v[rows][packets];
  Packet max[4] = {splat(0), splat(0), splat(0), splat(0)};
  Packet sum[4] = {splat(1), splat(1), splat(1), splat(1)};
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    Row row(c, first + r);
    v[r][packets - 1] = row.at((packets - 1) * width, last);
    max[r] = Max::of(v[r][packets - 1], splat(-INFINITY));
#pragma GCC unroll 8
    for (int p = 0; p + 1 < packets; ++p) {
      v[r][p] = row.at(p * width, AllLanes());
      max[r] = Max::of(v[r][p], max[r]);
    }
  }
  __m128 maxima = reduce_four<Max>(max);
  alignas(16) float maximum[4], scale[4];
  _mm_store_ps(maximum, maxima);
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    Packet subtract = splat(maximum[r]);
    v[r][0] = exp_of(v[r][0], subtract);
    sum[r] = v[r][0];
#pragma GCC unroll 8
    for (int p = 1; p < packets; ++p) {
      v[r][p] = exp_of(v[r][p], subtract);
      sum[r] = _mm512_add_ps(sum[r], v[r][p]);
    }
  }
  _mm_store_ps(scale, _mm_div_ps(_mm_set1_ps(1), reduce_four<Add>(sum)));
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    float *y = c.y + (first + r) * c.cols;
    Packet factor = splat(scale[r]);
#pragma GCC unroll 8
    for (int p = 0; p + 1 < packets; ++p)
      store(y + p * width, _mm512_mul_ps(v[r][p], factor));
    store(y + (packets - 1) * width, _mm512_mul_ps(v[r][packets - 1], factor), last);
  }
  int without = _mm_movemask_ps(_mm_cmpeq_ps(maxima, _mm_set1_ps(-INFINITY)));
  if (__builtin_expect(without != 0, 0))
    for (int r = 0; r < rows; ++r)
      if (without >> r & 1)
        fill_row_without_maximum(c, first + r);
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

struct Maximum {
  Packet max[4] = {splat(-INFINITY), splat(-INFINITY), splat(-INFINITY), splat(-INFINITY)};

  template <typename L>
  TW_INLINE void add(int slot, const Row &row, Index i, L lanes) {
    max[slot] = Max::of(row.at(i, lanes), max[slot]);
  }
  TW_INLINE float total() const { return reduce<Max>(join<Max>(max)); }
};

/// Writes exponentials and adds them up. With a maximum of −inf all results are replaced later.
struct Exponentials {
  Packet maximum;
  Packet sum[4] = {splat(0), splat(0), splat(0), splat(0)};

  TW_INLINE explicit Exponentials(float maximum) : maximum(splat(maximum)) {}
  template <typename L>
  TW_INLINE void add(int slot, const Row &row, Index i, L lanes, float *e) {
    Packet v = exp_of(row.at(i, lanes), maximum);
    store(e + i, v, lanes);
    sum[slot] = _mm512_add_ps(sum[slot], v);
  }
  TW_INLINE float scale() const { return 1.0f / reduce<Add>(join<Add>(sum)); }
};

TW_INLINE auto scaled(const float *e, float scale) {
  return [e, factor = splat(scale)](Index i, auto lanes) {
    return _mm512_mul_ps(load(e + i, lanes), factor);
  };
}

constexpr Index widest_overlapped = 8192;

/// In one loop: the output of row r, the exponentials of row r + 1, the maximum of row r + 2.
/// Exponentials wait in two rows of the stack, so that every output is stored once.
template <Store kind, Index prefetch_distance>
void overlapped_rows(Call c) {
  alignas(64) float waiting[2][widest_overlapped];
  auto maximum_of = [&](Index r) {
    Maximum maximum;
    Row row(c, r);
    visit_range(0, c.cols,
                [&](int slot, Index i, auto lanes) { maximum.add(slot, row, i, lanes); });
    return maximum.total();
  };
  float maximum = maximum_of(0), next_maximum = c.rows > 1 ? maximum_of(1) : 0;
  Exponentials first(maximum);
  visit_range(0, c.cols, [&](int slot, Index i, auto lanes) {
    first.add(slot, Row(c, 0), i, lanes, waiting[0]);
  });
  float scale = first.scale();
  for (Index r = 0; r < c.rows; ++r) {
    float *y = c.y + r * c.cols;
    auto packet_at = scaled(waiting[r % 2], scale);
    float maximum_after = 0;
    if (r + 1 == c.rows) {
      walk<kind>(y, c.cols, packet_at, [](Index) {});
    } else {
      Row next(c, r + 1), after(c, r + 2 < c.rows ? r + 2 : r + 1);
      Exponentials exponentials(next_maximum);
      Maximum following;
      float *e = waiting[(r + 1) % 2];
      auto exponential = [&](int slot, Index i, auto lanes) {
        exponentials.add(slot, next, i, lanes, e);
      };
      auto max = [&](int slot, Index i, auto lanes) { following.add(slot, after, i, lanes); };
      Index done = 0;
      walk<kind>(y, c.cols, packet_at, [&](Index i) {
        if constexpr (prefetch_distance > 0)
          visit_step(i,
                     [&](int, Index j, auto) { prefetch(after.scores + j + prefetch_distance); });
        visit_step(i, exponential);
        visit_step(i, max);
        done = i + step;
      });
      visit_range(done, c.cols, exponential);
      visit_range(done, c.cols, max);
      scale = exponentials.scale();
      maximum_after = following.total();
    }
    if (__builtin_expect(maximum == -INFINITY, 0))
      fill_row_without_maximum(c, r);
    maximum = next_maximum;
    next_maximum = maximum_after;
  }
  if constexpr (kind == Store::nontemporal)
    _mm_sfence();
}

/// Exponentials wait in the output itself, which is scaled in place.
void wide_rows(Call c) {
  for (Index r = 0; r < c.rows; ++r) {
    Row row(c, r);
    float *y = c.y + r * c.cols;
    Maximum maximum;
    visit_range(0, c.cols,
                [&](int slot, Index i, auto lanes) { maximum.add(slot, row, i, lanes); });
    Exponentials exponentials(maximum.total());
    visit_range(0, c.cols,
                [&](int slot, Index i, auto lanes) { exponentials.add(slot, row, i, lanes, y); });
    walk<Store::unaligned>(y, c.cols, scaled(y, exponentials.scale()), [](Index) {});
    if (maximum.total() == -INFINITY)
      fill_row_without_maximum(c, r);
  }
}

void any_rows(Call c) {
  static constexpr void (*narrow[])(Call) = {narrow_rows<1>, narrow_rows<2>, narrow_rows<3>,
                                             narrow_rows<4>, narrow_rows<5>};
  static_assert(sizeof narrow / sizeof *narrow == most_packets);
  if (c.cols <= most_packets * width)
    narrow[(c.cols - 1) / width](c);
  else if (c.cols > widest_overlapped)
    wide_rows(c);
  else if (prefers_nontemporal(size_t(2 * c.rows * c.cols) * sizeof(float)))
    overlapped_rows<Store::nontemporal, 512>(c);
  else
    overlapped_rows<Store::aligned, 0>(c);
}

} // namespace
} // namespace tilewright::baseline::avx512

extern "C" void tw_masked_softmax_avx512(const tw_baseline_call *call) {
  using namespace tilewright::baseline::avx512;
  Call c{static_cast<const float *>(call->inputs[0]), static_cast<const uint8_t *>(call->inputs[1]),
         static_cast<float *>(call->outputs[0]), call->rows, call->cols};
  if (c.rows > 0 && c.cols > 0)
    any_rows(c);
}
