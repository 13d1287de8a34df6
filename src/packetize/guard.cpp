#include "packetize/guard.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;
using mlir::Value;
using Predicate = arith::CmpIPredicate;

namespace {
constexpr int64_t farthest = int64_t{1} << 55; // elements from element (0, ..., 0)
}

Value GuardEmitter::compare(Predicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(emitter_.builder, emitter_.location, predicate, a, b);
}

Value GuardEmitter::both(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(emitter_.builder, emitter_.location, a, b);
}

Value GuardEmitter::either(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::OrIOp::create(emitter_.builder, emitter_.location, a, b);
}

bool GuardEmitter::bounded(Value value) const {
  std::optional<int64_t> known = Emitter::known(value);
  return known && -farthest < *known && *known < farthest;
}

GuardEmitter::Range GuardEmitter::range(const View &view) {
  mlir::OpBuilder &builder = emitter_.builder;
  mlir::Location location = emitter_.location;
  Value zero = emitter_.integer(0), one = emitter_.integer(1), limit = emitter_.integer(farthest);
  Range range;
  Value low = zero, high = zero; // offsets of the first and the last element
  for (auto [extent, stride] : llvm::zip(view.extents, view.strides)) {
    std::optional<int64_t> known_extent = Emitter::known(extent);
    if (!known_extent)
      range.empty = either(range.empty, compare(Predicate::eq, extent, zero));
    else if (*known_extent == 0)
      range.empty = emitter_.integer(1, 1);

    Value reach = emitter_.sub(extent, one);
    std::optional<int64_t> known_stride = Emitter::known(stride);
    Value far;
    if (known_stride == 1) {
      far = reach;
    } else if (Emitter::known(reach) == 0 || known_stride == 0) {
      continue;
    } else {
      auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                   {builder.getI64Type(), builder.getI1Type()});
      Value product = LLVM::SMulWithOverflowOp::create(builder, location, type, reach, stride);
      far = LLVM::ExtractValueOp::create(builder, location, product, llvm::ArrayRef<int64_t>{0});
      Value wrapped =
          LLVM::ExtractValueOp::create(builder, location, product, llvm::ArrayRef<int64_t>{1});
      range.sound = both(range.sound,
                         arith::XOrIOp::create(builder, location, wrapped, emitter_.integer(1, 1)));
    }
    if (!bounded(far)) {
      // -2^55 <= far < 2^55; the sum of eight of these has 59 bits, in bytes 62.
      Value shifted = arith::AddIOp::create(builder, location, far, limit);
      range.sound =
          both(range.sound, compare(Predicate::ult, shifted, emitter_.integer(2 * farthest)));
    }
    if (known_stride && *known_stride > 0) {
      high = arith::AddIOp::create(builder, location, high, far);
    } else {
      high = arith::AddIOp::create(builder, location, high, emitter_.max_signed(far, zero));
      low = arith::AddIOp::create(builder, location, low, emitter_.min_signed(far, zero));
    }
  }
  Value bytes = emitter_.integer(memory_bytes(view.type.getElementType()));
  Value start = address(view);
  Value past = emitter_.add(high, one);
  range.first = emitter_.add(start, emitter_.mul(low, bytes));
  range.last = emitter_.add(start, emitter_.mul(past, bytes));
  // A range that leaves the address space at either end has its last byte before its first.
  range.sound = both(range.sound, compare(Predicate::ult, range.first, range.last));
  return range;
}

Value GuardEmitter::emit(const View &stored, const View &other, bool same_element_first) {
  Value quick = quickly_apart(stored, other);
  if (!quick)
    return surely(stored, other, same_element_first);
  return otherwise(quick, [&] { return surely(stored, other, same_element_first); });
}

// True where `condition` holds, else what `test` says.
Value GuardEmitter::otherwise(Value condition, llvm::function_ref<Value()> test) {
  mlir::OpBuilder &builder = emitter_.builder;
  auto branch = scf::IfOp::create(builder, emitter_.location, mlir::TypeRange{builder.getI1Type()},
                                  condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, emitter_.location, emitter_.integer(1, 1));
  builder.setInsertionPointToEnd(branch.elseBlock());
  Value result = test();
  scf::YieldOp::create(builder, emitter_.location, result);
  return branch.getResult(0);
}

// The straight code; null when the views have too many dimensions for it.
Value GuardEmitter::quickly_apart(const View &a, const View &b) {
  if (a.type.get_rank() > 3 || b.type.get_rank() > 3)
    return {};
  QuickRange range_a = quick_range(a), range_b = quick_range(b);
  Value start_a = address(a), start_b = address(b);
  Value above; // not zero where a number is beyond its limit
  auto limit = [&](Value x, Value y, int64_t bits) {
    Value all = either(x, y);
    if (!all)
      return;
    Value beyond =
        arith::ShRUIOp::create(emitter_.builder, emitter_.location, all, emitter_.integer(bits));
    above = either(above, beyond);
  };
  limit(range_a.factors, range_b.factors, 31);
  limit(range_a.high, range_b.high, 55);
  limit(start_a, start_b, 62);
  Value sound = compare(Predicate::eq, above, emitter_.integer(0));
  Value before = compare(Predicate::ule, range_a.end, start_b);
  Value behind = compare(Predicate::ule, range_b.end, start_a);
  return both(sound, either(before, behind));
}

