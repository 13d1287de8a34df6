#include "reference/scalar_body.h"

#include "reference/bind.h"

namespace tilewright::reference {

Scalar attribute_value(mlir::Attribute attribute, Precision precision) {
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
    return integer(stored_kind(number.getType()), number.getValue().getZExtValue());
  auto number = llvm::cast<mlir::FloatAttr>(attribute);
  llvm::APFloat value = number.getValue();
  bool loses_information = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &loses_information);
  return real_of(computed_kind(number.getType(), precision), value.convertToDouble());
}

Result<ScalarStep> resolve_scalar_step(mlir::Operation &op, Precision precision) {
  ScalarStep step;
  mlir::StringRef name = op.getName().getStringRef();
  step.function = find_scalar_function({name.data(), name.size()});
  if (!step.function || op.getNumResults() != 1)
    return Error{ErrorKind::internal, "the reference does not know '" + name.str() + "'",
                 source_line(op.getLoc())};
  step.result = computed_kind(op.getResult(0).getType(), precision);
  if (auto predicate = llvm::dyn_cast_or_null<mlir::IntegerAttr>(op.getAttr("predicate")))
    step.predicate = predicate.getInt();
  if (name == "arith.constant")
    step.constant = attribute_value(op.getAttr("value"), precision);
  return step;
}

Result<ScalarBody> ScalarBody::resolve(mlir::Block &block, Precision precision, const Outer &outer,
                                       const Extent &extent) {
  ScalarBody body;
  llvm::DenseMap<mlir::Value, int> numbers;
  auto define = [&](mlir::Value value, Scalar initial) {
    numbers[value] = static_cast<int>(body.values_.size());
    body.values_.push_back(initial);
  };
  auto number_of = [&](mlir::Value value) {
    if (!numbers.contains(value))
      define(value, outer(value));
    return numbers[value];
  };

  for (mlir::BlockArgument argument : block.getArguments())
    define(argument, Scalar());
  body.argument_count_ = block.getNumArguments();
  for (mlir::Operation &op : block.without_terminator()) {
    if (auto of_axis = llvm::dyn_cast<tile::ExtentOp>(op)) {
      define(of_axis, index(extent(of_axis.getAxis())));
      continue;
    }
    Result<ScalarStep> step = resolve_scalar_step(op, precision);
    if (!step)
      return step.error();
    for (mlir::Value operand : op.getOperands())
      step->operands.push_back(number_of(operand));
    define(op.getResult(0), Scalar());
    body.step_results_.push_back(numbers[op.getResult(0)]);
    body.steps_.push_back(std::move(*step));
  }
  for (mlir::Value value : block.getTerminator()->getOperands())
    body.yielded_.push_back(number_of(value));
  return body;
}

std::span<const Scalar> ScalarBody::apply(std::span<const Scalar> arguments) {
  assert(arguments.size() == argument_count_ && "a body is applied to its arguments");
  std::copy(arguments.begin(), arguments.end(), values_.begin());
  for (size_t i = 0; i < steps_.size(); ++i) {
    operands_.clear();
    for (int operand : steps_[i].operands)
      operands_.push_back(values_[operand]);
    values_[step_results_[i]] = steps_[i].apply(operands_);
  }
  results_.clear();
  for (int number : yielded_)
    results_.push_back(values_[number]);
  return results_;
}

} // namespace tilewright::reference
