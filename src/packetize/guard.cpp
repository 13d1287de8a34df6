#include "packetize/guard.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "tilewright/abi.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace func = mlir::func;
namespace scf = mlir::scf;
using mlir::Value;
using Predicate = arith::CmpIPredicate;

namespace {

constexpr llvm::StringLiteral whole_test = "tw_views_apart";

// Numbers below these limits neither wrap in the straight code nor leave the address space.
constexpr int factor_bits = 31, count_bits = 55, address_bits = 62;

/// The declaration of the whole test, less its first parameter, the launch.
func::FuncOp declare_whole_test(mlir::OpBuilder &builder, mlir::Operation *inside) {
  auto module = inside->getParentOfType<mlir::ModuleOp>();
  if (auto known =
          llvm::cast_or_null<func::FuncOp>(mlir::SymbolTable::lookupSymbolIn(module, whole_test)))
    return known;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  llvm::SmallVector<mlir::Type> numbers(5, builder.getI32Type());
  auto declared = func::FuncOp::create(builder, module.getLoc(), whole_test,
                                       builder.getFunctionType(numbers, builder.getI32Type()));
  declared.setPrivate();
  declared->setAttr("tilewright.takes_launch", builder.getUnitAttr());
  return declared;
}

} // namespace

Value GuardEmitter::compare(Predicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(emitter_.builder, emitter_.location, predicate, a, b);
}

Value GuardEmitter::either(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::OrIOp::create(emitter_.builder, emitter_.location, a, b);
}

Value GuardEmitter::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(emitter_.builder, emitter_.location, a, b);
}

Value GuardEmitter::emit(llvm::ArrayRef<GuardedPair> pairs) {
  Value quick = quickly_apart(pairs);
  if (!quick)
    return surely_apart(pairs);
  mlir::OpBuilder &builder = emitter_.builder;
  auto branch = scf::IfOp::create(builder, emitter_.location, mlir::TypeRange{builder.getI1Type()},
                                  quick, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, emitter_.location, emitter_.integer(1, 1));
  builder.setInsertionPointToEnd(branch.elseBlock());
  Value result = surely_apart(pairs);
  scf::YieldOp::create(builder, emitter_.location, result);
  return branch.getResult(0);
}

/// Null when some view is too large, or has too many dimensions, for the straight code.
Value GuardEmitter::quickly_apart(llvm::ArrayRef<GuardedPair> pairs) {
  Value factors, counts, addresses, apart;
  for (const GuardedPair &pair : pairs) {
    std::optional<QuickRange> stored = quick_range(pair.stored), other = quick_range(pair.other);
    if (!stored || !other)
      return {};
    Value start = address(pair.stored), other_start = address(pair.other);
    factors = either(either(factors, stored->factors), other->factors);
    counts = either(either(counts, stored->count), other->count);
    addresses = either(either(addresses, start), other_start);
    Value before = compare(Predicate::ule, stored->end, other_start);
    Value behind = compare(Predicate::ule, other->end, start);
    apart = both(apart, either(before, behind));
  }
  Value above; // not zero where a number is beyond its limit
  for (auto [all, bits] : {std::pair(factors, factor_bits), std::pair(counts, count_bits),
                           std::pair(addresses, address_bits)})
    if (all)
      above = either(above, arith::ShRUIOp::create(emitter_.builder, emitter_.location, all,
                                                   emitter_.integer(bits)));
  return both(compare(Predicate::eq, above, emitter_.integer(0)), apart);
}

// A view without elements may get an end before its start; every answer is right for it.
std::optional<GuardEmitter::QuickRange> GuardEmitter::quick_range(const View &view) {
  using Number = unsigned __int128;
  QuickRange range;
  bool small = true; // every number that is known now is below its limit
  // Takes part in a product; gives the most that it can be.
  auto factor = [&](Value value) -> Number {
    constexpr int64_t limit = int64_t{1} << factor_bits;
    std::optional<int64_t> known = Emitter::known(value);
    if (!known)
      range.factors = range.factors ? emitter_.bit_or(range.factors, value) : value;
    else
      small &= 0 <= *known && *known < limit;
    return static_cast<Number>(known.value_or(limit));
  };
  Value bytes = emitter_.integer(memory_bytes(view.type.getElementType()));
  Value count = emitter_.integer(1), size;
  Number most = 1; // what count can be
  if (view.type.getPacked() && view.type.get_rank() > 0) {
    Number row = 1; // the elements of a step along dimension 0
    for (Value extent : llvm::drop_begin(view.extents)) {
      row *= factor(extent);
      small &= row >> 64 == 0;
      row = small ? row : 1;
    }
    most = factor(view.extents[0]) * factor(view.strides[0]);
    count = emitter_.mul(view.extents[0], view.strides[0]);
    size = emitter_.mul(view.extents[0], emitter_.mul(view.strides[0], bytes));
  } else {
    for (auto [extent, stride] : llvm::zip(view.extents, view.strides)) {
      most += factor(extent) * factor(stride);
      count = emitter_.add(count, emitter_.mul(emitter_.sub(extent, emitter_.integer(1)), stride));
    }
    size = emitter_.mul(count, bytes);
  }
  if (!small || most >> 64 != 0)
    return std::nullopt;
  if (most >> count_bits != 0)
    range.count = count;
  range.end = emitter_.add(address(view), size);
  return range;
}

Value GuardEmitter::surely_apart(llvm::ArrayRef<GuardedPair> pairs) {
  Value apart;
  for (const GuardedPair &pair : pairs)
    apart = both(apart, surely_apart(pair));
  return apart;
}

Value GuardEmitter::surely_apart(const GuardedPair &pair) {
  mlir::OpBuilder &builder = emitter_.builder;
  auto number = [&](int64_t value) { return emitter_.integer(value, 32); };
  auto form = [&](const View &view) {
    return number(tw_view_form(static_cast<int32_t>(view.type.get_rank()),
                               static_cast<int32_t>(memory_bytes(view.type.getElementType())),
                               static_cast<int32_t>(view.type.getUnitDim())));
  };
  auto call = func::CallOp::create(
      builder, emitter_.location,
      declare_whole_test(builder, builder.getInsertionBlock()->getParentOp()),
      mlir::ValueRange{number(*pair.stored.number), number(*pair.other.number), form(pair.stored),
                       form(pair.other), number(pair.same_element_first)});
  return compare(Predicate::ne, call.getResult(0), number(0));
}

} // namespace tilewright::packetize
