// Recording of loads and stores.
#include "language/recorder.h"
#include "language/scalar_functions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::language {

namespace arith = mlir::arith;
using detail::Handle;
using detail::Selection;
using detail::Where;

std::optional<Recorder::Access> Recorder::resolve(int view, std::span<const Selection> selections,
                                                  const Where &where, const std::string &what) {
  Access access;
  const ViewEntry &entry = views_[view];
  for (size_t d = 0; d < selections.size(); ++d) {
    int dim = static_cast<int>(d);
    const Selection &selection = selections[d];
    int64_t extent = entry.extents[d];
    std::string of_extent =
        what + ": " + dimension_text(view, dim) + " has extent " + std::to_string(extent);
    if (selection.kind == Selection::Kind::constant) {
      if (selection.constant < 0 || selection.constant >= extent) {
        fail(where, of_extent + ", so it has no position " + std::to_string(selection.constant) +
                        "; index from 0 to the extent, exclusive");
        return std::nullopt;
      }
      access.spans.push_back(builder_.getUnitAttr());
      access.coordinates.push_back(
          arith::ConstantIndexOp::create(builder_, location(where), selection.constant));
      continue;
    }
    if (selection.kind == Selection::Kind::block) {
      if (!resolve_block(access, view, selection, where, what))
        return std::nullopt;
      continue;
    }
    bool spans = selection.kind == Selection::Kind::axis;
    const IndexEntry *index = spans ? nullptr : find_index(selection.handle, where, what);
    const AxisEntry *axis = spans   ? find_axis(selection.handle, where, what)
                            : index ? &axes_[index->axis]
                                    : nullptr;
    if (!axis)
      return std::nullopt;
    if (axis->extent != extent) {
      fail(where, of_extent + ", but axis '" + axis->name + "' has extent " +
                      std::to_string(axis->extent) + " (" + dimension_text(axis->view, axis->dim) +
                      "); an axis spans, and its index selects in, dimensions of its own extent: "
                      "pass arguments of matching shapes, or use another axis");
      return std::nullopt;
    }
    facts_.links.push_back({static_cast<int>(axis - axes_.data()), {view, dim}});
    if (!spans) {
      access.spans.push_back(builder_.getUnitAttr());
      access.coordinates.push_back(index->value);
      continue;
    }
    if (!span_with(access, view, *axis, where, what))
      return std::nullopt;
    access.spans.push_back(mlir::FlatSymbolRefAttr::get(axis->symbol));
  }
  return access;
}

bool Recorder::span_with(Access &access, int view, const AxisEntry &axis, const Where &where,
                         const std::string &what) {
  if (llvm::is_contained(access.axes, axis.symbol)) {
    fail(where, what + ": axis '" + axis.name + "' spans two dimensions of argument " +
                    std::to_string(view + 1) + "; use two axes");
    return false;
  }
  access.axes.push_back(axis.symbol);
  access.extents.push_back(axis.extent);
  return true;
}

// Blocks

bool Recorder::resolve_block(Access &access, int view, const Selection &selection,
                             const Where &where, const std::string &what) {
  const AxisEntry *axis = find_axis(selection.handle, where, what);
  if (!axis || !span_with(access, view, *axis, where, what))
    return false;
  mlir::Value origin = origin_value(selection, where, what);
  if (!origin)
    return false;
  access.coordinates.push_back(origin);
  bool assumed = selection.bounds.kind == detail::BlockBounds::Kind::assume;
  access.spans.push_back(tile::BlockAttr::get(builder_.getContext(),
                                              mlir::FlatSymbolRefAttr::get(axis->symbol),
                                              assumed ? tile::Bounds::assume : tile::Bounds::zero));
  if (!selection.bounds.has_fill)
    return true;
  mlir::TypedAttr fill = fill_of(selection.bounds, views_[view].type, where, what);
  if (!fill)
    return false;
  if (access.fill && access.fill != fill) {
    fail(where, what + ": two blocks of one access ask for different fills; ask for one");
    return false;
  }
  access.fill = fill;
  return true;
}

