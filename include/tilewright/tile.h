// Tiles: immutable values over a set of axes, and their operators.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tilewright/axis.h"
#include "tilewright/nest.h"

namespace tilewright {

namespace detail {

template <typename T>
concept Number = std::is_arithmetic_v<T>;

/// Host numbers that become constants of element type T without surprise: no fraction is lost and a
/// mask takes `true` and `false` only.
template <typename U, typename T>
concept ConstantOf = Number<U> && (std::is_same_v<T, bool> ? std::is_same_v<U, bool>
                                   : std::is_floating_point_v<T>
                                       ? !std::is_same_v<U, bool>
                                       : std::is_integral_v<U> && !std::is_same_v<U, bool>);

/// Records the constant `value` of element type T.
template <typename T, typename U>
Handle constant(U value, const Where &where) {
  constexpr ElementType type = element_type_of<T>();
  if constexpr (std::is_floating_point_v<T>) {
    return float_constant(type, static_cast<double>(static_cast<T>(value)), where);
  } else {
    if constexpr (!std::is_same_v<T, bool>)
      if (!std::in_range<T>(value))
        return reject_constant(type, where);
    return integer_constant(type, static_cast<uint64_t>(value), where);
  }
}

/// One operand of an operator over tiles of T: a tile, a host number, or an extent. Operators
/// cannot have default arguments, so the conversion to this type is what notes the line of the
/// expression.
template <typename T>
struct Operand {
  Operand(const Tile<T> &tile, Where where = Where::current())
      : handle(tile.handle()), where(where) {}
  template <ConstantOf<T> U>
  Operand(U value, Where where = Where::current())
      : handle(constant<T>(value, where)), where(where) {}
  Operand(const Extent &extent, Where where = Where::current())
    requires(!std::is_same_v<T, bool>)
      : handle(extent_of(extent.axis(), element_type_of<T>(), where)), where(where) {}

  Handle handle;
  Where where;
};

} // namespace detail

/// An immutable value over a set of axes; over none, a scalar. Tiles come from `load`, from
/// operators and from the functions of math.h and reduce.h; copies are cheap and denote the same
/// value.
///
/// Operators apply to every element. Operands match by axis identity; an operand over fewer axes is
/// repeated along those it lacks (a row {c} beside a matrix {r, c}). Tiles over axes that do not
/// nest are an error of the recording. A host number beside a tile becomes a constant of its
/// element type.
///
///     auto scaled = v * 0.5f + 1;   // over the axes of v
///
/// Floating point follows IEEE 754, each operation correctly rounded (a product and a sum become
/// one fma unless `KernelOptions::contract` is false). Integers wrap; `/` truncates, and x / 0 = 0,
/// x % 0 = x, and the least integer divided by -1 is itself with remainder 0.
template <typename T>
class Tile {
public:
  using Element = T;

  explicit Tile(detail::Handle handle) : handle_(handle) {}
  detail::Handle handle() const { return handle_; }

private:
  using Operand = detail::Operand<T>;
  using Function = detail::Function;

  static Tile arithmetic(Function function, const Operand &a, const Operand &b) {
    static_assert(!std::is_same_v<T, bool>, "a mask has no arithmetic: tw::cast it first");
    return Tile(detail::apply(function, {a.handle, b.handle}, a.where));
  }
  static Tile<bool> comparison(Function function, const Operand &a, const Operand &b) {
    return Tile<bool>(detail::apply(function, {a.handle, b.handle}, a.where));
  }
  static Tile logic(Function function, const Operand &a, const Operand &b) {
    static_assert(std::is_same_v<T, bool>, "logic is for masks: compare first");
    return Tile(detail::apply(function, {a.handle, b.handle}, a.where));
  }

  friend Tile operator+(Operand a, Operand b) { return arithmetic(Function::add, a, b); }
  friend Tile operator-(Operand a, Operand b) { return arithmetic(Function::subtract, a, b); }
  friend Tile operator*(Operand a, Operand b) { return arithmetic(Function::multiply, a, b); }
  friend Tile operator/(Operand a, Operand b) { return arithmetic(Function::divide, a, b); }
  friend Tile operator%(Operand a, Operand b) {
    static_assert(std::is_integral_v<T>, "% is for integers");
    return arithmetic(Function::remainder, a, b);
  }
  friend Tile operator-(Operand a) {
    static_assert(!std::is_same_v<T, bool>, "a mask has no arithmetic: tw::cast it first");
    return Tile(detail::apply(Function::negate, {a.handle}, a.where));
  }

  /// Comparisons give masks. With a NaN on either side all are false, except `!=`, which is true.
  friend Tile<bool> operator<(Operand a, Operand b) { return comparison(Function::less, a, b); }
  friend Tile<bool> operator<=(Operand a, Operand b) {
    return comparison(Function::less_equal, a, b);
  }
  friend Tile<bool> operator>(Operand a, Operand b) { return comparison(Function::greater, a, b); }
  friend Tile<bool> operator>=(Operand a, Operand b) {
    return comparison(Function::greater_equal, a, b);
  }
  friend Tile<bool> operator==(Operand a, Operand b) { return comparison(Function::equal, a, b); }
  friend Tile<bool> operator!=(Operand a, Operand b) {
    return comparison(Function::not_equal, a, b);
  }

  /// Logic on masks. Both sides are always evaluated.
  friend Tile operator&(Operand a, Operand b) { return logic(Function::logical_and, a, b); }
  friend Tile operator|(Operand a, Operand b) { return logic(Function::logical_or, a, b); }
  friend Tile operator^(Operand a, Operand b) { return logic(Function::logical_xor, a, b); }
  friend Tile operator!(Operand a) {
    static_assert(std::is_same_v<T, bool>, "logic is for masks: compare first");
    return Tile(detail::apply(Function::logical_not, {a.handle}, a.where));
  }

  detail::Handle handle_;
};

} // namespace tilewright
