#include "plan/extract.h"

#include <set>

#include "tile/affine.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilewright::plan {

namespace {

int byte_count(mlir::Type type) {
  mlir::Type element = tile::element_type(type);
  if (element.isIndex())
    return 8;
  return static_cast<int>((element.getIntOrFloatBitWidth() + 7) / 8);
}

int64_t extent_of(int64_t extent) {
  return mlir::ShapedType::isDynamic(extent) ? dynamic_extent : extent;
}

int line_of(mlir::Location location) {
  auto line = location->findInstanceOf<mlir::FileLineColLoc>();
  return line ? static_cast<int>(line.getLine()) : 0;
}

enum class CostClass { none, simple, divide, square_root, function };

/// Every op of `math` that is not named is a function that expands to many operations.
CostClass cost_class(mlir::Operation &op) {
  llvm::StringRef name = op.getName().getStringRef();
  if (name == "arith.constant" || llvm::isa<tile::YieldOp, tile::ExtentOp>(op))
    return CostClass::none;
  if (name.starts_with("math."))
    return llvm::StringSwitch<CostClass>(name)
        .Cases({"math.sqrt", "math.rsqrt"}, CostClass::square_root)
        .Cases({"math.fma", "math.absf", "math.absi", "math.copysign", "math.floor", "math.ceil",
                "math.round", "math.roundeven", "math.trunc", "math.isnan", "math.isinf",
                "math.isfinite", "math.isnormal"},
               CostClass::simple)
        .Default(CostClass::function);
  return llvm::StringSwitch<CostClass>(name)
      .Cases({"arith.divf", "arith.remf", "arith.divsi", "arith.divui", "arith.remsi",
              "arith.remui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"},
             CostClass::divide)
      .Default(CostClass::simple);
}

/// Counts the ops of a body and widens the op's element to what they compute.
void summarize_body(mlir::Region &region, OpSummary &summary) {
  for (mlir::Operation &op : region.front()) {
    switch (cost_class(op)) {
    case CostClass::none:
      break;
    case CostClass::simple:
      ++summary.counts.simple;
      break;
    case CostClass::divide:
      ++summary.counts.divide;
      break;
    case CostClass::square_root:
      ++summary.counts.square_root;
      break;
    case CostClass::function:
      ++summary.counts.function;
      break;
    }
    for (mlir::Type type : op.getResultTypes())
      summary.element_bytes = std::max(summary.element_bytes, byte_count(type));
  }
}

/// Whether swapping left and right gives the same bits: result i is one commutative op of the i-th
/// values of both sides.
bool merge_commutes(tile::ReduceOp reduce) {
  mlir::Block &merge = reduce.getMerge().front();
  size_t carried = reduce.getSeeds().size();
  for (size_t i = 0; i < carried; ++i) {
    mlir::Operation *op = merge.getTerminator()->getOperand(i).getDefiningOp();
    if (!op || !op->hasTrait<mlir::OpTrait::IsCommutative>() || op->getNumOperands() != 2)
      return false;
    mlir::Value left = merge.getArgument(i), right = merge.getArgument(carried + i);
    bool both = (op->getOperand(0) == left && op->getOperand(1) == right) ||
                (op->getOperand(0) == right && op->getOperand(1) == left);
    if (!both)
      return false;
  }
  return true;
}

class Extractor {
public:
  Extractor(tile::KernelOp kernel, KernelSummary &summary) : kernel_(kernel), summary_(summary) {}

  mlir::LogicalResult run() {
    summary_ = {};
    summary_.name = kernel_.getSymName().str();
    summarize_views();
    summarize_axes();
    if (mlir::failed(find_nest()))
      return mlir::failure();
    for (mlir::Operation &op : *body_)
      if (mlir::failed(summarize(op)))
        return mlir::failure();
    return mlir::success();
  }

private:
  /// What a scalar depends on.
  struct Dependences {
    std::set<int> ops; ///< reductions and scalar loads
    bool index = false;

    void add(const Dependences &other) {
      ops.insert(other.ops.begin(), other.ops.end());
      index |= other.index;
    }
  };

