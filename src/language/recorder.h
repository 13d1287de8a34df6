// One recording: the kernel being built, and what the handles of its values, axes and nests stand
// for. recording.cpp forwards the language's calls to the recorder of the thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "language/dynamic_extents.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "tile/tile.h"
#include "tilewright/kernel_source.h"
#include "tilewright/recording.h"

namespace tilewright::language {

class Recorder {
public:
  /// Starts the kernel in `module`, with the arguments' extents as static ones, and makes this the
  /// recorder of the thread until it is destroyed.
  Recorder(mlir::ModuleOp module, const KernelSource &source, std::span<const Argument> arguments);
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;
  ~Recorder();

  /// The recorder of this thread, null outside a recording.
  static Recorder *current();

  detail::Handle parameter(int position) const { return handle(position); }
  void make_axes(detail::Handle view, std::span<const char *const> names,
                 std::span<detail::Handle> axes, const detail::Where &where);
  detail::Handle extent_of(detail::Handle axis, ElementType type, const detail::Where &where);
  int64_t fix_extent(detail::Handle axis, const detail::Where &where);
  detail::Handle load(detail::Handle view, std::span<const detail::Selection> selections,
                      const detail::Where &where);
  void store(detail::Handle view, std::span<const detail::Selection> selections,
             detail::Handle value, const detail::Where &where);
  detail::Handle constant(ElementType type, mlir::TypedAttr value, const detail::Where &where);
  detail::Handle apply(detail::Function function, std::span<const detail::Handle> operands,
                       const detail::Where &where);
  detail::Handle cast(ElementType type, detail::Handle value, const detail::Where &where);
  detail::Handle coordinate_of(detail::Handle index, ElementType type, const detail::Where &where);
  detail::Handle reduce(detail::Reduction reduction, detail::Handle tile,
                        std::span<const detail::Handle> axes, std::optional<detail::Handle> seed,
                        detail::Order order, const detail::Where &where);
  detail::Handle begin_parallel(std::span<const detail::Handle> axes,
                                std::span<detail::Handle> indices, const detail::Where &where);
  void end_parallel(detail::Handle nest);

  /// Notes an error of the user; the first one counts.
  void fail(const detail::Where &where, std::string text);

  mlir::OpBuilder &builder() { return builder_; }
  tile::KernelOp kernel() { return kernel_; }
  const std::optional<Error> &error() const { return error_; }
  const ExtentFacts &extent_facts() const { return facts_; }

private:
  struct ViewEntry {
    mlir::Value value;
    ElementType type;
    std::vector<int64_t> extents;
  };
  struct AxisEntry {
    mlir::StringAttr symbol;
    std::string name; // as the user gave it; the symbol may differ
    int view;
    int dim;
    int64_t extent;
  };
  struct ValueEntry {
    mlir::Value value;
    ElementType type;
    int nest; // where it was recorded
  };
  struct IndexEntry {
    mlir::Value value;
    int axis;
    int nest;
  };
  struct NestEntry {
    tile::ParallelOp op;
    std::vector<int> axes;
    int parent;
    bool open = true;
  };
  struct Access {
    llvm::SmallVector<mlir::Attribute> spans;
    llvm::SmallVector<mlir::Value> coordinates;
    llvm::SmallVector<mlir::StringAttr> axes;
    llvm::SmallVector<int64_t> extents;
    mlir::TypedAttr fill; ///< of the blocks' bounds, where one asks for it
  };

  detail::Handle handle(int id) const { return {serial_, id}; }
  detail::Handle add_value(mlir::Value value, ElementType type);
  mlir::Location location(const detail::Where &where);
  bool is_open(int nest) const;

  // Each looks a handle up; on misuse it fails with `what` as the subject and gives null.
  const ValueEntry *find_value(detail::Handle handle, const detail::Where &where,
                               const std::string &what);
  const AxisEntry *find_axis(detail::Handle handle, const detail::Where &where,
                             const std::string &what);
  const IndexEntry *find_index(detail::Handle handle, const detail::Where &where,
                               const std::string &what);
  const ViewEntry *find_view(detail::Handle handle, const detail::Where &where,
                             const std::string &what);

  std::optional<Access> resolve(int view, std::span<const detail::Selection> selections,
                                const detail::Where &where, const std::string &what);

  /// Adds the axis to those that span; false where it spans another dimension already.
  bool span_with(Access &access, int view, const AxisEntry &axis, const detail::Where &where,
                 const std::string &what);
  /// Adds the dimension that a block spans; false on misuse.
  bool resolve_block(Access &access, int view, const detail::Selection &selection,
                     const detail::Where &where, const std::string &what);
  /// The fill of a block's bounds for elements of this type; null, after an error, where they
  /// cannot hold it.
  mlir::TypedAttr fill_of(const detail::BlockBounds &bounds, ElementType type,
                          const detail::Where &where, const std::string &what);
  /// The origin as an index value; null on misuse.
  mlir::Value origin_value(const detail::Selection &selection, const detail::Where &where,
                           const std::string &what);

  using ScalarFunction = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;
  /// `function` of scalars as it is; of tiles as a map over the axes of the widest one.
  detail::Handle map(mlir::ArrayRef<ValueEntry> operands, ElementType type,
                     const detail::Where &where, const std::string &what, ScalarFunction function);

  std::string axes_text(mlir::Type type) const;
  std::string axes_text(mlir::ArrayRef<mlir::StringAttr> axes) const;
  std::string dimension_text(int view, int dim) const;

  uint32_t serial_;
  Recorder *outer_;
  const KernelSource &source_;
  mlir::OpBuilder builder_;
  tile::KernelOp kernel_;
  tile::AxisOp last_axis_;
  std::vector<ViewEntry> views_;
  std::vector<AxisEntry> axes_;
  std::vector<ValueEntry> values_;
  std::vector<IndexEntry> indices_;
  std::vector<NestEntry> nests_;
  int nest_ = -1; // the innermost open nest
  ExtentFacts facts_;
  std::optional<Error> error_;
};

/// Keeps an error of the language used outside a recording, for the next recording of the process.
void note_stray_use(const detail::Where &where);
std::optional<Error> take_stray_use();

} // namespace tilewright::language
