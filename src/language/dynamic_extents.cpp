#include "language/dynamic_extents.h"

#include <numeric>

namespace tilewright::language {

namespace {

/// Sets of axes and dimensions that share an extent.
class SharedExtents {
public:
  SharedExtents(size_t axes, const std::vector<int> &ranks) {
    int node = static_cast<int>(axes);
    for (int rank : ranks) {
      first_.push_back(node);
      node += rank;
    }
    parent_.resize(node);
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  int node(const Dimension &dimension) const { return first_[dimension.view] + dimension.dim; }
  size_t size() const { return parent_.size(); }

  int find(int node) {
    while (parent_[node] != node)
      node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(int a, int b) { parent_[find(a)] = find(b); }

private:
  std::vector<int> parent_;
  std::vector<int> first_;
};

} // namespace

Result<std::vector<std::vector<bool>>> dynamic_dimensions(const ExtentFacts &facts,
                                                          const std::vector<int> &ranks,
                                                          const std::vector<std::string> &requests,
                                                          const SourceLine &kernel_line) {
  SharedExtents shared(facts.axes.size(), ranks);
  for (const ExtentFacts::Link &link : facts.links)
    shared.join(link.axis, shared.node(link.dimension));

  struct Wish {
    bool parallel = false, dynamic = false, fixed = false;
  };
  std::vector<Wish> wishes(shared.size());
  for (size_t axis = 0; axis < facts.axes.size(); ++axis) {
    Wish &wish = wishes[shared.find(static_cast<int>(axis))];
    wish.parallel |= facts.axes[axis].root_parallel;
    wish.fixed |= facts.axes[axis].fixed;
  }
  for (size_t view = 0; view < requests.size(); ++view)
    for (size_t dim = 0; dim < requests[view].size(); ++dim) {
      Wish &wish =
          wishes[shared.find(shared.node({static_cast<int>(view), static_cast<int>(dim)}))];
      wish.dynamic |= requests[view][dim] == 'd';
      wish.fixed |= requests[view][dim] == 'f';
    }

  std::vector<std::vector<bool>> dynamic;
  for (size_t view = 0; view < ranks.size(); ++view) {
    std::vector<bool> &marks = dynamic.emplace_back();
    for (int dim = 0; dim < ranks[view]; ++dim) {
      const Wish &wish = wishes[shared.find(shared.node({static_cast<int>(view), dim}))];
      if (wish.dynamic && wish.fixed)
        return Error{ErrorKind::user,
                     "tw::kernel: the extent of dimension " + std::to_string(dim) +
                         " of argument " + std::to_string(view + 1) +
                         " is asked to be both fixed and dynamic (dimensions that share an axis "
                         "share its extent); drop one of tw::dynamic, tw::fixed and Axis::fixed()",
                     kernel_line};
      marks.push_back((wish.parallel || wish.dynamic) && !wish.fixed);
    }
  }
  return dynamic;
}

void make_dynamic(tile::KernelOp kernel, const std::vector<std::vector<bool>> &dynamic) {
  using mlir::ShapedType;
  for (auto [view, marks] : llvm::zip(kernel.views(), dynamic)) {
    auto type = llvm::cast<tile::ViewType>(view.getType());
    llvm::SmallVector<int64_t> shape(type.getShape());
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (marks[dim])
        shape[dim] = ShapedType::kDynamic;
    view.setType(tile::ViewType::get(type.getContext(), shape, type.getElementType(),
                                     type.getUnitDim(), type.getReadOnly(), type.getPacked()));
  }
  llvm::DenseMap<mlir::StringAttr, int64_t> extents;
  for (auto axis : kernel.body()->getOps<tile::AxisOp>())
    extents[axis.getSymNameAttr()] = axis.get_extent();
  kernel->walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults()) {
      auto type = llvm::dyn_cast<tile::TileType>(result.getType());
      if (!type)
        continue;
      llvm::SmallVector<int64_t> shape;
      for (mlir::StringAttr axis : type.getAxes())
        shape.push_back(extents.lookup(axis));
      result.setType(
          tile::TileType::get(type.getContext(), type.getAxes(), shape, type.getElementType()));
    }
  });
}

} // namespace tilewright::language
