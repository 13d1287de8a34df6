#include "language/recorder.h"

#include <atomic>
#include <mutex>

#include "language/scalar_functions.h"
#include "language/shape_class.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::language {

namespace arith = mlir::arith;
using detail::Handle;
using detail::Selection;
using detail::Where;

namespace {

thread_local Recorder *current_recorder = nullptr;

// Recordings may run on another thread than the misuse, so this is not the thread's.
std::mutex stray_use_mutex;
std::optional<Error> stray_use;

uint32_t next_serial() {
  static std::atomic<uint32_t> serial = 0;
  return ++serial;
}

SourceLine source_line(const Where &where) {
  return {where.file_name(), static_cast<int>(where.line())};
}

} // namespace

void note_stray_use(const Where &where) {
  std::lock_guard lock(stray_use_mutex);
  if (stray_use)
    return;
  stray_use = Error{ErrorKind::user,
                    "views, axes and tiles mean something only while the lambda of their kernel is "
                    "recorded; use them inside the lambda and keep none beyond it",
                    source_line(where)};
}

std::optional<Error> take_stray_use() {
  std::lock_guard lock(stray_use_mutex);
  return std::exchange(stray_use, std::nullopt);
}

Recorder *Recorder::current() { return current_recorder; }

Recorder::Recorder(mlir::ModuleOp module, const KernelSource &source,
                   std::span<const Argument> arguments)
    : serial_(next_serial()), outer_(current_recorder), source_(source),
      builder_(module.getContext()) {
  builder_.setInsertionPointToEnd(module.getBody());
  mlir::Location at = mlir::FileLineColLoc::get(builder_.getStringAttr(source.where.file),
                                                static_cast<unsigned>(source.where.line), 0);
  kernel_ = tile::KernelOp::create(builder_, at, builder_.getStringAttr(source.name),
                                   builder_.getBoolAttr(source.contract));
  mlir::Block *body = builder_.createBlock(&kernel_.getBody());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const Parameter &parameter = source.parameters[i];
    auto type =
        tile::ViewType::get(builder_.getContext(), argument.extents,
                            memory_type(builder_.getContext(), parameter.element),
                            unit_dimension(argument), parameter.read_only, is_packed(argument));
    views_.push_back({body->addArgument(type, at), parameter.element, argument.extents});
  }
  current_recorder = this;
}

Recorder::~Recorder() { current_recorder = outer_; }

void Recorder::fail(const Where &where, std::string text) {
  if (!error_)
    error_ = Error{ErrorKind::user, std::move(text), source_line(where)};
}

mlir::Location Recorder::location(const Where &where) {
  return mlir::FileLineColLoc::get(builder_.getStringAttr(where.file_name()), where.line(),
                                   where.column());
}

bool Recorder::is_open(int nest) const { return nest == -1 || nests_[nest].open; }

Handle Recorder::add_value(mlir::Value value, ElementType type) {
  values_.push_back({value, type, nest_});
  return handle(static_cast<int>(values_.size()) - 1);
}

std::string Recorder::axes_text(mlir::ArrayRef<mlir::StringAttr> axes) const {
  std::string text = "{";
  for (mlir::StringAttr axis : axes) {
    if (text.size() > 1)
      text += ", ";
    text += axis.str();
  }
  return text + "}";
}

std::string Recorder::axes_text(mlir::Type type) const {
  auto tile = llvm::dyn_cast<tile::TileType>(type);
  return tile ? axes_text(tile.getAxes()) : "no axis";
}

std::string Recorder::dimension_text(int view, int dim) const {
  return "dimension " + std::to_string(dim) + " of argument " + std::to_string(view + 1);
}

// Handles

const Recorder::ValueEntry *Recorder::find_value(Handle handle, const Where &where,
                                                 const std::string &what) {
  if (error_)
    return nullptr;
  if (handle.recording != serial_ || handle.id < 0) {
    fail(where, what + ": an operand was made outside this recording; load or compute it inside "
                       "the kernel's lambda");
    return nullptr;
  }
  const ValueEntry &entry = values_[handle.id];
  if (!is_open(entry.nest)) {
    fail(where, what + ": an operand was made inside a parallel loop that has ended, where each "
                       "program had its own; store it to a view inside the loop and load it here");
    return nullptr;
  }
  return &entry;
}

const Recorder::AxisEntry *Recorder::find_axis(Handle handle, const Where &where,
                                               const std::string &what) {
  if (error_)
    return nullptr;
  if (handle.recording != serial_ || handle.id < 0) {
    fail(where, what + ": the axis was made outside this recording; make it with View::axes inside "
                       "the kernel's lambda");
    return nullptr;
  }
  return &axes_[handle.id];
}

