// Recording of reductions.
#include <limits>

#include "language/recorder.h"
#include "language/scalar_functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::language {

using detail::Function;
using detail::Handle;
using detail::Reduction;
using detail::Where;

namespace {

std::string spelling(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
    return "tw::sum";
  case Reduction::product:
    return "tw::prod";
  case Reduction::minimum:
    return "tw::min";
  case Reduction::maximum:
    return "tw::max";
  }
  return "";
}

Function combining_function(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
    return Function::add;
  case Reduction::product:
    return Function::multiply;
  case Reduction::minimum:
    return Function::minimum;
  case Reduction::maximum:
    return Function::maximum;
  }
  return Function::add;
}

/// The value that changes nothing when combined: for sums of floats -0.0, since 0.0 + -0.0 = 0.0.
mlir::TypedAttr identity(mlir::OpBuilder &builder, Reduction reduction, ElementType type) {
  mlir::Type scalar = scalar_type(builder.getContext(), type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_floating(type)) {
    switch (reduction) {
    case Reduction::sum:
      return builder.getFloatAttr(scalar, -0.0);
    case Reduction::product:
      return builder.getFloatAttr(scalar, 1.0);
    case Reduction::minimum:
      return builder.getFloatAttr(scalar, infinity);
    case Reduction::maximum:
      return builder.getFloatAttr(scalar, -infinity);
    }
  }
  unsigned bits = scalar.getIntOrFloatBitWidth();
  switch (reduction) {
  case Reduction::sum:
    return builder.getIntegerAttr(scalar, 0);
  case Reduction::product:
    return builder.getIntegerAttr(scalar, 1);
  case Reduction::minimum:
    return builder.getIntegerAttr(scalar, is_signed(type) ? llvm::APInt::getSignedMaxValue(bits)
                                                          : llvm::APInt::getMaxValue(bits));
  case Reduction::maximum:
    return builder.getIntegerAttr(scalar, is_signed(type) ? llvm::APInt::getSignedMinValue(bits)
                                                          : llvm::APInt::getMinValue(bits));
  }
  return {};
}

} // namespace

Handle Recorder::reduce(Reduction reduction, Handle tile, std::span<const Handle> axes,
                        std::optional<Handle> seed, detail::Order order, const Where &where) {
  std::string what = spelling(reduction);
  const ValueEntry *found = find_value(tile, where, what);
  if (!found)
    return {};
  ValueEntry input = *found;
  auto type = llvm::dyn_cast<tile::TileType>(input.value.getType());
  if (axes.empty()) {
    fail(where, what + ": no axis is given; name the axes to reduce over");
    return {};
  }

  llvm::SmallVector<mlir::StringAttr> reduced;
  bool empty = false;
  for (Handle axis : axes) {
    const AxisEntry *entry = find_axis(axis, where, what);
    if (!entry)
      return {};
    mlir::StringAttr symbol = entry->symbol;
    if (!type || !llvm::is_contained(type.getAxes(), symbol)) {
      fail(where, what + ": the operand is over " + axes_text(input.value.getType()) +
                      ", not over axis '" + entry->name +
                      "'; axes match by identity, so reduce over an axis that the tile was loaded "
                      "with");
      return {};
    }
    if (llvm::is_contained(reduced, symbol)) {
      fail(where, what + ": axis '" + entry->name + "' is given twice; name each axis once");
      return {};
    }
    reduced.push_back(symbol);
    empty |= entry->extent == 0;
  }
  if (empty && !seed && (reduction == Reduction::minimum || reduction == Reduction::maximum)) {
    fail(where, what + ": an empty axis has no " +
                    (reduction == Reduction::minimum ? "smallest" : "largest") +
                    " element; give a seed: " + what + "(x, axis, {.seed = ...})");
    return {};
  }

  // Elements count in the order of the tile's axes, however the reduced ones are listed.
  llvm::SmallVector<mlir::Attribute> over;
  llvm::SmallVector<mlir::StringAttr> kept;
  llvm::SmallVector<int64_t> kept_extents;
  for (auto [axis, extent] : llvm::zip(type.getAxes(), type.getExtents())) {
    if (llvm::is_contained(reduced, axis)) {
      over.push_back(mlir::FlatSymbolRefAttr::get(axis));
      continue;
    }
    kept.push_back(axis);
    kept_extents.push_back(extent);
  }

  mlir::Location at = location(where);
  mlir::TypedAttr neutral = identity(builder_, reduction, input.type);
  mlir::Value start;
  if (seed) {
    const ValueEntry *given = find_value(*seed, where, what);
    if (!given)
      return {};
    if (llvm::isa<tile::TileType>(given->value.getType())) {
      fail(where, what + ": the seed is a tile over " + axes_text(given->value.getType()) +
                      "; a seed is a scalar");
      return {};
    }
    start = given->value;
  } else {
    start = mlir::arith::ConstantOp::create(builder_, at, neutral);
  }

  mlir::Type scalar = scalar_type(builder_.getContext(), input.type);
  mlir::Type result = kept.empty()
                          ? scalar
                          : tile::TileType::get(builder_.getContext(), kept, kept_extents, scalar);
  auto op = tile::ReduceOp::create(builder_, at, mlir::TypeRange(result),
                                   mlir::ValueRange(input.value), mlir::ValueRange(start),
                                   builder_.getArrayAttr(over), builder_.getArrayAttr(neutral),
                                   static_cast<tile::ReduceOrder>(order), tile::GroupingAttr());
  mlir::OpBuilder::InsertionGuard guard(builder_);
  for (mlir::Region *region : {&op.getStep(), &op.getMerge()}) {
    mlir::Block *body = builder_.createBlock(region);
    body->addArguments({scalar, scalar}, {at, at});
    mlir::Value next = emit_function(builder_, at, combining_function(reduction), input.type,
                                     body->getArguments());
    tile::YieldOp::create(builder_, at, next);
  }
  return add_value(op.getResult(0), input.type);
}

} // namespace tilewright::language
