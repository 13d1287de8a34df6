// Axes: the logical dimensions that tiles are over.
#pragma once

#include <initializer_list>
#include <vector>

#include "tilewright/recording.h"

namespace tilewright {

class Axis;
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

  detail::Handle handle() const { return handle_; }

private:
  template <typename T, int R, typename Dims>
  friend class View;
  explicit Axis(detail::Handle handle) : handle_(handle) {}
  detail::Handle handle_;
};

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
