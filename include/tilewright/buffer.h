// Memory that Tilewright owns, as an argument of a kernel.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "tilewright/argument.h"
#include "tilewright/host_view.h"

namespace tilewright {

/// A row-major array without gaps that begins on a 64-byte border, where vector stores are fastest.
///
///     tw::Buffer<float> x({rows, columns});       // zeros
///     x(3, 4) = 1.5f;
///     std::iota(x.begin(), x.end(), 0.0f);        // elements in row-major order
///     rms_norm(cpu, x, gamma, y);
///
/// It moves and does not copy: copies of large arrays should be visible where they are made.
/// Construction throws std::bad_alloc when there is no such amount of memory.
template <typename T>
class Buffer {
  static_assert(!std::is_const_v<T>, "a Buffer owns its elements: use const Buffer<T>");

public:
  using Element = T;

  explicit Buffer(Dimensions extents) : extents_(extents), size_(count(extents)) {
    void *memory = ::operator new(static_cast<std::size_t>(size_) * sizeof(T), alignment);
    std::memset(memory, 0, static_cast<std::size_t>(size_) * sizeof(T));
    data_ = static_cast<T *>(memory);
  }
  Buffer(Dimensions extents, T fill) : Buffer(extents) { std::fill(begin(), end(), fill); }

  Buffer(Buffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        extents_(std::exchange(other.extents_, Dimensions{0})),
        size_(std::exchange(other.size_, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(extents_, other.extents_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (data_)
      ::operator delete(data_, alignment);
  }

  T *data() { return data_; }
  const T *data() const { return data_; }
  int64_t size() const { return size_; }
  const Dimensions &extents() const { return extents_; }
  Dimensions strides() const { return row_major_strides(extents_); }

  T *begin() { return data_; }
  T *end() { return data_ + size_; }
  const T *begin() const { return data_; }
  const T *end() const { return data_ + size_; }
  std::span<T> elements() { return {begin(), end()}; }
  std::span<const T> elements() const { return {begin(), end()}; }

  /// The element at these indices, one per dimension.
  template <typename... Index>
  T &operator()(Index... indices) {
    return view()(indices...);
  }
  template <typename... Index>
  const T &operator()(Index... indices) const {
    return view()(indices...);
  }

  HostView<T> view() { return {data_, extents_}; }
  HostView<const T> view() const { return {data_, extents_}; }

  /// A const Buffer is refused where a kernel writes.
  Argument as_argument() { return view().as_argument(); }
  Argument as_argument() const { return view().as_argument(); }

private:
  static constexpr std::align_val_t alignment{64};

  static int64_t count(const Dimensions &extents) {
    int64_t elements = 1;
    for (int64_t extent : extents) {
      assert(extent >= 0 && "an extent is negative");
      if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements))
        throw std::bad_array_new_length();
    }
    if (elements > std::numeric_limits<int64_t>::max() / static_cast<int64_t>(sizeof(T)))
      throw std::bad_array_new_length();
    return elements;
  }

  T *data_ = nullptr;
  Dimensions extents_;
  int64_t size_ = 0;
};

} // namespace tilewright
