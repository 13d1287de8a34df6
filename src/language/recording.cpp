// The functions behind the language's headers: each forwards to the recorder of this thread.
#include "tilewright/recording.h"

#include "language/recorder.h"
#include "language/scalar_functions.h"

namespace tilewright::detail {

using language::Recorder;

namespace {

/// The recorder of this thread; outside a recording null, which is noted as a misuse.
Recorder *recorder(const Where &where) {
  Recorder *current = Recorder::current();
  if (!current)
    language::note_stray_use(where);
  return current;
}

} // namespace

Handle parameter(int position) {
  Recorder *current = Recorder::current();
  return current ? current->parameter(position) : Handle{};
}

void make_axes(Handle view, std::span<const char *const> names, std::span<Handle> axes,
               const Where &where) {
  if (Recorder *current = recorder(where))
    current->make_axes(view, names, axes, where);
}

Handle extent_of(Handle axis, ElementType type, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->extent_of(axis, type, where) : Handle{};
}

int64_t fix_extent(Handle axis, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->fix_extent(axis, where) : 1;
}

void reject_shapes(const char *text, const Where &where) {
  if (Recorder *current = recorder(where))
    current->fail(where, std::string("tw::require: ") + text);
}

Handle load(Handle view, std::span<const Selection> selections, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->load(view, selections, where) : Handle{};
}

void store(Handle view, std::span<const Selection> selections, Handle value, const Where &where) {
  if (Recorder *current = recorder(where))
    current->store(view, selections, value, where);
}

Handle float_constant(ElementType type, double value, const Where &where) {
  Recorder *current = recorder(where);
  if (!current)
    return {};
  mlir::Builder &builder = current->builder();
  return current->constant(
      type, builder.getFloatAttr(language::scalar_type(builder.getContext(), type), value), where);
}

Handle integer_constant(ElementType type, uint64_t value, const Where &where) {
  Recorder *current = recorder(where);
  if (!current)
    return {};
  mlir::Builder &builder = current->builder();
  mlir::Type scalar = language::scalar_type(builder.getContext(), type);
  llvm::APInt bits(64, value);
  return current->constant(
      type, builder.getIntegerAttr(scalar, bits.zextOrTrunc(scalar.getIntOrFloatBitWidth())),
      where);
}

Handle reject_constant(ElementType type, const Where &where) {
  if (Recorder *current = recorder(where))
    current->fail(where, "a constant does not fit the tile's element type, " + to_string(type) +
                             "; tw::cast the tile to a wider type");
  return {};
}

Handle apply(Function function, std::initializer_list<Handle> operands, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->apply(function, operands, where) : Handle{};
}

Handle cast(ElementType type, Handle value, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->cast(type, value, where) : Handle{};
}

Handle coordinate_of(Handle index, ElementType type, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->coordinate_of(index, type, where) : Handle{};
}

Handle reduce(Reduction reduction, Handle tile, std::span<const Handle> axes,
              std::optional<Handle> seed, Order order, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->reduce(reduction, tile, axes, seed, order, where) : Handle{};
}

Handle begin_parallel(std::span<const Handle> axes, std::span<Handle> indices, const Where &where) {
  Recorder *current = recorder(where);
  return current ? current->begin_parallel(axes, indices, where) : Handle{};
}

void end_parallel(Handle nest) {
  if (Recorder *current = Recorder::current())
    current->end_parallel(nest);
}

} // namespace tilewright::detail