  void summarize_views() {
    for (mlir::BlockArgument argument : kernel_.views()) {
      auto type = llvm::cast<tile::ViewType>(argument.getType());
      ViewSummary &view = summary_.views.emplace_back();
      auto name = argument.getLoc()->findInstanceOf<mlir::NameLoc>();
      view.name =
          name ? name.getName().str() : "argument " + std::to_string(argument.getArgNumber());
      for (int64_t extent : type.getShape())
        view.extents.push_back(extent_of(extent));
      view.element_bytes = byte_count(type.getElementType());
      view.unit_dim = static_cast<int>(type.getUnitDim());
      view.read_only = type.getReadOnly();
      view.packed = type.getPacked();
    }
  }

  void summarize_axes() {
    for (tile::AxisOp axis : kernel_.body()->getOps<tile::AxisOp>()) {
      axes_[axis.getSymNameAttr()] = static_cast<int>(summary_.axes.size());
      AxisSummary &summary = summary_.axes.emplace_back();
      summary.name = axis.getSymName().str();
      summary.extent = extent_of(axis.get_extent());
      summary.view = view_number(axis.getView());
      summary.dim = static_cast<int>(axis.getDim());
    }
  }

  mlir::LogicalResult find_nest() {
    body_ = kernel_.body();
    for (mlir::Operation &op : *kernel_.body()) {
      auto parallel = llvm::dyn_cast<tile::ParallelOp>(op);
      if (!parallel)
        continue;
      if (body_ != kernel_.body())
        return parallel.emitOpError() << "is a second root nest; a kernel has one at present";
      body_ = parallel.body();
      for (auto axis : parallel.getAxes().getAsRange<mlir::FlatSymbolRefAttr>())
        summary_.root_axes.push_back(axes_.at(axis.getAttr()));
    }
    if (body_ == kernel_.body())
      return mlir::success();
    for (mlir::BlockArgument index : body_->getArguments())
      dependences_[index].index = true;
    for (mlir::Operation &op : *kernel_.body()) {
      if (is_planned(op))
        return op.emitOpError() << "works outside the kernel's root nest; move it into the nest";
      note_scalars(op);
    }
    return mlir::success();
  }

  static bool is_planned(mlir::Operation &op) {
    return llvm::isa<tile::LoadOp, tile::StoreOp, tile::MapOp, tile::ReduceOp>(op);
  }

  /// The scalars an op computes depend on what its operands do.
  void note_scalars(mlir::Operation &op) {
    if (llvm::isa<tile::ParallelOp>(op))
      return;
    for (mlir::Value result : op.getResults())
      dependences_[result] = dependences_of(op);
  }