// At most two products of numbers below 2^31 beside an extent below 2^63, or three products: their
// sum does not wrap. (An extent of zero takes one away; then every answer is right here.)
GuardEmitter::QuickRange GuardEmitter::quick_range(const View &view) {
  QuickRange range;
  Value one = emitter_.integer(1), high = emitter_.integer(0);
  for (auto [extent, stride] : llvm::zip(view.extents, view.strides)) {
    high = emitter_.add(high, emitter_.mul(emitter_.sub(extent, one), stride));
    if (Emitter::known(stride) == 1)
      continue;
    for (Value factor : {extent, stride}) {
      std::optional<int64_t> known = Emitter::known(factor);
      if (known && 0 <= *known && *known < (int64_t{1} << 31))
        continue;
      range.factors = range.factors ? emitter_.bit_or(range.factors, factor) : factor;
    }
  }
  if (!bounded(high) || *Emitter::known(high) < 0)
    range.high = high;
  Value bytes = emitter_.integer(memory_bytes(view.type.getElementType()));
  range.end = emitter_.add(address(view), emitter_.mul(emitter_.add(high, one), bytes));
  return range;
}

// The whole test.
Value GuardEmitter::surely(const View &stored, const View &other, bool same_element_first) {
  int64_t bytes = memory_bytes(stored.type.getElementType());
  bool comparable = stored.type.get_rank() == other.type.get_rank() &&
                    bytes == memory_bytes(other.type.getElementType());
  bool sliceable = comparable && stored.type.get_rank() >= 2 && stored.type.getUnitDim() >= 0 &&
                   stored.type.getUnitDim() == other.type.getUnitDim();
  auto by_ranges = [&] {
    Range a = range(stored), b = range(other);
    Value before = compare(Predicate::ule, a.last, b.first);
    Value behind = compare(Predicate::ule, b.last, a.first);
    Value sound = both(a.sound, b.sound);
    Value disjoint = both(either(before, behind), sound);
    disjoint = either(disjoint, either(a.empty, b.empty));
    return sliceable ? either(disjoint, both(slices_apart(stored, other), sound)) : disjoint;
  };
  if (!comparable || !same_element_first)
    return by_ranges();
  return otherwise(same_elements(stored, other), by_ranges);
}

Value GuardEmitter::same_elements(const View &a, const View &b) {
  Value same = compare(Predicate::eq, address(a), address(b));
  auto equal = [&](Value x, Value y) {
    if (x != y)
      same = both(same, compare(Predicate::eq, x, y));
  };
  for (auto [x, y] : llvm::zip(a.extents, b.extents))
    equal(x, y);
  for (auto [x, y] : llvm::zip(a.strides, b.strides))
    equal(x, y);
  return same;
}

Value GuardEmitter::slices_apart(const View &a, const View &b) {
  mlir::OpBuilder &builder = emitter_.builder;
  mlir::Location location = emitter_.location;
  Value zero = emitter_.integer(0), one = emitter_.integer(1);
  Value bytes = emitter_.integer(memory_bytes(a.type.getElementType()));
  int64_t unit = a.type.getUnitDim();

  // Equal strides, each in 1 ... 2^55 - 1; the smallest is the pitch.
  Value fits, pitch;
  for (int64_t dim = 0; dim < a.type.get_rank(); ++dim) {
    if (dim == unit)
      continue;
    Value stride = a.strides[dim];
    if (stride != b.strides[dim])
      fits = both(fits, compare(Predicate::eq, stride, b.strides[dim]));
    Value below = arith::SubIOp::create(builder, location, stride, one);
    fits = both(fits, compare(Predicate::ult, below, emitter_.integer(farthest - 1)));
    pitch = pitch ? arith::MinUIOp::create(builder, location, pitch, stride) : stride;
  }
  // Where the strides do not fit, the divisions below still need a divisor.
  pitch = arith::SelectOp::create(builder, location, fits, pitch, one);
  if (a.type.get_rank() > 2)
    for (int64_t dim = 0; dim < a.type.get_rank(); ++dim) {
      if (dim == unit)
        continue;
      Value rest = arith::RemUIOp::create(builder, location, a.strides[dim], pitch);
      fits = both(fits, compare(Predicate::eq, rest, zero));
    }

  // Modulo the pitch, a's bytes are [0, size_a) and b's are [shift, shift + size_b).
  Value pitch_bytes = arith::MulIOp::create(builder, location, pitch, bytes);
  Value at_a = address(a), at_b = address(b);
  Value behind = compare(Predicate::uge, at_b, at_a);
  Value forward = arith::SubIOp::create(builder, location, at_b, at_a);
  Value backward = arith::SubIOp::create(builder, location, at_a, at_b);
  Value distance = arith::SelectOp::create(builder, location, behind, forward, backward);
  Value rest = arith::RemUIOp::create(builder, location, distance, pitch_bytes);
  Value turned = arith::SubIOp::create(builder, location, pitch_bytes, rest);
  Value keep = either(behind, compare(Predicate::eq, rest, zero));
  Value shift = arith::SelectOp::create(builder, location, keep, rest, turned);
  Value size_a = arith::MulIOp::create(builder, location, a.extents[unit], bytes);
  Value size_b = arith::MulIOp::create(builder, location, b.extents[unit], bytes);
  Value room = arith::SubIOp::create(builder, location, pitch_bytes, shift);
  return both(fits,
              both(compare(Predicate::ule, size_a, shift), compare(Predicate::ule, size_b, room)));
}

} // namespace tilewright::packetize
