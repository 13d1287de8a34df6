#include "native/math/expand_math.h"

#include <optional>
#include <set>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "native/math/functions.h"
#include "tile/value_facts.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilewright::native {

using namespace mlir;

namespace {

/// The C library's name, for f64, of what the op `name` computes; empty for ops that stay.
StringRef library_name(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("math.exp2", "exp2")
      .Case("math.expm1", "expm1")
      .Case("math.log", "log")
      .Case("math.log2", "log2")
      .Case("math.log10", "log10")
      .Case("math.log1p", "log1p")
      .Case("math.powf", "pow")
      .Case("math.sin", "sin")
      .Case("math.cos", "cos")
      .Case("math.tan", "tan")
      .Case("math.asin", "asin")
      .Case("math.acos", "acos")
      .Case("math.atan", "atan")
      .Case("math.atan2", "atan2")
      .Case("math.sinh", "sinh")
      .Case("math.cosh", "cosh")
      .Case("math.tanh", "tanh")
      .Case("math.asinh", "asinh")
      .Case("math.acosh", "acosh")
      .Case("math.atanh", "atanh")
      .Case("math.erf", "erf")
      .Case("math.erfc", "erfc")
      .Case("math.cbrt", "cbrt")
      .Default("");
}

bool is_f32_or_f64(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF64();
}

/// Declares `name` in `module` once, as a function of `count` numbers of `type`.
void declare(ModuleOp module, StringRef name, Type type, unsigned count) {
  if (module.lookupSymbol(name))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  SmallVector<Type> inputs(count, type);
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name, builder.getFunctionType(inputs, {type}));
  function.setPrivate();
}

/// `op` as one call per lane.
Value call_library(OpBuilder &builder, Operation *op, StringRef name) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  Type element = getElementTypeOrSelf(type);
  auto call = [&](ValueRange operands) -> Value {
    return func::CallOp::create(builder, loc, name, element, operands).getResult(0);
  };
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return call(op->getOperands());
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(vector::ExtractOp::create(builder, loc, operand, lane));
    result = vector::InsertOp::create(builder, loc, call(operands), result, lane);
  }
  return result;
}

/// The float or splat of floats that `value` is, if it is a constant.
std::optional<double> constant_of(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  auto real = dyn_cast<FloatAttr>(attribute);
  return real ? std::optional(real.getValueAsDouble()) : std::nullopt;
}

Value other_operand(OpOperand &use) {
  return use.getOwner()->getOperand(1 - use.getOperandNumber());
}

bool is_added_exactly(OpOperand &use) {
  if (!isa<arith::AddFOp>(use.getOwner()))
    return false;
  std::optional<double> constant = constant_of(other_operand(use));
  return constant && adds_exp_exactly(*constant);
}

/// Replaces math ops by their expansions, and remembers which library functions are called.
class Expander {
public:
  Expander(ModuleOp module, const Target &target)
      : module_(module), target_(target), builder_(module.getContext()) {}

  LogicalResult expand(Operation *op) {
    Value result;
    builder_.setInsertionPoint(op);
    auto lanes = [&] { return Lanes(builder_, op->getLoc(), op->getResult(0).getType()); };
    if (isa<math::ExpOp>(op) && expand_added_exp(op))
      return success();
    if (isa<math::ErfOp>(op) && getElementTypeOrSelf(op->getResult(0).getType()).isF32()) {
      Lanes emit = lanes();
      result = expand_erf_f32(emit, target_, op->getOperand(0));
    } else if (isa<math::ExpOp, math::RsqrtOp, arith::MaximumFOp, arith::MinimumFOp>(op) ||
               op->hasAttr(tile::first_is_number)) {
      if (!is_f32_or_f64(op->getResult(0).getType()))
        return op->emitError("is expanded for f32 and f64 only");
      Lanes emit = lanes();
      if (isa<math::ExpOp>(op) && op->hasAttr(tile::never_positive) &&
          getElementTypeOrSelf(op->getResult(0).getType()).isF32())
        result = expand_exp_of_never_positive(emit, target_, op->getOperand(0));
      else if (isa<math::ExpOp>(op))
        result = expand_exp(emit, target_, op->getOperand(0));
      else if (isa<math::RsqrtOp>(op))
        result = emit.div(emit.real(1.0), emit.sqrt(op->getOperand(0)));
      else if (isa<arith::MaximumFOp>(op))
        result = expand_maximum(emit, op->getOperand(0), op->getOperand(1));
      else if (isa<arith::MaxNumFOp>(op))
        result = expand_maximum_number(emit, op->getOperand(0), op->getOperand(1));
      else if (isa<arith::MinNumFOp>(op))
        result = expand_minimum_number(emit, op->getOperand(0), op->getOperand(1));
      else
        result = expand_minimum(emit, op->getOperand(0), op->getOperand(1));
    } else if (StringRef name = library_name(op->getName().getStringRef()); !name.empty()) {
      Type type = op->getResult(0).getType();
      auto vector = dyn_cast<VectorType>(type);
      if (!is_f32_or_f64(type) || (vector && vector.getRank() != 1))
        return op->emitError("is called for scalars and vectors of f32 and f64 only");
      std::string full_name = name.str() + (getElementTypeOrSelf(type).isF32() ? "f" : "");
      declare(module_, full_name, getElementTypeOrSelf(type), op->getNumOperands());
      result = call_library(builder_, op, full_name);
      called_.insert(full_name);
    } else {
      return success();
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }

  const std::set<std::string> &called() const { return called_; }

private:
  /// Where all uses of exp add it to suitable constants, results too small to change a sum need not
  /// be right.
  bool expand_added_exp(Operation *op) {
    Type type = op->getResult(0).getType();
    if (!is_f32_or_f64(type) || !llvm::all_of(op->getUses(), is_added_exactly))
      return false;
    Lanes lanes(builder_, op->getLoc(), type);
    AddedExp added = expand_exp_to_add(lanes, target_, op->getOperand(0));
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      Operation *add = use.getOwner();
      builder_.setInsertionPoint(add);
      Value sum = added.plus(lanes, other_operand(use));
      add->getResult(0).replaceAllUsesWith(sum);
      add->erase();
    }
    op->erase();
    return true;
  }

  ModuleOp module_;
  const Target &target_;
  OpBuilder builder_;
  std::set<std::string> called_;
};

} // namespace

LogicalResult expand_math(ModuleOp module, const Target &target, std::vector<std::string> &notes) {
  SmallVector<Operation *> candidates;
  module.walk([&](Operation *op) {
    if (isa<math::MathDialect>(op->getDialect()) ||
        isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op))
      candidates.push_back(op);
  });
  Expander expander(module, target);
  for (Operation *op : candidates)
    if (failed(expander.expand(op)))
      return failure();
  for (const std::string &name : expander.called())
    notes.push_back("calls the C library's " + name +
                    " once per lane: this function has no vector expansion yet");
  return success();
}

} // namespace tilewright::native