mlir::Value Recorder::origin_value(const Selection &selection, const Where &where,
                                   const std::string &what) {
  mlir::Location at = location(where);
  mlir::Value sum;
  auto add = [&](mlir::Value value) {
    sum = sum ? arith::AddIOp::create(builder_, at, sum, value).getResult() : value;
  };
  for (const detail::OriginTerm &term : selection.terms) {
    mlir::Value value;
    if (term.kind == detail::OriginTerm::Kind::index) {
      const IndexEntry *index = find_index(term.handle, where, what);
      if (!index)
        return {};
      value = index->value;
    } else {
      const AxisEntry *axis = find_axis(term.handle, where, what);
      if (!axis)
        return {};
      value = tile::ExtentOp::create(builder_, at, builder_.getIndexType(),
                                     mlir::FlatSymbolRefAttr::get(axis->symbol));
    }
    if (term.factor != 1)
      value = arith::MulIOp::create(builder_, at, value,
                                    arith::ConstantIndexOp::create(builder_, at, term.factor));
    add(value);
  }
  if (!sum || selection.constant != 0)
    add(arith::ConstantIndexOp::create(builder_, at, selection.constant));
  return sum;
}

mlir::TypedAttr Recorder::fill_of(const detail::BlockBounds &bounds, ElementType type,
                                  const Where &where, const std::string &what) {
  mlir::Type element = memory_type(builder_.getContext(), type);
  if (element.isF32() || element.isF64()) {
    double integer = bounds.negative_integer
                         ? static_cast<double>(static_cast<int64_t>(bounds.integer))
                         : static_cast<double>(bounds.integer);
    return builder_.getFloatAttr(element, bounds.real_fill ? bounds.real : integer);
  }
  unsigned bits = type == ElementType::boolean ? 1 : element.getIntOrFloatBitWidth();
  llvm::APInt value(65, bounds.integer);
  if (bounds.negative_integer)
    value.setBit(64);
  bool fits =
      !bounds.real_fill &&
      (is_signed(type) ? value.isSignedIntN(bits) : !bounds.negative_integer && value.isIntN(bits));
  if (!fits) {
    fail(where, what + ": the fill of a block is no " + to_string(type) +
                    ", the element type of the view; give a number that it holds");
    return {};
  }
  return builder_.getIntegerAttr(element, value.zextOrTrunc(element.getIntOrFloatBitWidth()));
}

Handle Recorder::load(Handle view, std::span<const Selection> selections, const Where &where) {
  const ViewEntry *entry = find_view(view, where, "load");
  if (!entry)
    return {};
  std::optional<Access> access = resolve(view.id, selections, where, "load");
  if (!access)
    return {};
  mlir::Type element = memory_type(builder_.getContext(), entry->type);
  mlir::Type type = access->axes.empty() ? element
                                         : tile::TileType::get(builder_.getContext(), access->axes,
                                                               access->extents, element);
  mlir::Value loaded =
      tile::LoadOp::create(builder_, location(where), type, entry->value, access->coordinates,
                           builder_.getArrayAttr(access->spans), access->fill);
  if (entry->type != ElementType::boolean)
    return add_value(loaded, entry->type);
  ValueEntry bytes{loaded, ElementType::i8, nest_};
  return map(bytes, ElementType::boolean, where, "load",
             [&](mlir::OpBuilder &builder, mlir::ValueRange operands) {
               return emit_cast(builder, location(where), ElementType::i8, ElementType::boolean,
                                operands[0]);
             });
}

void Recorder::store(Handle view, std::span<const Selection> selections, Handle value,
                     const Where &where) {
  const ViewEntry *entry = find_view(view, where, "store");
  const ValueEntry *stored = entry ? find_value(value, where, "store") : nullptr;
  if (!stored)
    return;
  if (source_.parameters[view.id].read_only)
    return fail(where, "store: argument " + std::to_string(view.id + 1) +
                           " is const; declare it View<T, R> without const to store through it");
  std::optional<Access> access = resolve(view.id, selections, where, "store");
  if (!access)
    return;
  if (auto tile = llvm::dyn_cast<tile::TileType>(stored->value.getType()))
    for (mlir::StringAttr axis : tile.getAxes())
      if (!llvm::is_contained(access->axes, axis))
        return fail(where,
                    "store: the tile is over " + axes_text(tile) + ", but " +
                        (access->axes.empty() ? std::string("no axis spans")
                                              : "only " + axes_text(access->axes) + " spans") +
                        " the destination, argument " + std::to_string(view.id + 1) +
                        "; axes match by identity, so span it with the tile's axes");
  mlir::Value written = stored->value;
  if (stored->type == ElementType::boolean) {
    Handle bytes = cast(ElementType::i8, value, where);
    written = values_[bytes.id].value;
  }
  tile::StoreOp::create(builder_, location(where), written, entry->value, access->coordinates,
                        builder_.getArrayAttr(access->spans));
}

} // namespace tilewright::language
