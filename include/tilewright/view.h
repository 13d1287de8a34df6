// Views: the parameters of a kernel, and the places in memory they name.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tilewright/abi.h"
#include "tilewright/nest.h"
#include "tilewright/tile.h"

namespace tilewright {

namespace detail {

/// What indexes one dimension of a view: an axis, a block of one, an index of a nest, or a host
/// integer.
struct Selector : Selection {
  Selector(const Axis &axis) : Selection{Kind::axis, axis.handle()} {}
  Selector(const Block &block) : Selection(block.selection()) {}
  Selector(const Index &index) : Selection{Kind::index, index.handle()} {}
  template <HostInteger U>
  Selector(U position) : Selection{Kind::constant, {}, static_cast<int64_t>(position)} {}
};

/// The name of an axis and the line it is given on.
struct AxisName {
  AxisName(const char *text, Where where = Where::current()) : text(text), where(where) {}
  const char *text;
  Where where;
};

template <typename Type, std::size_t>
using Repeat = Type;

} // namespace detail

/// Elements of a view: what `x(row, c)` names. Only `load` and `store` touch memory.
template <typename T, int R>
class Place {
public:
  using Element = std::remove_const_t<T>;

  Place(detail::Handle view, std::array<detail::Selection, R> selections)
      : view_(view), selections_(std::move(selections)) {}

  /// A snapshot of the elements, over the axes that span the view, in the order of its dimensions;
  /// a scalar where none does. Later stores of this program never change it. Boolean elements are
  /// true where their byte is not zero.
  Tile<Element> load(detail::Where where = detail::Where::current()) const {
    return Tile<Element>(detail::load(view_, selections_, where));
  }

  /// Writes the value, matched by axis; it is repeated along spanning axes that it lacks. A tile
  /// over an axis that does not span this place is an error. Boolean elements are written as 0
  /// or 1.
  void store(const detail::Operand<Element> &value) const
    requires(!std::is_const_v<T>)
  {
    detail::store(view_, selections_, value.handle, value.where);
  }

private:
  detail::Handle view_;
  std::array<detail::Selection, R> selections_;
};

/// A kernel parameter: storage of rank R with extents and strides, whose elements are of type T
/// (float, double, bool or an integer). `View<const T, R>` cannot be stored through; it promises
/// nothing about aliasing: arguments may overlap in any way. Views exist only as parameters of a
/// kernel's lambda.
template <typename T, int R, typename Dims = std::make_index_sequence<R>>
class View;

template <typename T, int R, std::size_t... I>
class View<T, R, std::index_sequence<I...>> {
public:
  static_assert(R >= 0 && R <= TW_MAX_RANK, "a view has 0 to 8 dimensions");
  using Element = T;
  static constexpr int rank = R;

  explicit View(detail::Handle handle) : handle_(handle) {}

  /// One axis per dimension, bound to its extent; each call makes new axes.
  ///
  ///     auto [r, c] = x.axes("r", "c");
  std::array<Axis, R> axes(detail::Repeat<detail::AxisName, I>... names) const
    requires(R > 0)
  {
    std::array<detail::AxisName, R> given{names...};
    std::array<detail::Handle, R> handles;
    detail::make_axes(handle_, std::array<const char *const, R>{names.text...}, handles,
                      given[0].where);
    return {Axis(handles[I])...};
  }

  /// The elements that the selectors name, one selector per dimension: an axis spans the dimension
  /// whole (their extents are equal, else the recording or the launch fails), a block of an axis
  /// spans as many of its positions from an origin on, an index of a nest or a host integer picks
  /// one position and drops the dimension.
  ///
  ///     x(row, c)          // row `row`: over {c}
  ///     x(row, h.at(3))    // elements 3, 4, ... of row `row`, as many as h has: over {h}
  ///     x(r, 0)            // the first column: over {r}
  Place<T, R> operator()(detail::Repeat<detail::Selector, I>... selectors) const {
    return Place<T, R>(handle_, {static_cast<detail::Selection &&>(selectors)...});
  }

private:
  detail::Handle handle_;
};

} // namespace tilewright
