// Nests: which points a kernel's programs run over.
#pragma once

#include <array>
#include <cstddef>

#include "tilewright/axis.h"

namespace tilewright {

template <std::size_t N>
class Nest;

/// The position of a program along one axis of a nest, 0 up to the axis's extent. It selects in the
/// view dimensions that have the axis's extent: `x(row, c)` is row `row` of x. It is meaningful
/// inside its loop only, so it cannot be copied; name it by reference: `for (auto& row : ...)`.
class Index {
public:
  Index() = default;
  Index(const Index &) = delete;
  Index &operator=(const Index &) = delete;

  detail::Handle handle() const { return handle_; }

private:
  template <std::size_t N>
  friend class Nest;
  detail::Handle handle_;
};

inline Origin::Origin(const Index &index)
    : terms_{{detail::OriginTerm::Kind::index, index.handle(), 1}} {}

/// What `parallel` returns, for a range-for loop and nothing else. The loop's body runs once, to be
/// recorded; the compiled kernel runs it for every point of the axes.
template <std::size_t N>
class [[nodiscard("a nest is the range of a for loop")]] Nest {
public:
  Nest(const std::array<Axis, N> &axes, const detail::Where &where) : axes_(axes), where_(where) {}
  Nest(const Nest &) = delete;
  Nest &operator=(const Nest &) = delete;
  ~Nest() { close(); }

  struct End {};

  class Iterator {
  public:
    explicit Iterator(Nest *nest) : nest_(nest) {}
    /// The index (`Index&`), or for several axes an array of them: `for (auto& [i, j] : ...)`.
    auto &operator*() const {
      if constexpr (N == 1)
        return nest_->indices_[0];
      else
        return nest_->indices_;
    }
    void operator++() { nest_->close(); }
    bool operator!=(End) const { return nest_->open_; }

  private:
    Nest *nest_;
  };

  Iterator begin() {
    std::array<detail::Handle, N> axes, indices;
    for (std::size_t i = 0; i < N; ++i)
      axes[i] = axes_[i].handle();
    nest_ = detail::begin_parallel(axes, indices, where_);
    for (std::size_t i = 0; i < N; ++i)
      indices_[i].handle_ = indices[i];
    open_ = true;
    return Iterator(this);
  }
  End end() const { return {}; }

private:
  void close() {
    if (open_)
      detail::end_parallel(nest_);
    open_ = false;
  }

  std::array<Axis, N> axes_;
  std::array<Index, N> indices_;
  detail::Handle nest_;
  detail::Where where_;
  bool open_ = false;
};

/// One program per point of the axes. Programs run in any order or at the same time and must not
/// interfere: what one writes, no other reads or writes (such bytes are unspecified afterwards).
/// Inside one program loads and stores keep their order.
///
///     for (auto& row : tw::parallel(r)) { ... }          // one program per row
///     for (auto& [row, column] : tw::parallel(r, c)) { ... }
///
/// By default the extents of the outermost nest's axes are known only at launch, so that one
/// compiled kernel serves any number of programs; `Axis::fixed` and `KernelOptions::shapes` say
/// otherwise.
inline Nest<1> parallel(const Axis &axis, detail::Where where = detail::Where::current()) {
  return Nest<1>({axis}, where);
}
inline Nest<2> parallel(const Axis &first, const Axis &second,
                        detail::Where where = detail::Where::current()) {
  return Nest<2>({first, second}, where);
}
inline Nest<3> parallel(const Axis &first, const Axis &second, const Axis &third,
                        detail::Where where = detail::Where::current()) {
  return Nest<3>({first, second, third}, where);
}

} // namespace tilewright
