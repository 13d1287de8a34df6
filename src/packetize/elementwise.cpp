// arith and math: the same operation on scalars where all operands are uniform, else on vectors.
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "packetize/converter.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::packetize {

namespace arith = mlir::arith;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;

namespace {

bool divides(mlir::Operation &op) {
  return llvm::isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                   arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

// The size of the data an operation works on, for predicates beside it.
unsigned data_bits(mlir::Operation &op) {
  auto bits = [](mlir::Type type) {
    return type.isIndex() ? 64 : type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 1;
  };
  for (mlir::Type type : op.getResultTypes())
    if (bits(type) > 1)
      return bits(type);
  for (mlir::Type type : op.getOperandTypes())
    if (bits(type) > 1)
      return bits(type);
  return 1;
}

bool is_constant(Value value) {
  mlir::Operation *op = value.getDefiningOp();
  return op && op->hasTrait<mlir::OpTrait::ConstantLike>();
}

} // namespace

LogicalResult Converter::convert_elementwise(mlir::Operation &op) {
  if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op)) {
    if (auto index = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
        index && index.getType().isIndex())
      set(constant, Packet::of_constant(index.getInt()));
    else
      set(constant, Packet::of_scalar(emitter_.constant(constant.getValue())));
    return success();
  }
  if (llvm::isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return convert_cast(op), success();
  if (convert_index(op) || convert_predicate(op))
    return success();

  auto is_uniform = [&](Value operand) { return packet(operand).is_uniform(); };
  bool uniform = llvm::all_of(op.getOperands(), is_uniform);
  bool has_rule = mlir::OpTrait::hasElementwiseMappableTraits(&op) ||
                  (uniform && mlir::isMemoryEffectFree(&op));
  if (!has_rule || op.getNumRegions() != 0)
    return bug(&op, "no rule for this operation");

  llvm::SmallVector<Value> operands;
  unsigned bits = data_bits(op);
  for (auto [i, operand] : llvm::enumerate(op.getOperands())) {
    bool scalar_choice = i == 0 && llvm::isa<arith::SelectOp>(op) && is_uniform(operand);
    operands.push_back(uniform || scalar_choice ? scalar(operand) : vector_beside(operand, bits));
  }
  if (divides(op))
    operands[1] = harmless_divisor(op, operands[1], uniform);
  llvm::SmallVector<mlir::Type> types;
  for (mlir::Type type : op.getResultTypes())
    types.push_back(uniform ? emitter_.scalar_type(type) : emitter_.lanes_type(type));
  mlir::Operation *converted = mlir::Operation::create(
      op.getLoc(), op.getName(), types, operands, op.getDiscardableAttrDictionary(),
      op.getPropertiesStorage(), mlir::BlockRange(), /*numRegions=*/0);
  builder_.insert(converted);

  if (uniform && op.getNumResults() == 1 && llvm::all_of(operands, is_constant)) {
    llvm::SmallVector<mlir::OpFoldResult> folded;
    if (succeeded(converted->fold(folded)) && folded.size() == 1) {
      converted->erase();
      Value value = llvm::dyn_cast<Value>(folded.front());
      if (!value)
        value = emitter_.constant(
            llvm::cast<mlir::TypedAttr>(llvm::cast<mlir::Attribute>(folded.front())));
      set(op.getResult(0), this->uniform(op.getResult(0), value));
      return success();
    }
  }
  for (auto [result, value] : llvm::zip(op.getResults(), converted->getResults()))
    set(result, uniform ? this->uniform(result, value) : Packet::of_vector(value));
  return success();
}

