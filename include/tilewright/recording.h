// What the language's headers call while a kernel's lambda runs. Not for users: kernels use view.h,
// tile.h, math.h, reduce.h and nest.h, which are thin shells over these functions.
//
// `record` (src/language) runs the lambda with a recording under way on the thread; each call here
// adds to it. Nothing throws. The first misuse is kept, with the line it happened on, and becomes
// the error of the recording; after it every call does nothing and gives a handle that means
// "none".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

#include "tilewright/argument.h"

namespace tilewright::detail {

using Where = std::source_location;

/// Something a recording made: a value, an axis, an index or a view. `recording` tells recordings
/// apart, so that a handle kept beyond its own is noticed.
struct Handle {
  uint32_t recording = 0;
  int32_t id = -1;
};

/// Scalar functions; on tiles they apply to every element.
enum class Function {
  negate,
  absolute,
  square_root,
  reciprocal_square_root,
  exponential,
  error_function,
  hyperbolic_tangent,
  logical_not,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  minimum,
  maximum,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_xor,
  fused_multiply_add,
  select
};

enum class Reduction { sum, product, minimum, maximum };
enum class Order { unordered, fold_left, fold_right };

/// A part of a block's origin: factor * an axis's extent, or factor * an index.
struct OriginTerm {
  enum class Kind { extent, index };
  Kind kind = Kind::extent;
  Handle handle;
  int64_t factor = 1;
};

/// What a block of a dimension does outside of the view.
struct BlockBounds {
  enum class Kind { zero, assume };
  Kind kind = Kind::zero;
  bool has_fill = false;
  bool real_fill = false; ///< the fill is `real`, not `integer`
  double real = 0;
  uint64_t integer = 0;          ///< two's complement
  bool negative_integer = false; ///< of `integer`
};

/// What one dimension of a view is indexed by: an axis spans it, whole or from the origin
/// `constant` + terms on; an index or a constant selects.
struct Selection {
  enum class Kind { axis, index, constant, block };
  Kind kind = Kind::constant;
  Handle handle = {};
  int64_t constant = 0;
  std::vector<OriginTerm> terms = {};
  BlockBounds bounds = {};
};

Handle parameter(int position);

void make_axes(Handle view, std::span<const char *const> names, std::span<Handle> axes,
               const Where &where);
Handle extent_of(Handle axis, ElementType type, const Where &where);
int64_t fix_extent(Handle axis, const Where &where);

/// Reports a requirement of the kernel that does not hold.
void reject_shapes(const char *text, const Where &where);

Handle load(Handle view, std::span<const Selection> selections, const Where &where);
void store(Handle view, std::span<const Selection> selections, Handle value, const Where &where);

Handle float_constant(ElementType type, double value, const Where &where);
/// `value` holds the two's complement of a number that fits `type`.
Handle integer_constant(ElementType type, uint64_t value, const Where &where);
/// Reports a constant that does not fit `type`.
Handle reject_constant(ElementType type, const Where &where);

Handle apply(Function function, std::initializer_list<Handle> operands, const Where &where);
Handle cast(ElementType type, Handle value, const Where &where);
Handle coordinate_of(Handle index, ElementType type, const Where &where);
Handle reduce(Reduction reduction, Handle tile, std::span<const Handle> axes,
              std::optional<Handle> seed, Order order, const Where &where);

/// Opens a nest and gives one index per axis. Nests close in the reverse order of opening.
Handle begin_parallel(std::span<const Handle> axes, std::span<Handle> indices, const Where &where);
void end_parallel(Handle nest);

} // namespace tilewright::detail
