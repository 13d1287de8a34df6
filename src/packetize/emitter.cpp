#include "packetize/emitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;

Emitter::Emitter(mlir::func::FuncOp function, int64_t width)
    : builder(function.getContext()), location(function.getLoc()),
      entry_(&function.getBody().front()), width_(width) {
  builder.setInsertionPointToEnd(entry_);
}

mlir::Type Emitter::scalar_type(mlir::Type type) const {
  return type.isIndex() ? mlir::IntegerType::get(type.getContext(), 64) : type;
}

mlir::Type Emitter::lanes_type(mlir::Type type) const {
  type = scalar_type(type);
  return width_ == 1 ? type : mlir::VectorType::get({width_}, type);
}

// Constants

Value Emitter::constant(mlir::TypedAttr value) {
  Value &known = constants_[value];
  if (!known) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry_);
    known = arith::ConstantOp::create(builder, location, value);
  }
  return known;
}

Value Emitter::integer(int64_t value, unsigned bits) {
  return constant(builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

Value Emitter::zero(mlir::Type type) {
  return constant(llvm::cast<mlir::TypedAttr>(builder.getZeroAttr(type)));
}

Value Emitter::lane_numbers(unsigned bits) {
  llvm::SmallVector<llvm::APInt> numbers;
  for (int64_t lane = 0; lane < width_; ++lane)
    numbers.emplace_back(bits, lane);
  auto type = mlir::VectorType::get({width_}, builder.getIntegerType(bits));
  return constant(mlir::DenseElementsAttr::get(type, numbers));
}

Value Emitter::known_mask(int64_t first, int64_t last) {
  llvm::SmallVector<bool> lanes;
  for (int64_t lane = 0; lane < width_; ++lane)
    lanes.push_back(first <= lane && lane < last);
  auto type = mlir::VectorType::get({width_}, builder.getI1Type());
  return constant(mlir::DenseElementsAttr::get(type, lanes));
}

std::optional<int64_t> Emitter::known(Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

// Placement

namespace {

int depth(mlir::Block *block) {
  int depth = 0;
  for (mlir::Operation *op = block->getParentOp(); op; op = op->getParentOp())
    ++depth;
  return depth;
}

// Both are visible where the builder stands, so their blocks lie on one path of nested blocks.
bool is_behind(Value a, Value b) {
  if (a.getParentBlock() != b.getParentBlock())
    return depth(a.getParentBlock()) > depth(b.getParentBlock());
  mlir::Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y)
    return x != nullptr;
  return y->isBeforeInBlock(x);
}

} // namespace

void Emitter::place_behind(Value a, Value b) {
  Value last = !b || (a && is_behind(a, b)) ? a : b;
  if (mlir::Operation *op = last.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(last.getParentBlock());
}

Value Emitter::once(Kind kind, Value a, Value b, int64_t extra, llvm::function_ref<Value()> build) {
  Value &made = made_[Key(static_cast<unsigned>(kind), a, b, extra)];
  if (!made) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    place_behind(a, b);
    made = build();
  }
  return made;
}

// Arithmetic

template <typename Op>
Value Emitter::binary(Kind kind, Value a, Value b) {
  return once(kind, a, b, 0, [&] { return Op::create(builder, location, a, b).getResult(); });
}

Value Emitter::add(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(static_cast<int64_t>(uint64_t(*x) + uint64_t(*y)));
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return binary<arith::AddIOp>(Kind::add, a, b);
}

Value Emitter::sub(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(static_cast<int64_t>(uint64_t(*x) - uint64_t(*y)));
  if (y == 0)
    return a;
  if (a == b)
    return integer(0);
  return binary<arith::SubIOp>(Kind::sub, a, b);
}

Value Emitter::mul(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(static_cast<int64_t>(uint64_t(*x) * uint64_t(*y)));
  if (x == 0 || y == 0)
    return integer(0);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  if (auto quotient = a.getDefiningOp<arith::DivUIOp>(); quotient && y && quotient.getRhs() == b &&
                                                         llvm::isPowerOf2_64(*y) &&
                                                         is_multiple(quotient.getLhs(), *y))
    return quotient.getLhs();
  return binary<arith::MulIOp>(Kind::mul, a, b);
}

Value Emitter::min_signed(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(std::min(*x, *y));
  return a == b ? a : binary<arith::MinSIOp>(Kind::min_signed, a, b);
}

Value Emitter::max_signed(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(std::max(*x, *y));
  return a == b ? a : binary<arith::MaxSIOp>(Kind::max_signed, a, b);
}

Value Emitter::min_unsigned(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(static_cast<int64_t>(std::min(uint64_t(*x), uint64_t(*y))));
  return a == b ? a : binary<arith::MinUIOp>(Kind::min_unsigned, a, b);
}

Value Emitter::max_unsigned(Value a, Value b) {
  std::optional<int64_t> x = known(a), y = known(b);
  if (x && y)
    return integer(static_cast<int64_t>(std::max(uint64_t(*x), uint64_t(*y))));
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return a == b ? a : binary<arith::MaxUIOp>(Kind::max_unsigned, a, b);
}

Value Emitter::bit_or(Value a, Value b) { return binary<arith::OrIOp>(Kind::bit_or, a, b); }

Value Emitter::address(Value pointer) {
  return once(Kind::address, pointer, {}, 0, [&] {
    return LLVM::PtrToIntOp::create(builder, location, builder.getI64Type(), pointer).getResult();
  });
}

Value Emitter::broadcast(Value scalar) {
  if (width_ == 1)
    return scalar;
  auto type = llvm::cast<mlir::VectorType>(lanes_type(scalar.getType()));
  mlir::Attribute value;
  if (mlir::matchPattern(scalar, mlir::m_Constant(&value)))
    return constant(mlir::DenseElementsAttr::get(type, value));
  return once(Kind::broadcast, scalar, {}, width_, [&] {
    return mlir::vector::BroadcastOp::create(builder, location, type, scalar).getResult();
  });
}

Value Emitter::part(Value lanes, int64_t start, int64_t size) {
  if (size == llvm::cast<mlir::VectorType>(lanes.getType()).getNumElements())
    return lanes;
  if (size == 1)
    return mlir::vector::ExtractOp::create(builder, location, lanes, start);
  llvm::SmallVector<int64_t> picked;
  for (int64_t lane = start; lane < start + size; ++lane)
    picked.push_back(lane);
  return mlir::vector::ShuffleOp::create(builder, location, lanes, lanes, picked);
}

Value Emitter::line(Value base, int64_t stride) {
  if (stride == 0)
    return broadcast(base);
  llvm::SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < width_; ++lane)
    steps.push_back(static_cast<int64_t>(uint64_t(lane) * uint64_t(stride)));
  auto type = mlir::VectorType::get({width_}, builder.getI64Type());
  Value offsets = constant(mlir::DenseIntElementsAttr::get(type, steps));
  if (known(base) == 0)
    return offsets;
  Value bases = broadcast(base);
  return once(Kind::line, bases, offsets, 0,
              [&] { return arith::AddIOp::create(builder, location, bases, offsets).getResult(); });
}

// Masks

Value Emitter::bound(const Count &count, unsigned bits) {
  if (!count.value)
    return broadcast(integer(count.known, bits));
  Value narrow = count.value;
  if (bits < 64)
    narrow = once(Kind::narrow, count.value, {}, bits, [&] {
      return arith::TruncIOp::create(builder, location, builder.getIntegerType(bits), count.value)
          .getResult();
    });
  return broadcast(narrow);
}

Value Emitter::interval_mask(const Interval &interval, unsigned bits) {
  if (!interval.first.value && !interval.last.value)
    return known_mask(interval.first.known, interval.last.known);
  if (bits < 8)
    bits = 32;
  if (bits == 8 && width_ > 64)
    bits = 16; // lane numbers and counts stay signed
  Value lanes = lane_numbers(bits);
  auto compare = [&](Kind kind, arith::CmpIPredicate predicate, const Count &count) {
    Value limit = bound(count, bits);
    return once(kind, lanes, limit, 0, [&] {
      return arith::CmpIOp::create(builder, location, predicate, lanes, limit).getResult();
    });
  };
  Value below, from;
  if (!interval.last.is(width_))
    below = compare(Kind::below, arith::CmpIPredicate::slt, interval.last);
  if (!interval.first.is(0))
    from = compare(Kind::from, arith::CmpIPredicate::sge, interval.first);
  if (below && from)
    return and_masks(below, from);
  return below ? below : from;
}

Value Emitter::and_masks(Value a, Value b) { return binary<arith::AndIOp>(Kind::both, a, b); }

// Addresses

Value Emitter::element_pointer(mlir::Type element, Value base, Value index) {
  if (std::optional<int64_t> constant = known(index))
    return element_pointer(element, base, *constant);
  return once(Kind::pointer, base, index, memory_bytes(element), [&] {
    return LLVM::GEPOp::create(builder, location, base.getType(), memory_type(element), base,
                               mlir::ValueRange{index})
        .getResult();
  });
}

Value Emitter::element_pointer(mlir::Type element, Value base, int64_t index) {
  if (index == 0)
    return base;
  if (index != static_cast<int32_t>(index)) { // constants inside the operation have 32 bits
    Value far = integer(index);
    return once(Kind::pointer, base, far, memory_bytes(element), [&] {
      return LLVM::GEPOp::create(builder, location, base.getType(), memory_type(element), base,
                                 mlir::ValueRange{far})
          .getResult();
    });
  }
  Value bytes = integer(index * memory_bytes(element));
  return once(Kind::pointer, base, bytes, 0, [&] {
    return LLVM::GEPOp::create(
               builder, location, base.getType(), memory_type(element), base,
               llvm::ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(static_cast<int32_t>(index))})
        .getResult();
  });
}

