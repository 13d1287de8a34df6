// Reductions: combining the elements of a tile along axes into one value each.
#pragma once

#include "tilewright/math.h"

namespace tilewright {

/// In which order a reduction combines elements.
/// `unordered` (the default) uses one fixed grouping that suits vectors: results are the same bits
/// on every machine, for every plan and any number of workers, but differ from a loop's in
/// rounding. `fold_left` starts from the seed and takes elements in increasing order, `fold_right`
/// in decreasing order (the element on the left of the operation).
using Order = detail::Order;
inline constexpr Order unordered = Order::unordered;
inline constexpr Order fold_left = Order::fold_left;
inline constexpr Order fold_right = Order::fold_right;

namespace detail {

/// The seed of a reduction: absent, a host number, or a scalar.
template <typename T>
struct Seed {
  Seed() = default;
  template <ConstantOf<T> U>
  Seed(U value, Where where = Where::current()) : handle(constant<T>(value, where)) {}
  Seed(const Tile<T> &scalar) : handle(scalar.handle()) {}

  std::optional<Handle> handle;
};

/// What sums of T accumulate in: 8- and 16-bit integers in 32 bits, others in their own type.
template <typename T>
using Accumulator =
    std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && (sizeof(T) < 4),
                       std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>, T>;

} // namespace detail

/// The options of a reduction: `tw::sum(v, c, {.seed = 2.5f, .order = tw::fold_left})`.
template <typename T>
struct ReduceOptions {
  detail::Seed<T> seed; ///< counts once; a scalar
  Order order = unordered;
};

namespace detail {

template <typename T, typename S>
Tile<S> reduce_tile(Reduction reduction, const Tile<T> &tile, const Axes &axes,
                    const ReduceOptions<S> &options, const Where &where) {
  static_assert(!std::is_same_v<T, bool>, "a mask has no arithmetic: tw::cast it first");
  Handle input = tile.handle();
  if constexpr (!std::is_same_v<T, S>)
    input = cast(element_type_of<S>(), input, where);
  return Tile<S>(
      reduce(reduction, input, axes.handles(), options.seed.handle, options.order, where));
}

} // namespace detail

/// The sum over one axis (`tw::sum(v, c)`) or several (`tw::sum(v, {r, c})`). The result is over
/// the tile's other axes, a scalar if there are none. Sums of 8- and 16-bit integers are 32 bits
/// wide. Over an empty axis it is the seed; without one that is -0.0, or 0 for integers.
template <typename T>
Tile<detail::Accumulator<T>> sum(const Tile<T> &tile, const Axes &axes,
                                 const ReduceOptions<detail::Accumulator<T>> &options = {},
                                 detail::Where where = detail::Where::current()) {
  return detail::reduce_tile(detail::Reduction::sum, tile, axes, options, where);
}

/// The product; like `sum`, with the seed 1 when none is given.
template <typename T>
Tile<detail::Accumulator<T>> prod(const Tile<T> &tile, const Axes &axes,
                                  const ReduceOptions<detail::Accumulator<T>> &options = {},
                                  detail::Where where = detail::Where::current()) {
  return detail::reduce_tile(detail::Reduction::product, tile, axes, options, where);
}

/// The smallest element. A NaN anywhere gives NaN; -0 is smaller than +0. Over an empty axis it is
/// the seed, and without a seed that is an error (where the extent is known only at launch: +inf,
/// or the largest integer).
template <typename T>
Tile<T> min(const Tile<T> &tile, const Axes &axes,
            const std::type_identity_t<ReduceOptions<T>> &options = {},
            detail::Where where = detail::Where::current()) {
  return detail::reduce_tile(detail::Reduction::minimum, tile, axes, options, where);
}

/// The largest element; like `min` (over an empty axis known only at launch: -inf, or the least
/// integer).
template <typename T>
Tile<T> max(const Tile<T> &tile, const Axes &axes,
            const std::type_identity_t<ReduceOptions<T>> &options = {},
            detail::Where where = detail::Where::current()) {
  return detail::reduce_tile(detail::Reduction::maximum, tile, axes, options, where);
}

} // namespace tilewright
