// One number per dimension of a view, kept in place: extents, or strides.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "tilewright/abi.h"

namespace tilewright {

/// A list of at most TW_MAX_RANK numbers. It behaves like a vector and never allocates, so that a
/// launch need not either.
class Dimensions {
public:
  Dimensions() = default;
  Dimensions(std::initializer_list<int64_t> values) { assign(values.begin(), values.size()); }
  Dimensions(const std::vector<int64_t> &values) { assign(values.data(), values.size()); }
  explicit Dimensions(std::span<const int64_t> values) { assign(values.data(), values.size()); }
  /// `count` times the same value.
  Dimensions(std::size_t count, int64_t value) {
    for (std::size_t i = 0; i < count; ++i)
      push_back(value);
  }
  operator std::vector<int64_t>() const { return {begin(), end()}; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t &operator[](std::size_t i) { return assert(i < size_), values_[i]; }
  int64_t operator[](std::size_t i) const { return assert(i < size_), values_[i]; }
  int64_t &back() { return (*this)[size_ - 1]; }
  int64_t back() const { return (*this)[size_ - 1]; }
  int64_t *data() { return values_.data(); }
  const int64_t *data() const { return values_.data(); }
  int64_t *begin() { return values_.data(); }
  int64_t *end() { return values_.data() + size_; }
  const int64_t *begin() const { return values_.data(); }
  const int64_t *end() const { return values_.data() + size_; }

  void push_back(int64_t value) {
    assert(size_ < TW_MAX_RANK && "a view has too many dimensions");
    values_[size_++] = value;
  }
  void resize(std::size_t size) {
    assert(size <= TW_MAX_RANK && "a view has too many dimensions");
    for (; size_ < size; ++size_)
      values_[size_] = 0;
    size_ = size;
  }

  friend bool operator==(const Dimensions &a, const Dimensions &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  void assign(const int64_t *values, std::size_t count) {
    assert(count <= TW_MAX_RANK && "a view has too many dimensions");
    size_ = count;
    std::copy_n(values, count, values_.begin());
  }

  std::array<int64_t, TW_MAX_RANK> values_{};
  std::size_t size_ = 0;
};

/// Strides of a row-major array without gaps.
inline Dimensions row_major_strides(const Dimensions &extents) {
  Dimensions strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = strides[i] * extents[i];
  return strides;
}

} // namespace tilewright