// Facts about numbers

bool Emitter::is_multiple(Value value, int64_t factor, int depth) const {
  if (std::optional<int64_t> constant = known(value))
    return *constant % factor == 0;
  if (depth > 8)
    return false;
  auto holds = [&](Value operand) { return is_multiple(operand, factor, depth + 1); };
  mlir::Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = llvm::dyn_cast<mlir::scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value == loop.getInductionVar() && holds(loop.getLowerBound()) &&
           holds(loop.getStep());
  }
  if (llvm::isa<arith::AddIOp, arith::SubIOp>(op))
    return holds(op->getOperand(0)) && holds(op->getOperand(1));
  if (llvm::isa<arith::AndIOp, arith::MulIOp>(op))
    return holds(op->getOperand(0)) || holds(op->getOperand(1));
  return false;
}

bool Emitter::not_negative(Value value, int depth) const {
  if (not_negative_.contains(value))
    return true;
  if (std::optional<int64_t> constant = known(value))
    return *constant >= 0;
  if (depth > 8)
    return false;
  auto holds = [&](Value operand) { return not_negative(operand, depth + 1); };
  mlir::Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = llvm::dyn_cast<mlir::scf::ForOp>(value.getParentBlock()->getParentOp());
    return loop && value == loop.getInductionVar() && holds(loop.getLowerBound());
  }
  if (llvm::isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp, arith::OrIOp>(op))
    return holds(op->getOperand(0)) && holds(op->getOperand(1));
  if (llvm::isa<arith::AndIOp, arith::MaxSIOp, arith::MinUIOp, arith::RemUIOp>(op))
    return holds(op->getOperand(0)) || holds(op->getOperand(1));
  if (llvm::isa<arith::DivUIOp, arith::RemSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return holds(op->getOperand(0));
  if (llvm::isa<arith::SelectOp>(op))
    return holds(op->getOperand(1)) && holds(op->getOperand(2));
  if (llvm::isa<arith::ExtUIOp>(op))
    return true;
  if (llvm::isa<arith::SubIOp>(op)) {
    // What is taken away is no more than what is there: n - (n & k), n - n mod k.
    mlir::Operation *part = op->getOperand(1).getDefiningOp();
    return part && llvm::isa<arith::AndIOp, arith::RemUIOp>(part) && holds(op->getOperand(0)) &&
           llvm::is_contained(
               part->getOperands().take_front(llvm::isa<arith::AndIOp>(part) ? 2 : 1),
               op->getOperand(0));
  }
  return false;
}

} // namespace tilewright::packetize
