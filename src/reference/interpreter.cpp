#include "reference/interpreter.h"

#include "reference/grouping.h"
#include "reference/scalar_body.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewright::reference {

namespace {

/// Slots of an unordered reduction whose grouping has not been chosen yet.
constexpr int64_t default_slots = 64;

Error left_view(mlir::Operation *op) {
  return {ErrorKind::internal,
          "'" + op->getName().getStringRef().str() + "' accesses an element outside of its view",
          source_line(op->getLoc())};
}

std::vector<std::string> names_of(tile::TileType type) {
  std::vector<std::string> names;
  for (mlir::StringAttr axis : type.getAxes())
    names.push_back(axis.str());
  return names;
}

/// The point of a view that an access touches where its spanning axes are at `spanned`. Coordinates
/// and origins are in the order of the dimensions; positions wrap.
template <typename Access>
std::vector<int64_t> view_point(Access op, std::span<const int64_t> spanned,
                                const std::vector<int64_t> &coordinates) {
  std::vector<int64_t> point;
  auto next_spanned = spanned.begin();
  auto next_coordinate = coordinates.begin();
  for (int64_t dim = 0; dim < op.getView().getType().get_rank(); ++dim) {
    uint64_t position = 0;
    if (op.span(dim))
      position += static_cast<uint64_t>(*next_spanned++);
    if (op.block(dim) || !op.span(dim))
      position += static_cast<uint64_t>(*next_coordinate++);
    point.push_back(static_cast<int64_t>(position));
  }
  return point;
}

/// Whether a block whose bounds are `wanted` is outside of its view at that point.
template <typename Access>
bool is_outside(Access op, const ViewMemory &memory, std::span<const int64_t> point,
                tile::Bounds wanted) {
  for (int64_t dim = 0; dim < op.getView().getType().get_rank(); ++dim) {
    tile::BlockAttr block = op.block(dim);
    if (block && block.getBounds() == wanted &&
        (point[dim] < 0 || point[dim] >= memory.extent(dim)))
      return true;
  }
  return false;
}

Error broken_promise(mlir::Operation *op) {
  return {ErrorKind::user,
          "'" + op->getName().getStringRef().str() +
              "' accesses a block that is assumed to lie inside of its view, and it does not; "
              "bounds that are not assumed are tested",
          source_line(op->getLoc())};
}

} // namespace

const ViewMemory &Interpreter::memory(mlir::Value view) const {
  return binding_.views[llvm::cast<mlir::BlockArgument>(view).getArgNumber()];
}

Status Interpreter::run_block(mlir::Block &block) {
  for (mlir::Operation &op : block)
    if (Status status = run_operation(op); !status)
      return status;
  return {};
}

Status Interpreter::run_operation(mlir::Operation &operation) {
  return llvm::TypeSwitch<mlir::Operation *, Status>(&operation)
      .Case([&](tile::AxisOp) { return Status(); })
      .Case([&](tile::ExtentOp op) {
        values_[op] = scalar_tensor(index(extent(op.getAxis())));
        return Status();
      })
      .Case([&](tile::ParallelOp op) { return run_parallel(op); })
      .Case([&](tile::LoadOp op) { return run_load(op); })
      .Case([&](tile::StoreOp op) { return run_store(op); })
      .Case([&](tile::MapOp op) { return run_map(op); })
      .Case([&](tile::ReduceOp op) { return run_reduce(op); })
      .Default([&](mlir::Operation *op) { return run_scalar(*op); });
}

Status Interpreter::run_parallel(tile::ParallelOp op) {
  std::vector<int64_t> extents;
  for (auto axis : op.getAxes().getAsRange<mlir::FlatSymbolRefAttr>())
    extents.push_back(extent(axis.getValue()));
  Status status;
  for_each_point(extents, [&](std::span<const int64_t> point) {
    for (auto [argument, coordinate] : llvm::zip(op.body()->getArguments(), point))
      values_[argument] = scalar_tensor(index(coordinate));
    status = run_block(*op.body());
    return static_cast<bool>(status);
  });
  return status;
}

template <typename Access>
Interpreter::Place Interpreter::place(Access op) const {
  Place place;
  for (int64_t dim = 0; dim < op.getView().getType().get_rank(); ++dim) {
    if (mlir::FlatSymbolRefAttr axis = op.span(dim)) {
      place.axes.push_back(axis.getValue().str());
      place.extents.push_back(extent(axis.getValue()));
    }
    mlir::Value value = op.block(dim) ? op.origin(dim) : op.coordinate(dim);
    if (value)
      place.coordinates.push_back(scalar(value).integer);
  }
  return place;
}

Status Interpreter::run_load(tile::LoadOp op) {
  const ViewMemory &memory = this->memory(op.getView());
  Place place = this->place(op);
  mlir::Builder builder(op.getContext());
  mlir::TypedAttr zero = builder.getZeroAttr(op.getView().getType().getElementType());
  Scalar fill = attribute_value(op.getFillAttr() ? op.getFillAttr() : zero, precision_);
  Tensor result{place.axes, place.extents, {}};
  Status status;
  for_each_point(place.extents, [&](std::span<const int64_t> spanned) {
    std::vector<int64_t> point = view_point(op, spanned, place.coordinates);
    if (is_outside(op, memory, point, tile::Bounds::assume)) {
      status = broken_promise(op);
    } else if (is_outside(op, memory, point, tile::Bounds::zero)) {
      result.elements.push_back(fill);
    } else if (std::optional<Scalar> element = memory.read(point)) {
      result.elements.push_back(*element);
    } else {
      status = left_view(op);
    }
    return static_cast<bool>(status);
  });
  values_[op.getResult()] = std::move(result);
  return status;
}

