#include "tile/launch_facts.h"

#include "mlir/IR/Matchers.h"
#include "tile/affine.h"

namespace tilewright::tile {

namespace {

int view_number(mlir::Value view) {
  return static_cast<int>(llvm::cast<mlir::BlockArgument>(view).getArgNumber());
}

class Collector {
public:
  Collector(KernelOp kernel, LaunchFacts &facts) : kernel_(kernel), facts_(facts) {}

  mlir::LogicalResult run() {
    for (mlir::BlockArgument view : kernel_.views())
      for (auto [dim, extent] : llvm::enumerate(llvm::cast<ViewType>(view.getType()).getShape()))
        if (!mlir::ShapedType::isDynamic(extent))
          add({.view = view_number(view),
               .dim = static_cast<int>(dim),
               .exact = extent,
               .axis = ""});
    for (ParallelOp parallel : kernel_.body()->getOps<ParallelOp>())
      for (auto symbol : parallel.getAxes().getAsRange<mlir::FlatSymbolRefAttr>()) {
        AxisOp axis = find_axis(kernel_, symbol.getValue());
        facts_.program_extents.push_back({view_number(axis.getView()), axis.getDim()});
      }
    mlir::WalkResult walked = kernel_.walk([&](mlir::Operation *op) {
      if (auto load = llvm::dyn_cast<LoadOp>(op))
        return access(load);
      if (auto store = llvm::dyn_cast<StoreOp>(op))
        return access(store);
      return mlir::WalkResult::advance();
    });
    return mlir::failure(walked.wasInterrupted());
  }

private:
  void add(ExtentCheck check) { facts_.checks.push_back(std::move(check)); }

  void add_equal(int view, int dim, AxisOp axis) {
    int other = view_number(axis.getView());
    auto other_dim = static_cast<int>(axis.getDim());
    if (view == other && dim == other_dim)
      return;
    for (const ExtentCheck &check : facts_.checks)
      if (check.view == view && check.dim == dim && check.other_view == other &&
          check.other_dim == other_dim)
        return;
    add({.view = view,
         .dim = dim,
         .other_view = other,
         .other_dim = other_dim,
         .axis = axis.getSymName().str()});
  }

  /// What is proved needs no test, and what depends on more than the launch cannot have one.
  void add_block(int view, int dim, AxisOp axis, mlir::Value origin) {
    BlockProof proof = prove_block(kernel_.views()[view], dim, axis, origin);
    if (proof.starts_inside && proof.ends_inside)
      return;
    Affine start = affine_value(origin);
    BlockCheck block{.axis_view = view_number(axis.getView()),
                     .axis_dim = static_cast<int>(axis.getDim()),
                     .constant = start.constant,
                     .terms = {}};
    for (const Affine::Term &term : start.terms) {
      mlir::Value extent_of = term.symbol.value;
      auto extent_dim = static_cast<int>(term.symbol.dim);
      if (!term.symbol.is_extent()) {
        AxisOp indexed = indexed_axis(term.symbol.value);
        if (!indexed)
          return;
        extent_of = indexed.getView();
        extent_dim = static_cast<int>(indexed.getDim());
      }
      block.terms.push_back(
          {term.factor, view_number(extent_of), extent_dim, !term.symbol.is_extent()});
    }
    add({.view = view, .dim = dim, .block = std::move(block), .axis = axis.getSymName().str()});
  }

  template <typename Access>
  mlir::WalkResult access(Access op) {
    int view = view_number(op.getView());
    for (int dim = 0; dim < static_cast<int>(op.getSpans().size()); ++dim) {
      if (BlockAttr block = op.block(dim)) {
        if (block.getBounds() == Bounds::assume)
          add_block(view, dim, find_axis(op, block.getAxis().getValue()), op.origin(dim));
        continue;
      }
      if (mlir::FlatSymbolRefAttr span = op.span(dim)) {
        add_equal(view, dim, find_axis(op, span.getValue()));
        continue;
      }
      mlir::Value coordinate = op.coordinate(dim);
      llvm::APInt constant;
      if (AxisOp axis = indexed_axis(coordinate)) {
        add_equal(view, dim, axis);
      } else if (mlir::matchPattern(coordinate, mlir::m_ConstantInt(&constant)) &&
                 constant.isNonNegative()) {
        add({.view = view, .dim = dim, .at_least = constant.getSExtValue() + 1, .axis = ""});
      } else {
        op.emitOpError() << "selects in dimension " << dim
                         << " with a computed coordinate; use a nest index or a constant that is "
                            "not negative";
        return mlir::WalkResult::interrupt();
      }
    }
    return mlir::WalkResult::advance();
  }

  KernelOp kernel_;
  LaunchFacts &facts_;
};

} // namespace

mlir::LogicalResult find_launch_facts(KernelOp kernel, LaunchFacts &facts) {
  return Collector(kernel, facts).run();
}

} // namespace tilewright::tile
