#include "simplify/merge_maps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "tile/tile.h"

namespace tilewright::simplify {

using llvm::ArrayRef;
using mlir::Value;

namespace {

ArrayRef<mlir::StringAttr> axes_of(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getAxes();
}

/// Whether both tiles are over the same axes, in any order.
bool same_axes(Value a, Value b) {
  return axes_of(a).size() == axes_of(b).size() &&
         llvm::all_of(axes_of(a),
                      [&](mlir::StringAttr axis) { return llvm::is_contained(axes_of(b), axis); });
}

/// The map that makes `input`, when `consumer` in the same block is all that uses it.
tile::MapOp only_producer(Value input, mlir::Operation *consumer) {
  auto map = input.getDefiningOp<tile::MapOp>();
  bool fits =
      map && map->getBlock() == consumer->getBlock() &&
      llvm::all_of(map->getUsers(), [&](mlir::Operation *user) { return user == consumer; });
  return fits ? map : tile::MapOp();
}

/// `inputs` with those that make `producer` in its place, each once.
llvm::SmallVector<Value> merged_inputs(mlir::ValueRange inputs, tile::MapOp producer) {
  llvm::SmallVector<Value> merged;
  auto add = [&](Value value) {
    if (!llvm::is_contained(merged, value))
      merged.push_back(value);
  };
  for (Value input : inputs) {
    if (input != producer.getResult()) {
      add(input);
      continue;
    }
    for (Value of_producer : producer.getInputs())
      add(of_producer);
  }
  return merged;
}

/// Fills the empty `body`, whose last arguments are the elements of `inputs`, with the producer's
/// body and then `old_body`, whose arguments are `leading` ones and an element per old input.
void fill_body(mlir::Block *body, ArrayRef<Value> inputs, tile::MapOp producer,
               mlir::Block *old_body, mlir::ValueRange old_inputs) {
  size_t leading = body->getNumArguments() - inputs.size();
  auto element = [&](Value input) -> Value {
    return body->getArgument(leading + (llvm::find(inputs, input) - inputs.begin()));
  };
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(body);
  mlir::IRMapping mapping;
  for (auto [input, argument] : llvm::zip(producer.getInputs(), producer.body()->getArguments()))
    mapping.map(argument, element(input));
  for (mlir::Operation &op : producer.body()->without_terminator())
    builder.clone(op, mapping);
  Value yielded = mapping.lookupOrDefault(producer.yielded());
  for (size_t i = 0; i < leading; ++i)
    mapping.map(old_body->getArgument(i), body->getArgument(i));
  for (auto [input, argument] : llvm::zip(old_inputs, old_body->getArguments().drop_front(leading)))
    mapping.map(argument, input == producer.getResult() ? yielded : element(input));
  for (mlir::Operation &op : *old_body)
    builder.clone(op, mapping);
}

/// An empty block with the first `leading` arguments of `old_body` and an element per input.
mlir::Block *add_body(mlir::OpBuilder &builder, mlir::Region &region, mlir::Block *old_body,
                      size_t leading, ArrayRef<Value> inputs) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body = builder.createBlock(&region);
  for (size_t i = 0; i < leading; ++i)
    body->addArgument(old_body->getArgument(i).getType(), old_body->getArgument(i).getLoc());
  for (Value input : inputs)
    body->addArgument(tile::element_type(input.getType()), input.getLoc());
  return body;
}

tile::MapOp merge_into_map(tile::MapOp producer, tile::MapOp consumer) {
  llvm::SmallVector<Value> inputs = merged_inputs(consumer.getInputs(), producer);
  mlir::OpBuilder builder(consumer);
  auto merged = tile::MapOp::create(builder, consumer.getLoc(), consumer.getType(), inputs);
  mlir::Block *body = add_body(builder, merged.getBody(), consumer.body(), 0, inputs);
  fill_body(body, inputs, producer, consumer.body(), consumer.getInputs());
  consumer.replaceAllUsesWith(merged.getResult());
  consumer.erase();
  producer.erase();
  return merged;
}

/// Null, and nothing done, where the inputs would no longer be over one list of axes.
tile::ReduceOp merge_into_reduce(tile::MapOp producer, tile::ReduceOp consumer) {
  llvm::SmallVector<Value> inputs = merged_inputs(consumer.getInputs(), producer);
  ArrayRef<mlir::StringAttr> axes = axes_of(producer.getResult());
  if (inputs.empty() || !llvm::all_of(inputs, [&](Value input) { return axes_of(input) == axes; }))
    return {};
  mlir::OpBuilder builder(consumer);
  auto merged = tile::ReduceOp::create(builder, consumer.getLoc(), consumer.getResultTypes(),
                                       inputs, consumer.getSeeds(), consumer.getAxesAttr(),
                                       consumer.getIdentitiesAttr(), consumer.getOrder(),
                                       consumer.getGroupingAttr());
  mlir::Block *old_step = &consumer.getStep().front();
  mlir::Block *step =
      add_body(builder, merged.getStep(), old_step, consumer.getSeeds().size(), inputs);
  fill_body(step, inputs, producer, old_step, consumer.getInputs());
  merged.getMerge().takeBody(consumer.getMerge());
  consumer.replaceAllUsesWith(merged.getResults());
  consumer.erase();
  producer.erase();
  return merged;
}

void merge_producers(tile::MapOp consumer) {
  for (bool again = true; again;) {
    again = false;
    for (Value input : consumer.getInputs()) {
      tile::MapOp producer = only_producer(input, consumer);
      if (!producer || !same_axes(producer.getResult(), consumer.getResult()))
        continue;
      consumer = merge_into_map(producer, consumer);
      again = true;
      break;
    }
  }
}

void merge_producers(tile::ReduceOp consumer) {
  for (bool again = true; again;) {
    again = false;
    for (Value input : consumer.getInputs()) {
      tile::MapOp producer = only_producer(input, consumer);
      tile::ReduceOp merged = producer ? merge_into_reduce(producer, consumer) : tile::ReduceOp();
      if (!merged)
        continue;
      consumer = merged;
      again = true;
      break;
    }
  }
}

} // namespace

mlir::LogicalResult merge_maps(mlir::ModuleOp module) {
  // In program order, so that a producer has taken in its own producers before it is merged. Only
  // operations before the consumer, and the consumer itself, are erased.
  llvm::SmallVector<mlir::Operation *> consumers;
  module.walk([&](mlir::Operation *op) {
    if (llvm::isa<tile::MapOp, tile::ReduceOp>(op))
      consumers.push_back(op);
  });
  for (mlir::Operation *op : consumers) {
    if (auto map = llvm::dyn_cast<tile::MapOp>(op))
      merge_producers(map);
    else
      merge_producers(llvm::cast<tile::ReduceOp>(op));
  }
  return mlir::success();
}

} // namespace tilewright::simplify
