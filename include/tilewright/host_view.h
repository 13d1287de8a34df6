// Memory that the caller owns, as an argument of a kernel.
#pragma once

#include <type_traits>

#include "tilewright/argument.h"

namespace tilewright {

/// A pointer with extents and strides, both counted in elements. It owns nothing: the memory has to
/// outlive every launch that uses the view. `HostView<const T>` can only be read by kernels.
///
///     std::vector<float> x(rows * columns);
///     softmax(cpu, tw::view(x.data(), {rows, columns}), y);
///
///     // Columns 64 to 127 of a buffer whose rows are 192 long:
///     auto keys = tw::view(qkv.data() + 64, {rows, 64}, {192, 1});
///
/// A stride may be zero (every index is the same element), negative, or smaller than the extents
/// behind it (indices share elements). Overlap is fine within what DESIGN calls interference: no
/// program may write what another program of the launch reads or writes.
template <typename T>
class HostView {
public:
  using Element = T;

  /// The element (0, 0, ...) is at `data`.
  HostView(T *data, Dimensions extents, Dimensions strides)
      : data_(data), extents_(extents), strides_(strides) {}
  /// Row-major without gaps.
  HostView(T *data, Dimensions extents) : HostView(data, extents, row_major_strides(extents)) {}

  T *data() const { return data_; }
  const Dimensions &extents() const { return extents_; }
  const Dimensions &strides() const { return strides_; }

  /// The element at these indices, one per dimension.
  template <typename... Index>
  T &operator()(Index... indices) const {
    assert(sizeof...(indices) == strides_.size() && "give one index per dimension");
    int64_t offset = 0;
    std::size_t dimension = 0;
    ((offset += static_cast<int64_t>(indices) * strides_[dimension++]), ...);
    return data_[offset];
  }

  Argument as_argument() const {
    return {.data = const_cast<std::remove_const_t<T> *>(data_),
            .type = element_type_of<T>(),
            .extents = extents_,
            .strides = strides_,
            .read_only = std::is_const_v<T>};
  }

private:
  T *data_;
  Dimensions extents_;
  Dimensions strides_;
};

/// `view(pointer, {rows, columns})` is row-major; give strides for anything else.
template <typename T>
HostView<T> view(T *data, Dimensions extents) {
  return {data, extents};
}
template <typename T>
HostView<T> view(T *data, Dimensions extents, Dimensions strides) {
  return {data, extents, strides};
}

} // namespace tilewright
