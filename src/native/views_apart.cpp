// The whole test of a guard. Compiled code calls it by its name in tilewright/abi.h; an
// ahead-of-time object needs this file and nothing else of the library.
#include <algorithm>
#include <cstdlib>

#include "tilewright/abi.h"

namespace {

constexpr int64_t farthest = int64_t{1} << 55; // elements from element (0, ..., 0)

/// A view with what its kernel knows of it.
class View {
public:
  View(const tw_view &view, int32_t form)
      : view_(view), rank_(form & 0xff), bytes_(form >> 8 & 0xff), unit_dim_((form >> 16) - 1) {}

  int rank() const { return rank_; }
  int bytes() const { return bytes_; }
  int unit_dim() const { return unit_dim_; }
  uint64_t address() const { return reinterpret_cast<uint64_t>(view_.data); }
  int64_t extent(int dim) const { return view_.extents[dim]; }
  int64_t stride(int dim) const { return dim == unit_dim_ ? 1 : view_.strides[dim]; }

  bool is_empty() const {
    return std::any_of(view_.extents, view_.extents + rank_,
                       [](int64_t extent) { return extent <= 0; });
  }

private:
  const tw_view &view_;
  int rank_, bytes_, unit_dim_;
};

/// The bytes [first, last) that a view spans. Not sound where they cannot be counted.
struct Range {
  uint64_t first = 0, last = 0;
  bool sound = false;
};

Range range_of(const View &view) {
  int64_t low = 0, high = 0; // offsets of the first and the last element
  for (int dim = 0; dim < view.rank(); ++dim) {
    int64_t far;
    if (__builtin_mul_overflow(view.extent(dim) - 1, view.stride(dim), &far) || far < -farthest ||
        far >= farthest)
      return {};
    (far < 0 ? low : high) += far; // the sum of eight of these has 59 bits, in bytes 62
  }
  Range range;
  range.first = view.address() + static_cast<uint64_t>(low * view.bytes());
  range.last = view.address() + static_cast<uint64_t>((high + 1) * view.bytes());
  // A range that leaves the address space at either end has its last byte before its first.
  range.sound = range.first < range.last;
  return range;
}

bool same_elements(const View &a, const View &b) {
  if (a.rank() != b.rank() || a.bytes() != b.bytes() || a.address() != b.address())
    return false;
  for (int dim = 0; dim < a.rank(); ++dim)
    if (a.extent(dim) != b.extent(dim) || (a.extent(dim) > 1 && a.stride(dim) != b.stride(dim)))
      return false;
  return true;
}

/// The distance in bytes that every step along another dimension than the unit one is a multiple
/// of: the smallest such step, 0 where there is none, or where another is no multiple of it.
int64_t common_pitch(const View &a, const View &b) {
  int64_t pitch = 0;
  auto for_each_step = [&](auto visit) {
    for (const View *view : {&a, &b})
      for (int dim = 0; dim < view->rank(); ++dim)
        if (dim != view->unit_dim() && view->extent(dim) > 1 && view->stride(dim) != 0)
          visit(std::abs(view->stride(dim)) * view->bytes());
  };
  for_each_step([&](int64_t step) { pitch = pitch == 0 ? step : std::min(pitch, step); });
  bool multiples = true;
  for_each_step([&](int64_t step) { multiples &= step % pitch == 0; });
  return multiples ? pitch : 0;
}

/// Do the views' intervals along their unit dimensions not meet, modulo the common pitch? For views
/// with sound ranges.
bool slices_apart(const View &a, const View &b) {
  if (a.unit_dim() < 0 || b.unit_dim() < 0)
    return false;
  const auto pitch = static_cast<uint64_t>(common_pitch(a, b));
  if (pitch == 0)
    return false;
  // Modulo the pitch, a's bytes are [0, size_a) and b's are [shift, shift + size_b).
  const bool behind = b.address() >= a.address();
  const uint64_t distance = behind ? b.address() - a.address() : a.address() - b.address();
  const uint64_t rest = distance % pitch;
  const uint64_t shift = behind || rest == 0 ? rest : pitch - rest;
  const auto size = [](const View &view) {
    return static_cast<uint64_t>(view.extent(view.unit_dim()) * view.bytes());
  };
  return size(a) <= shift && size(b) <= pitch - shift;
}

} // namespace

extern "C" int32_t tw_views_apart(const tw_launch *launch, int32_t stored, int32_t other,
                                  int32_t stored_form, int32_t other_form,
                                  int32_t same_element_first) {
  const View a(launch->views[stored], stored_form), b(launch->views[other], other_form);
  if (a.is_empty() || b.is_empty())
    return 1;
  if (same_element_first && same_elements(a, b))
    return 1;
  const Range range_a = range_of(a), range_b = range_of(b);
  if (!range_a.sound || !range_b.sound)
    return 0;
  return range_a.last <= range_b.first || range_b.last <= range_a.first || slices_apart(a, b);
}
