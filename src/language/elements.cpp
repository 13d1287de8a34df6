// Recording of functions of every element, and of scalars.
#include "language/recorder.h"
#include "language/scalar_functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::language {

namespace arith = mlir::arith;
using detail::Handle;
using detail::Where;

Handle Recorder::map(mlir::ArrayRef<ValueEntry> operands, ElementType type, const Where &where,
                     const std::string &what, ScalarFunction function) {
  tile::TileType widest;
  for (const ValueEntry &operand : operands) {
    auto tile = llvm::dyn_cast<tile::TileType>(operand.value.getType());
    if (tile && (!widest || tile.getAxes().size() > widest.getAxes().size()))
      widest = tile;
  }
  if (!widest) {
    llvm::SmallVector<mlir::Value> scalars;
    for (const ValueEntry &operand : operands)
      scalars.push_back(operand.value);
    return add_value(function(builder_, scalars), type);
  }

  // Each tile is an input once, however often it is an operand; scalars are used from outside.
  llvm::SmallVector<mlir::Value> inputs;
  for (const ValueEntry &operand : operands) {
    auto tile = llvm::dyn_cast<tile::TileType>(operand.value.getType());
    if (!tile)
      continue;
    for (mlir::StringAttr axis : tile.getAxes())
      if (!llvm::is_contained(widest.getAxes(), axis)) {
        fail(where, what + ": the operands are over " + axes_text(widest) + " and " +
                        axes_text(tile) +
                        ", and neither has all axes of the other; axes match by "
                        "identity, not by name or extent, so index both views with the same axes");
        return {};
      }
    if (!llvm::is_contained(inputs, operand.value))
      inputs.push_back(operand.value);
  }
  mlir::Location at = location(where);
  auto result = tile::TileType::get(builder_.getContext(), widest.getAxes(), widest.getExtents(),
                                    scalar_type(builder_.getContext(), type));
  auto op = tile::MapOp::create(builder_, at, result, inputs);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  mlir::Block *body = builder_.createBlock(&op.getBody());
  for (mlir::Value input : inputs)
    body->addArgument(tile::element_type(input.getType()), at);
  llvm::SmallVector<mlir::Value> scalars;
  for (const ValueEntry &operand : operands) {
    auto input = llvm::find(inputs, operand.value);
    scalars.push_back(input == inputs.end() ? operand.value
                                            : body->getArgument(input - inputs.begin()));
  }
  mlir::Value yielded = function(builder_, scalars);
  tile::YieldOp::create(builder_, at, yielded);
  return add_value(op.getResult(), type);
}

Handle Recorder::constant(ElementType type, mlir::TypedAttr value, const Where &where) {
  if (error_)
    return {};
  return add_value(arith::ConstantOp::create(builder_, location(where), value), type);
}

Handle Recorder::apply(detail::Function function, std::span<const Handle> operands,
                       const Where &where) {
  std::string what = spelling(function);
  llvm::SmallVector<ValueEntry> entries;
  for (Handle operand : operands) {
    const ValueEntry *entry = find_value(operand, where, what);
    if (!entry)
      return {};
    entries.push_back(*entry);
  }
  ElementType type = entries.back().type;
  return map(entries, result_type(function, type), where, what,
             [&](mlir::OpBuilder &builder, mlir::ValueRange scalars) {
               return emit_function(builder, location(where), function, type, scalars);
             });
}

Handle Recorder::cast(ElementType type, Handle value, const Where &where) {
  const ValueEntry *found = find_value(value, where, "tw::cast");
  if (!found)
    return {};
  if (found->type == type)
    return value;
  ValueEntry entry = *found;
  return map(entry, type, where, "tw::cast",
             [&](mlir::OpBuilder &builder, mlir::ValueRange scalars) {
               return emit_cast(builder, location(where), entry.type, type, scalars[0]);
             });
}

Handle Recorder::coordinate_of(Handle index, ElementType type, const Where &where) {
  const IndexEntry *entry = find_index(index, where, "tw::cast");
  if (!entry)
    return {};
  return add_value(emit_index_cast(builder_, location(where), type, entry->value), type);
}

} // namespace tilewright::language
