// Evaluates the operations of one kernel in the order of the text.
#pragma once

#include "reference/bind.h"
#include "reference/tensor.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

class Interpreter {
public:
  Interpreter(tile::KernelOp kernel, Binding binding, Precision precision)
      : kernel_(kernel), binding_(std::move(binding)), precision_(precision) {}

  Status run() { return run_block(*kernel_.body()); }

private:
  Status run_block(mlir::Block &block);
  Status run_operation(mlir::Operation &op);

  // One function per operation.
  Status run_parallel(tile::ParallelOp op);
  Status run_load(tile::LoadOp op);
  Status run_store(tile::StoreOp op);
  Status run_map(tile::MapOp op);
  Status run_reduce(tile::ReduceOp op);
  Status run_scalar(mlir::Operation &op);

  /// What an access's indices name.
  struct Place {
    std::vector<std::string> axes; ///< that span, in the order of the view's dimensions
    std::vector<int64_t> extents;
    std::vector<int64_t> coordinates; ///< and origins of blocks
  };
  template <typename Access>
  Place place(Access op) const;

  const Tensor &value(mlir::Value value) const { return values_.find(value)->second; }
  Scalar scalar(mlir::Value value) const { return this->value(value).elements.front(); }
  const ViewMemory &memory(mlir::Value view) const;
  int64_t extent(mlir::StringRef axis) const { return binding_.extents.at(axis.str()); }

  tile::KernelOp kernel_;
  Binding binding_;
  Precision precision_;
  llvm::DenseMap<mlir::Value, Tensor> values_; ///< of the program that runs
};

} // namespace tilewright::reference
