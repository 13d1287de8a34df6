// Reductions across the packet: the halving tree of the canonical grouping.
//
// Slot j * W + i is lane i of accumulator j, so the upper levels of the tree merge whole
// accumulators (j with j + p/2) and the lower ones the halves of one vector, which narrows at each
// level. The last merge is on scalars. The lower slot is always on the left.
#include "packetize/converter.h"

namespace tilewright::packetize {

using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

LogicalResult Converter::merge(lane::ReduceOp reduce, llvm::ArrayRef<Value> left,
                               llvm::ArrayRef<Value> right, llvm::SmallVectorImpl<Value> &merged) {
  mlir::Block &block = reduce.getMerge().front();
  bool one = emitter_.width() == 1;
  auto lanes = [&](Value value) {
    return one ? Packet::of_scalar(value) : Packet::of_vector(value);
  };
  size_t carried = left.size();
  for (size_t k = 0; k < carried; ++k) {
    set(block.getArgument(k), lanes(left[k]));
    set(block.getArgument(carried + k), lanes(right[k]));
  }
  if (failed(convert(block)))
    return mlir::failure();
  merged.clear();
  for (Value value : block.getTerminator()->getOperands())
    merged.push_back(one ? scalar(value) : vector(value));
  return success();
}

LogicalResult Converter::convert_reduce(lane::ReduceOp reduce) {
  if (!all_lanes())
    return bug(reduce, "a reduction across lanes needs all of them active");
  size_t carried = reduce.getNumResults(), packets = reduce.getPackets();
  mlir::Location location = reduce.getLoc();

  // slots[j] holds the carried values of accumulator j.
  llvm::SmallVector<Values> slots(packets);
  for (size_t j = 0; j < packets; ++j)
    for (size_t k = 0; k < carried; ++k)
      slots[j].push_back(vector(reduce.getAccumulators()[k * packets + j]));
  for (size_t half = packets / 2; half > 0; half /= 2)
    for (size_t j = 0; j < half; ++j) {
      Values merged;
      if (failed(merge(reduce, slots[j], slots[j + half], merged)))
        return mlir::failure();
      slots[j] = merged;
    }

  Values lanes = slots.front();
  LogicalResult done = success();
  for (int64_t half = width_ / 2; half > 0 && succeeded(done); half /= 2) {
    Values lower, upper;
    for (Value value : lanes) {
      lower.push_back(emitter_.part(value, 0, half));
      upper.push_back(emitter_.part(value, half, half));
    }
    emitter_.set_width(half);
    done = merge(reduce, lower, upper, lanes);
  }
  emitter_.set_width(width_);
  if (failed(done))
    return done;
  emitter_.location = location;
  for (auto [result, value] : llvm::zip(reduce.getResults(), lanes))
    set(result, uniform(result, value));
  return success();
}

} // namespace tilewright::packetize