Status Interpreter::run_store(tile::StoreOp op) {
  const ViewMemory &memory = this->memory(op.getView());
  const Tensor &stored = value(op.getValue());
  Place place = this->place(op);
  std::vector<int64_t> strides = strides_along(stored, place.axes);
  Status status;
  for_each_point(place.extents, [&](std::span<const int64_t> spanned) {
    std::vector<int64_t> point = view_point(op, spanned, place.coordinates);
    if (is_outside(op, memory, point, tile::Bounds::assume))
      status = broken_promise(op);
    else if (!is_outside(op, memory, point, tile::Bounds::zero) &&
             !memory.write(point, stored.elements[offset(spanned, strides)]))
      status = left_view(op);
    return static_cast<bool>(status);
  });
  return status;
}

Status Interpreter::run_map(tile::MapOp op) {
  Result<ScalarBody> body = ScalarBody::resolve(
      *op.body(), precision_, [&](mlir::Value outer) { return scalar(outer); },
      [&](mlir::StringRef axis) { return extent(axis); });
  if (!body)
    return body.error();
  Tensor result;
  result.axes = names_of(op.getResult().getType());
  for (const std::string &axis : result.axes)
    result.extents.push_back(extent(axis));
  std::vector<const Tensor *> inputs;
  std::vector<std::vector<int64_t>> strides;
  for (mlir::Value input : op.getInputs()) {
    inputs.push_back(&value(input));
    strides.push_back(strides_along(*inputs.back(), result.axes));
  }
  std::vector<Scalar> elements(inputs.size());
  for_each_point(result.extents, [&](std::span<const int64_t> point) {
    for (size_t i = 0; i < inputs.size(); ++i)
      elements[i] = inputs[i]->elements[offset(point, strides[i])];
    result.elements.push_back(body->apply(elements).front());
    return true;
  });
  values_[op.getResult()] = std::move(result);
  return {};
}

Status Interpreter::run_reduce(tile::ReduceOp op) {
  auto outer = [&](mlir::Value value) { return scalar(value); };
  auto axis_extent = [&](mlir::StringRef axis) { return extent(axis); };
  Result<ScalarBody> step =
      ScalarBody::resolve(op.getStep().front(), precision_, outer, axis_extent);
  if (!step)
    return step.error();
  Result<ScalarBody> merge =
      ScalarBody::resolve(op.getMerge().front(), precision_, outer, axis_extent);
  if (!merge)
    return merge.error();

  const Tensor &first = value(op.getInputs().front());
  std::vector<std::string> reduced;
  std::vector<int64_t> reduced_extents;
  for (auto axis : op.getAxes().getAsRange<mlir::FlatSymbolRefAttr>()) {
    reduced.push_back(axis.getValue().str());
    reduced_extents.push_back(extent(axis.getValue()));
  }
  Tensor shape; // the axes that remain
  for (size_t i = 0; i < first.axes.size(); ++i)
    if (!llvm::is_contained(reduced, first.axes[i])) {
      shape.axes.push_back(first.axes[i]);
      shape.extents.push_back(first.extents[i]);
    }

  std::vector<int64_t> element_offsets; // from the first element, in the order of reduction
  std::vector<int64_t> reduced_strides = strides_along(first, reduced);
  for_each_point(reduced_extents, [&](std::span<const int64_t> point) {
    element_offsets.push_back(offset(point, reduced_strides));
    return true;
  });

  int64_t first_element = 0;
  Reduction reduction;
  reduction.count = static_cast<int64_t>(element_offsets.size());
  for (mlir::Value seed : op.getSeeds())
    reduction.seed.push_back(scalar(seed));
  for (mlir::Attribute identity : op.getIdentities())
    reduction.identity.push_back(attribute_value(identity, precision_));
  std::vector<Scalar> arguments;
  reduction.step = [&](const Carried &accumulator, int64_t element) {
    arguments = accumulator;
    for (mlir::Value input : op.getInputs())
      arguments.push_back(value(input).elements[first_element + element_offsets[element]]);
    std::span<const Scalar> results = step->apply(arguments);
    return Carried(results.begin(), results.end());
  };
  reduction.merge = [&](const Carried &left, const Carried &right) {
    arguments = left;
    arguments.insert(arguments.end(), right.begin(), right.end());
    std::span<const Scalar> results = merge->apply(arguments);
    return Carried(results.begin(), results.end());
  };

  std::vector<Tensor> results(op.getNumResults(), shape);
  std::vector<int64_t> outer_strides = strides_along(first, shape.axes);
  for_each_point(shape.extents, [&](std::span<const int64_t> point) {
    first_element = offset(point, outer_strides);
    Carried carried;
    switch (op.getOrder()) {
    case tile::ReduceOrder::fold_left:
      carried = fold_left(reduction);
      break;
    case tile::ReduceOrder::fold_right:
      carried = fold_right(reduction);
      break;
    case tile::ReduceOrder::unordered:
      carried = combine_in_slots(reduction,
                                 op.getGrouping() ? op.getGrouping()->getSlots() : default_slots);
    }
    for (size_t i = 0; i < results.size(); ++i)
      results[i].elements.push_back(carried[i]);
    return true;
  });
  for (auto [result, tensor] : llvm::zip(op.getResults(), results))
    values_[result] = std::move(tensor);
  return {};
}

Status Interpreter::run_scalar(mlir::Operation &op) {
  Result<ScalarStep> step = resolve_scalar_step(op, precision_);
  if (!step)
    return step.error();
  std::vector<Scalar> operands;
  for (mlir::Value operand : op.getOperands())
    operands.push_back(scalar(operand));
  values_[op.getResult(0)] = scalar_tensor(step->apply(operands));
  return {};
}

} // namespace tilewright::reference
