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
    mlir::StringAttr symbol = axis->symbol;
    if (llvm::is_contained(access.axes, symbol)) {
      fail(where, what + ": axis '" + axis->name + "' spans two dimensions of argument " +
                      std::to_string(view + 1) + "; use two axes");
      return std::nullopt;
    }
    access.spans.push_back(mlir::FlatSymbolRefAttr::get(symbol));
    access.axes.push_back(symbol);
    access.extents.push_back(extent);
  }
  return access;
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
                           builder_.getArrayAttr(access->spans));
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