const Recorder::IndexEntry *Recorder::find_index(Handle handle, const Where &where,
                                                 const std::string &what) {
  if (error_)
    return nullptr;
  if (handle.recording != serial_ || handle.id < 0) {
    fail(where, what + ": the index was made outside this recording; use it inside its loop");
    return nullptr;
  }
  const IndexEntry &entry = indices_[handle.id];
  if (!is_open(entry.nest)) {
    fail(where, what + ": the index along axis '" + axes_[entry.axis].name +
                    "' is used after its parallel loop; use it inside the loop");
    return nullptr;
  }
  return &entry;
}

const Recorder::ViewEntry *Recorder::find_view(Handle handle, const Where &where,
                                               const std::string &what) {
  if (error_)
    return nullptr;
  if (handle.recording != serial_ || handle.id < 0) {
    fail(where, what + ": the view belongs to another recording; views are parameters of the "
                       "kernel's lambda and not to be kept");
    return nullptr;
  }
  return &views_[handle.id];
}

// Axes

void Recorder::make_axes(Handle view, std::span<const char *const> names, std::span<Handle> axes,
                         const Where &where) {
  const ViewEntry *entry = find_view(view, where, "View::axes");
  if (!entry)
    return;
  mlir::OpBuilder::InsertionGuard guard(builder_);
  for (size_t dim = 0; dim < names.size(); ++dim) {
    std::string name = names[dim] ? names[dim] : "";
    if (name.empty())
      return fail(where, "View::axes: an axis has no name; give each one");
    std::string symbol = name;
    for (int copy = 2; mlir::SymbolTable::lookupSymbolIn(kernel_, symbol); ++copy)
      symbol = name + "_" + std::to_string(copy);
    // Axes come first in the kernel, in the order they are made.
    if (last_axis_)
      builder_.setInsertionPointAfter(last_axis_);
    else
      builder_.setInsertionPointToStart(kernel_.body());
    last_axis_ = tile::AxisOp::create(builder_, location(where), symbol, entry->value,
                                      static_cast<int64_t>(dim));
    axes[dim] = handle(static_cast<int>(axes_.size()));
    facts_.links.push_back({static_cast<int>(axes_.size()), {view.id, static_cast<int>(dim)}});
    facts_.axes.emplace_back();
    axes_.push_back(
        {last_axis_.getSymNameAttr(), name, view.id, static_cast<int>(dim), entry->extents[dim]});
  }
}

Handle Recorder::extent_of(Handle axis, ElementType type, const Where &where) {
  const AxisEntry *entry = find_axis(axis, where, "Axis::extent");
  if (!entry)
    return {};
  mlir::Location at = location(where);
  auto symbol = mlir::FlatSymbolRefAttr::get(entry->symbol);
  mlir::Value extent = tile::ExtentOp::create(builder_, at, builder_.getIndexType(), symbol);
  return add_value(emit_index_cast(builder_, at, type, extent), type);
}

int64_t Recorder::fix_extent(Handle axis, const Where &where) {
  const AxisEntry *entry = find_axis(axis, where, "Axis::fixed");
  if (!entry)
    return 0;
  facts_.axes[axis.id].fixed = true;
  return entry->extent;
}

// Loads and stores

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

// Functions of every element

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

// Nests

Handle Recorder::begin_parallel(std::span<const Handle> axes, std::span<Handle> indices,
                                const Where &where) {
  llvm::SmallVector<mlir::Attribute> symbols;
  NestEntry nest{{}, {}, nest_};
  for (Handle axis : axes) {
    const AxisEntry *entry = find_axis(axis, where, "tw::parallel");
    if (!entry)
      return {};
    bool running = llvm::is_contained(nest.axes, axis.id);
    for (int outer = nest_; outer != -1; outer = nests_[outer].parent)
      running |= llvm::is_contained(nests_[outer].axes, axis.id);
    if (running) {
      fail(where, "tw::parallel: axis '" + entry->name +
                      "' is already being run over; name each "
                      "axis once among a loop and the loops around it");
      return {};
    }
    nest.axes.push_back(axis.id);
    symbols.push_back(mlir::FlatSymbolRefAttr::get(entry->symbol));
    if (nest_ == -1)
      facts_.axes[axis.id].root_parallel = true;
  }
  mlir::Location at = location(where);
  nest.op = tile::ParallelOp::create(builder_, at, builder_.getArrayAttr(symbols));
  mlir::Block *body = builder_.createBlock(&nest.op.getBody());
  nest_ = static_cast<int>(nests_.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    indices[i] = handle(static_cast<int>(indices_.size()));
    indices_.push_back({body->addArgument(builder_.getIndexType(), at), axes[i].id, nest_});
  }
  nests_.push_back(std::move(nest));
  return handle(nest_);
}

void Recorder::end_parallel(Handle nest) {
  if (nest.recording != serial_ || nest.id < 0)
    return;
  NestEntry &entry = nests_[nest.id];
  entry.open = false;
  nest_ = entry.parent;
  builder_.setInsertionPointAfter(entry.op);
}

} // namespace tilewright::language
