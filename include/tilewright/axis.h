// Axes: the logical dimensions that tiles are over.
#pragma once

#include <concepts>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tilewright/recording.h"

namespace tilewright {

class Axis;
class Index;
template <typename T>
class Tile;

/// How many points an axis has, as a scalar of the kernel. Beside a tile it takes the tile's
/// element type: `tw::sum(v, c) / c.extent()` divides floats by a float (rounded to nearest where
/// the type cannot hold the number). `tw::cast<T>(c.extent())` gives it a type of your choice.
class Extent {
public:
  detail::Handle axis() const { return axis_; }

private:
  friend class Axis;
  explicit Extent(detail::Handle axis) : axis_(axis) {}
  detail::Handle axis_;
};

namespace detail {

template <typename U>
concept HostInteger = std::integral<U> && !std::is_same_v<U, bool>;

} // namespace detail

/// Where a block of a dimension starts: a host integer, an extent, an index of a nest, or sums and
/// differences of these and their products with host integers:
///
///     h.extent() + 1      2 * h.extent()      row * 8 - 1
///
/// The arithmetic is that of 64-bit integers and wraps; a start may lie outside of the view.
class Origin {
public:
  template <detail::HostInteger U>
  Origin(U value) : constant_(static_cast<int64_t>(value)) {}
  Origin(const Extent &extent) : terms_{{detail::OriginTerm::Kind::extent, extent.axis(), 1}} {}
  Origin(const Index &index);

  int64_t constant() const { return constant_; }
  const std::vector<detail::OriginTerm> &terms() const { return terms_; }

  /// This + factor * other.
  Origin plus(const Origin &other, int64_t factor) const {
    auto scale = static_cast<uint64_t>(factor);
    Origin sum = *this;
    sum.constant_ =
        wrapping(static_cast<uint64_t>(constant_) + scale * static_cast<uint64_t>(other.constant_));
    for (detail::OriginTerm term : other.terms_) {
      term.factor = wrapping(scale * static_cast<uint64_t>(term.factor));
      sum.terms_.push_back(term);
    }
    return sum;
  }

private:
  static int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }

  int64_t constant_ = 0;
  std::vector<detail::OriginTerm> terms_;
};

// Beside the class, so that they are found for extents and indices too.
inline Origin operator+(const Origin &a, const Origin &b) { return a.plus(b, 1); }
inline Origin operator-(const Origin &a, const Origin &b) { return a.plus(b, -1); }
template <detail::HostInteger U>
Origin operator*(const Origin &a, U factor) {
  return Origin(0).plus(a, static_cast<int64_t>(factor));
}
template <detail::HostInteger U>
Origin operator*(U factor, const Origin &a) {
  return a * factor;
}

/// What a block does where it lies outside of its view:
///  - `tw::zero`, the default: a load gives zero there, and a store writes nothing there;
///  - `tw::fill(value)`: a load gives `value` there, which the view's element type has to hold;
///  - `tw::assume`: no part of the block is outside. A launch whose extents and indices show
///    otherwise is an error.
class Bounds {
public:
  constexpr explicit Bounds(const detail::BlockBounds &bounds) : bounds_(bounds) {}
  constexpr const detail::BlockBounds &bounds() const { return bounds_; }

private:
  detail::BlockBounds bounds_;
};

inline constexpr Bounds zero{detail::BlockBounds{}};
inline constexpr Bounds assume{detail::BlockBounds{.kind = detail::BlockBounds::Kind::assume}};

template <typename U>
  requires std::is_arithmetic_v<U>
constexpr Bounds fill(U value) {
  detail::BlockBounds bounds{.has_fill = true, .real_fill = std::is_floating_point_v<U>};
  if constexpr (std::is_floating_point_v<U>) {
    bounds.real = static_cast<double>(value);
  } else {
    bounds.integer = static_cast<uint64_t>(value);
    bounds.negative_integer = value < U{0};
  }
  return Bounds(bounds);
}

class Block;

/// A logical dimension with an identity and an extent. Two axes are the same when they come from
/// the same call of `View::axes`, never because their names or extents are equal. Made by
/// `View::axes`:
///
///     auto [r, c] = x.axes("r", "c");  // x is 17 x 65: r has extent 17, c has extent 65
///
/// The name is for messages and IR only. Copies denote the same axis.
class Axis {
public:
  /// The number of points, as a scalar of the kernel.
  Extent extent() const { return Extent(handle_); }

  /// The number of points as a host integer. The kernel is then compiled for exactly this extent: a
  /// launch with another one compiles again. Outside a recording this is an error and gives 1.
  int64_t fixed(detail::Where where = detail::Where::current()) const {
    return detail::fix_extent(handle_, where);
  }

  /// A block: point i of the axis is at position origin + i of the dimension, whose extent may be
  /// another than the axis's.
  ///
  ///     auto [r, h] = cosine.axes("r", "h");
  ///     x(row, h.at(0))            // the first half of a row of 2 * h.extent() elements
  ///     x(row, h.at(h.extent()))   // the second half
  ///     x(row, h.at(-1, tw::fill(1.0f)))   // shifted by one, with 1 before the first
  Block at(const Origin &origin, const Bounds &bounds = zero) const;

  detail::Handle handle() const { return handle_; }

private:
  template <typename T, int R, typename Dims>
  friend class View;
  explicit Axis(detail::Handle handle) : handle_(handle) {}
  detail::Handle handle_;
};

/// What `Axis::at` gives, to index a view's dimension with.
class Block {
public:
  Block(const Axis &axis, const Origin &origin, const Bounds &bounds)
      : selection_{detail::Selection::Kind::block, axis.handle(), origin.constant(), origin.terms(),
                   bounds.bounds()} {}

  const detail::Selection &selection() const { return selection_; }

private:
  detail::Selection selection_;
};

inline Block Axis::at(const Origin &origin, const Bounds &bounds) const {
  return Block(*this, origin, bounds);
}

/// Rejects shapes that the kernel is not meant for: where `holds` is false, the launch is an error
/// with this text. `holds` is of host integers, those of `Axis::fixed` for example:
///
///     tw::require(c.fixed() % 2 == 0, "x has an even number of columns");
inline void require(bool holds, const char *text, detail::Where where = detail::Where::current()) {
  if (!holds)
    detail::reject_shapes(text, where);
}

/// One axis or several: `c` or `{r, c}`.
class Axes {
public:
  Axes(const Axis &axis) : handles_{axis.handle()} {}
  Axes(std::initializer_list<Axis> axes) {
    for (const Axis &axis : axes)
      handles_.push_back(axis.handle());
  }

  const std::vector<detail::Handle> &handles() const { return handles_; }

private:
  std::vector<detail::Handle> handles_;
};

} // namespace tilewright
