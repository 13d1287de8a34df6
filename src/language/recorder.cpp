#include "language/recorder.h"

#include <atomic>
#include <mutex>

#include "language/scalar_functions.h"
#include "language/shape_class.h"

namespace tilewright::language {

using detail::Handle;
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
    return 1; // the lambda goes on, and may divide by it
  facts_.axes[axis.id].fixed = true;
  return entry->extent;
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