// Index arithmetic on lines stays on their base, offset and stride.
bool Converter::convert_index(mlir::Operation &op) {
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isIndex())
    return false;
  Value result = op.getResult(0);
  if (llvm::isa<arith::SelectOp>(op)) {
    const Packet &choice = packet(op.getOperand(0)), &a = packet(op.getOperand(1)),
                 &b = packet(op.getOperand(2));
    if (!choice.is_uniform() || !a.is_linear() || !b.is_linear() || a.stride != b.stride)
      return false;
    Packet selected = Packet::of_scalar(
        arith::SelectOp::create(builder_, op.getLoc(), scalar(choice), scalar(a), scalar(b)));
    selected.stride = a.stride;
    set(result, selected);
    return true;
  }
  if (!llvm::isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return false;
  Packet a = packet(op.getOperand(0)), b = packet(op.getOperand(1));
  if (!a.is_linear() || !b.is_linear())
    return false;
  auto wrapping = [](uint64_t value) { return static_cast<int64_t>(value); };

  if (llvm::isa<arith::MulIOp>(op)) {
    if (a.is_constant())
      std::swap(a, b);
    if (!b.is_constant()) {
      if (!a.is_uniform() || !b.is_uniform())
        return false;
      set(result, uniform(result, emitter_.mul(scalar(a), scalar(b))));
      return true;
    }
    if (a.scalar)
      a.scalar = emitter_.mul(a.scalar, emitter_.integer(b.offset));
    if (b.offset == 0)
      a.scalar = {};
    a.offset = wrapping(uint64_t(a.offset) * uint64_t(b.offset));
    a.stride = wrapping(uint64_t(a.stride) * uint64_t(b.offset));
    set(result, a);
    return true;
  }

  bool adds = llvm::isa<arith::AddIOp>(op);
  Packet sum;
  uint64_t sign = adds ? 1 : -1;
  sum.offset = wrapping(uint64_t(a.offset) + sign * uint64_t(b.offset));
  sum.stride = wrapping(uint64_t(a.stride) + sign * uint64_t(b.stride));
  if (!b.scalar)
    sum.scalar = a.scalar;
  else if (adds)
    sum.scalar = a.scalar ? emitter_.add(a.scalar, b.scalar) : b.scalar;
  else if (a.scalar != b.scalar)
    sum.scalar = emitter_.sub(a.scalar ? a.scalar : emitter_.integer(0), b.scalar);
  set(result, sum);
  return true;
}

// Predicates that hold in an interval of lanes stay intervals.
bool Converter::convert_predicate(mlir::Operation &op) {
  if (auto compare = llvm::dyn_cast<arith::CmpIOp>(op)) {
    if (!compare.getLhs().getType().isIndex())
      return false;
    const Packet &left = packet(compare.getLhs()), &right = packet(compare.getRhs());
    std::optional<Interval> lanes = compare_lanes(compare.getPredicate(), left, right);
    if (lanes)
      set(compare.getResult(), Packet::of_interval(*lanes));
    return lanes.has_value();
  }
  if (!llvm::isa<arith::AndIOp, arith::XOrIOp>(op) || !op.getResult(0).getType().isInteger(1))
    return false;
  Packet a = packet(op.getOperand(0)), b = packet(op.getOperand(1));
  if (!a.interval)
    std::swap(a, b);
  if (!a.interval)
    return false;
  std::optional<Interval> lanes;
  if (llvm::isa<arith::XOrIOp>(op)) {
    if (b.is_uniform() && Emitter::known(scalar(b)) == -1)
      lanes = complement(*a.interval);
  } else if (b.interval) {
    lanes = intersect(*a.interval, *b.interval);
  } else if (b.is_uniform()) {
    lanes = a.interval;
    Value last = lanes->last.value ? lanes->last.value : emitter_.integer(lanes->last.known);
    lanes->last = count_of(
        arith::SelectOp::create(builder_, op.getLoc(), scalar(b), last, emitter_.integer(0)));
  }
  if (lanes)
    set(op.getResult(0), Packet::of_interval(*lanes));
  return lanes.has_value();
}

// `index` is i64, so a cast from or to it extends, truncates or does nothing.
void Converter::convert_cast(mlir::Operation &op) {
  Value operand = op.getOperand(0), result = op.getResult(0);
  const Packet &from = packet(operand);
  bool is_uniform = from.is_uniform();
  Value value = is_uniform ? scalar(from) : vector(operand);
  mlir::Type type =
      is_uniform ? emitter_.scalar_type(result.getType()) : emitter_.lanes_type(result.getType());
  unsigned before = emitter_.scalar_type(operand.getType()).getIntOrFloatBitWidth();
  unsigned after = emitter_.scalar_type(result.getType()).getIntOrFloatBitWidth();
  if (after < before)
    value = arith::TruncIOp::create(builder_, op.getLoc(), type, value);
  else if (after > before && llvm::isa<arith::IndexCastOp>(op))
    value = arith::ExtSIOp::create(builder_, op.getLoc(), type, value);
  else if (after > before)
    value = arith::ExtUIOp::create(builder_, op.getLoc(), type, value);
  set(result, is_uniform ? uniform(result, value) : Packet::of_vector(value));
}

// What inactive lanes would divide by may be anything, so they divide by one.
Value Converter::harmless_divisor(mlir::Operation &op, Value divisor, bool uniform) {
  const Packet &by = packet(op.getOperand(1));
  int64_t constant = by.is_uniform() ? Emitter::known(scalar(by)).value_or(0) : 0;
  if (all_lanes() || (constant != 0 && constant != -1))
    return divisor;
  unsigned bits = data_bits(op);
  Value one = emitter_.integer(1, bits);
  Value active = uniform ? any_lane(mask_) : mask_vector(mask_, bits);
  if (!active)
    return divisor;
  return arith::SelectOp::create(builder_, op.getLoc(), active, divisor,
                                 uniform ? one : emitter_.broadcast(one));
}

} // namespace tilewright::packetize
