// Functions that apply to every element of tiles.
#pragma once

#include "tilewright/tile.h"

namespace tilewright {

namespace detail {

template <typename A>
struct TileElement {
  using Type = void;
};
template <typename T>
struct TileElement<Tile<T>> {
  using Type = T;
};

/// The element type that the tiles among A... share; void when none is a tile or two differ.
template <typename... A>
struct SharedElement {
  using Type = void;
};
template <typename A, typename... Rest>
struct SharedElement<A, Rest...> {
  using First = typename TileElement<A>::Type;
  using Others = typename SharedElement<Rest...>::Type;
  static constexpr bool others_have_tiles =
      (!std::is_void_v<typename TileElement<Rest>::Type> || ...);
  using Type = std::conditional_t<
      std::is_void_v<First>, Others,
      std::conditional_t<!others_have_tiles || std::is_same_v<First, Others>, First, void>>;
};
template <typename... A>
using SharedElementOf = typename SharedElement<std::remove_cvref_t<A>...>::Type;

/// At least one of A... is a tile, and the others are operands beside it.
template <typename... A>
concept TileOperands = !std::is_void_v<SharedElementOf<A...>> &&
                       (std::convertible_to<const A &, Operand<SharedElementOf<A...>>> && ...);

template <typename... A>
Tile<SharedElementOf<A...>> apply_to(Function function, const Where &where, const A &...operands) {
  using T = SharedElementOf<A...>;
  return Tile<T>(apply(function, {Operand<T>(operands, where).handle...}, where));
}

} // namespace detail

/// The smaller of two values. NaN on either side gives NaN, and -0 is smaller than +0.
template <typename A, typename B>
  requires detail::TileOperands<A, B>
Tile<detail::SharedElementOf<A, B>> min(const A &a, const B &b,
                                        detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::minimum, where, a, b);
}

/// The larger of two values. NaN on either side gives NaN, and +0 is larger than -0.
template <typename A, typename B>
  requires detail::TileOperands<A, B>
Tile<detail::SharedElementOf<A, B>> max(const A &a, const B &b,
                                        detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::maximum, where, a, b);
}

/// a * b + c, rounded once. Floating point only.
template <typename A, typename B, typename C>
  requires detail::TileOperands<A, B, C>
Tile<detail::SharedElementOf<A, B, C>> fma(const A &a, const B &b, const C &c,
                                           detail::Where where = detail::Where::current()) {
  static_assert(std::is_floating_point_v<detail::SharedElementOf<A, B, C>>,
                "fma is for floating point");
  return detail::apply_to(detail::Function::fused_multiply_add, where, a, b, c);
}

/// `a` where the condition holds, else `b`. Both are evaluated.
template <typename A, typename B>
  requires detail::TileOperands<A, B>
Tile<detail::SharedElementOf<A, B>> ite(const Tile<bool> &condition, const A &a, const B &b,
                                        detail::Where where = detail::Where::current()) {
  using T = detail::SharedElementOf<A, B>;
  return Tile<T>(detail::apply(detail::Function::select,
                               {condition.handle(), detail::Operand<T>(a, where).handle,
                                detail::Operand<T>(b, where).handle},
                               where));
}
/// The same for two host numbers of one type: `tw::ite(mask, 1.0f, 0.0f)`.
template <detail::Number T>
Tile<T> ite(const Tile<bool> &condition, T a, T b, detail::Where where = detail::Where::current()) {
  return Tile<T>(detail::apply(
      detail::Function::select,
      {condition.handle(), detail::constant<T>(a, where), detail::constant<T>(b, where)}, where));
}

/// The absolute value. The least integer is its own; for floating point the sign bit is cleared.
template <typename T>
Tile<T> abs(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  static_assert(!std::is_same_v<T, bool>, "a mask has no arithmetic: tw::cast it first");
  return detail::apply_to(detail::Function::absolute, where, x);
}

/// The square root, correctly rounded; NaN below zero, sqrt(-0) = -0.
template <std::floating_point T>
Tile<T> sqrt(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::square_root, where, x);
}

/// 1 / sqrt(x), rounded after the root and after the division.
template <std::floating_point T>
Tile<T> rsqrt(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::reciprocal_square_root, where, x);
}

/// e to the power of x, within 2 units in the last place; exp(-inf) = 0.
template <std::floating_point T>
Tile<T> exp(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::exponential, where, x);
}

/// The error function: the integral of 2 / sqrt(pi) e^(-t t) for t from 0 to x, within 2 units in
/// the last place; erf(-0) = -0, erf(inf) = 1.
template <std::floating_point T>
Tile<T> erf(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::error_function, where, x);
}

/// The hyperbolic tangent, within 2 units in the last place; tanh(-0) = -0, tanh(inf) = 1.
template <std::floating_point T>
Tile<T> tanh(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return detail::apply_to(detail::Function::hyperbolic_tangent, where, x);
}

/// The value as another element type. Floating point rounds to nearest even; floating point to
/// integer truncates and saturates, NaN gives 0; integers to a narrower type wrap; to bool: is it
/// not zero.
template <typename To, typename T>
Tile<To> cast(const Tile<T> &x, detail::Where where = detail::Where::current()) {
  return Tile<To>(detail::cast(element_type_of<To>(), x.handle(), where));
}
/// An extent as a scalar of type To.
template <typename To>
Tile<To> cast(const Extent &extent, detail::Where where = detail::Where::current()) {
  return Tile<To>(detail::extent_of(extent.axis(), element_type_of<To>(), where));
}
/// The position of this program along an axis as a scalar of type To.
template <typename To>
Tile<To> cast(const Index &index, detail::Where where = detail::Where::current()) {
  return Tile<To>(detail::coordinate_of(index.handle(), element_type_of<To>(), where));
}

} // namespace tilewright