  /// Of all scalars from outside that the op or its bodies use.
  Dependences dependences_of(mlir::Operation &op) {
    Dependences all;
    op.walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands()) {
        if (llvm::isa<tile::TileType, tile::ViewType>(operand.getType()))
          continue;
        auto found = dependences_.find(operand);
        if (found != dependences_.end())
          all.add(found->second);
      }
    });
    return all;
  }

  mlir::LogicalResult summarize(mlir::Operation &op) {
    if (!is_planned(op)) {
      if (llvm::isa<tile::ParallelOp>(op))
        return op.emitOpError() << "is nested in another nest, which no plan covers at present";
      note_scalars(op);
      return mlir::success();
    }
    auto number = static_cast<int>(summary_.ops.size());
    OpSummary summary;
    summary.line = line_of(op.getLoc());
    summary.element_bytes = 1;
    Dependences uses = dependences_of(op);
    summary.after.assign(uses.ops.begin(), uses.ops.end());
    summary.uses_index = uses.index;
    for (mlir::Value operand : op.getOperands()) {
      if (!llvm::isa<tile::TileType>(operand.getType()))
        continue;
      int maker = makers_.at(operand);
      if (!llvm::is_contained(summary.inputs, maker))
        summary.inputs.push_back(maker);
    }
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
      summary.kind = OpKind::load;
      summarize_access(load, summary);
      summary.uses_index = false; // only where it accesses
      summary_.views[summary.view].loaded = true;
    } else if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
      summary.kind = OpKind::store;
      summarize_access(store, summary);
      auto value = dependences_.find(store.getValue());
      summary.uses_index = value != dependences_.end() && value->second.index;
      summary_.views[summary.view].stored = true;
    } else if (auto map = llvm::dyn_cast<tile::MapOp>(op)) {
      summary.kind = OpKind::map;
      add_axes(map.getType(), summary);
      summarize_body(map.getBody(), summary);
    } else {
      summarize_reduce(llvm::cast<tile::ReduceOp>(op), summary);
    }
    for (mlir::Value result : op.getResults()) {
      if (llvm::isa<tile::TileType>(result.getType()))
        makers_[result] = number;
      else
        dependences_[result].ops = {number};
    }
    summary_.ops.push_back(std::move(summary));
    return mlir::success();
  }

  template <typename Access>
  void summarize_access(Access access, OpSummary &summary) {
    summary.view = view_number(access.getView());
    summary.element_bytes = summary_.views[summary.view].element_bytes;
    for (int64_t dim = 0; dim < static_cast<int64_t>(access.getSpans().size()); ++dim) {
      if (tile::BlockAttr block = access.block(dim))
        summary.block = BlockSummary{position(tile::affine_value(access.origin(dim))),
                                     block.getBounds() == tile::Bounds::zero};
      if (mlir::FlatSymbolRefAttr span = access.span(dim)) {
        summary.axes.push_back(axes_.at(span.getAttr()));
        summary.indices.push_back(summary.axes.back());
        continue;
      }
      auto argument = llvm::dyn_cast<mlir::BlockArgument>(access.coordinate(dim));
      bool root = argument && argument.getOwner() == body_;
      summary.indices.push_back(
          root ? std::optional<int>(~static_cast<int>(argument.getArgNumber())) : std::nullopt);
    }
  }

  void summarize_reduce(tile::ReduceOp reduce, OpSummary &summary) {
    summary.kind = OpKind::reduce;
    add_axes(llvm::cast<tile::TileType>(reduce.getInputs().front().getType()), summary);
    summarize_body(reduce.getStep(), summary);
    summary.carried = static_cast<int>(reduce.getSeeds().size());
    for (mlir::Value seed : reduce.getSeeds())
      summary.element_bytes = std::max(summary.element_bytes, byte_count(seed.getType()));
    summary.commutes = merge_commutes(reduce);
    summary.slots = reduce.getGrouping() ? reduce.getGrouping()->getSlots() : 0;
  }

  Position position(const tile::Affine &affine) {
    Position position{affine.constant, {}};
    for (const tile::Affine::Term &term : affine.terms)
      position.factors[symbol_number(term.symbol)] = term.factor;
    return position;
  }

  int symbol_number(const tile::Affine::Symbol &symbol) {
    if (symbol.is_extent())
      return extent_symbol(view_number(symbol.value), static_cast<int>(symbol.dim));
    auto known = std::find(scalars_.begin(), scalars_.end(), symbol.value);
    auto number = static_cast<int>(known - scalars_.begin());
    if (known == scalars_.end())
      scalars_.push_back(symbol.value);
    return ~number;
  }

  void add_axes(tile::TileType type, OpSummary &summary) {
    for (mlir::StringAttr axis : type.getAxes())
      summary.axes.push_back(axes_.at(axis));
    summary.element_bytes = std::max(summary.element_bytes, byte_count(type));
  }

  static int view_number(mlir::Value view) {
    return static_cast<int>(llvm::cast<mlir::BlockArgument>(view).getArgNumber());
  }

  tile::KernelOp kernel_;
  KernelSummary &summary_;
  mlir::Block *body_ = nullptr;
  std::vector<mlir::Value> scalars_; ///< in origins, by symbol
  llvm::DenseMap<mlir::StringAttr, int> axes_;
  llvm::DenseMap<mlir::Value, int> makers_;
  llvm::DenseMap<mlir::Value, Dependences> dependences_;
};

} // namespace

mlir::LogicalResult extract(tile::KernelOp kernel, KernelSummary &summary) {
  return Extractor(kernel, summary).run();
}

} // namespace tilewright::plan
