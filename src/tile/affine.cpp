#include "tile/affine.h"

#include <limits>

#include "mlir/IR/Matchers.h"

namespace tilewright::tile {

namespace {

Affine symbol(mlir::Value value, int64_t dim = -1) {
  Affine affine;
  affine.terms.push_back({{value, dim}, 1});
  return affine;
}

Affine number(int64_t constant) {
  Affine affine;
  affine.constant = constant;
  return affine;
}

} // namespace

std::optional<Affine> add(const Affine &a, const Affine &b, int64_t factor) {
  auto accumulate = [&](int64_t &sum, int64_t value) {
    int64_t product;
    return !__builtin_mul_overflow(value, factor, &product) &&
           !__builtin_add_overflow(sum, product, &sum);
  };
  Affine sum = a;
  if (!accumulate(sum.constant, b.constant))
    return std::nullopt;
  for (const Affine::Term &term : b.terms) {
    auto same = llvm::find_if(
        sum.terms, [&](const Affine::Term &known) { return known.symbol == term.symbol; });
    if (same == sum.terms.end()) {
      sum.terms.push_back({term.symbol, 0});
      same = sum.terms.end() - 1;
    }
    if (!accumulate(same->factor, term.factor))
      return std::nullopt;
  }
  llvm::erase_if(sum.terms, [](const Affine::Term &term) { return term.factor == 0; });
  return sum;
}

Affine affine_extent(mlir::Value view, int64_t dim) {
  int64_t extent = llvm::cast<ViewType>(view.getType()).getShape()[dim];
  return mlir::ShapedType::isDynamic(extent) ? symbol(view, dim) : number(extent);
}

Affine affine_value(mlir::Value index) {
  llvm::APInt constant;
  if (mlir::matchPattern(index, mlir::m_ConstantInt(&constant)))
    return number(constant.getSExtValue());
  mlir::Operation *op = index.getDefiningOp();
  if (auto extent = llvm::dyn_cast_or_null<ExtentOp>(op)) {
    AxisOp axis = find_axis(op, extent.getAxis());
    return affine_extent(axis.getView(), axis.getDim());
  }
  // By name: the operations' headers cost more to compile than all else here.
  llvm::StringRef name = op ? op->getName().getStringRef() : "";
  if (name != "arith.addi" && name != "arith.subi" && name != "arith.muli")
    return symbol(index);
  Affine a = affine_value(op->getOperand(0)), b = affine_value(op->getOperand(1));
  std::optional<Affine> result;
  if (name != "arith.muli")
    result = add(a, b, name == "arith.addi" ? 1 : -1);
  else if (b.terms.empty())
    result = add({}, a, b.constant);
  else if (a.terms.empty())
    result = add({}, b, a.constant);
  return result ? *result : symbol(index);
}

AxisOp indexed_axis(mlir::Value index) {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(index);
  auto parallel =
      argument ? llvm::dyn_cast<ParallelOp>(argument.getOwner()->getParentOp()) : ParallelOp();
  if (!parallel)
    return {};
  auto symbol = llvm::cast<mlir::FlatSymbolRefAttr>(parallel.getAxes()[argument.getArgNumber()]);
  return find_axis(parallel, symbol.getValue());
}

bool never_negative(const Affine &number) {
  // The least that it can be, as a sum of extents.
  std::optional<Affine> least = Affine{number.constant, {}};
  for (const Affine::Term &term : number.terms) {
    Affine one;
    one.terms.push_back({term.symbol, 1});
    if (!term.symbol.is_extent()) {
      AxisOp axis = indexed_axis(term.symbol.value);
      if (!axis)
        return false;
      if (term.factor > 0)
        continue;
      Affine last = affine_extent(axis.getView(), axis.getDim());
      last.constant -= 1;
      one = last;
    }
    least = add(*least, one, term.factor);
    if (!least)
      return false;
  }
  return least->constant >= 0 &&
         llvm::all_of(least->terms, [](const Affine::Term &term) { return term.factor > 0; });
}

bool fits_a_number(const Affine &number) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  constexpr int64_t highest = std::numeric_limits<int64_t>::max();
  __int128 least = number.constant, most = number.constant;
  for (const Affine::Term &term : number.terms) {
    AxisOp axis = term.symbol.is_extent() ? AxisOp() : indexed_axis(term.symbol.value);
    int64_t low = axis || term.symbol.is_extent() ? 0 : lowest, high = highest;
    if (axis)
      high = mlir::ShapedType::isDynamic(axis.get_extent()) ? highest - 1 : axis.get_extent() - 1;
    auto [to, from] = term.factor < 0 ? std::pair(low, high) : std::pair(high, low);
    least += __int128{term.factor} * from;
    most += __int128{term.factor} * to;
    // Far beyond already, and more of these could leave 128 bits.
    if (least < 2 * __int128{lowest} || most > 2 * __int128{highest})
      return false;
  }
  return least >= lowest && most <= highest;
}

BlockProof prove_block(mlir::Value view, int64_t dim, AxisOp axis, mlir::Value origin) {
  Affine start = affine_value(origin);
  Affine length = affine_extent(axis.getView(), axis.getDim());
  if (length.terms.empty() && length.constant == 0)
    return {true, true};
  if (!fits_a_number(start))
    return {};
  std::optional<Affine> end = add(start, length);
  std::optional<Affine> room = end ? add(affine_extent(view, dim), *end, -1) : std::nullopt;
  return {never_negative(start), room && never_negative(*room)};
}

} // namespace tilewright::tile
