// A scalar region (the body of a map, the step or merge of a reduction), ready to be applied often.
#pragma once

#include <functional>

#include "reference/memory.h"
#include "reference/scalar_functions.h"
#include "tile/tile.h"
#include "tilewright/result.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::reference {

/// What one scalar operation needs beside its operands.
struct ScalarStep {
  ScalarFunction function = nullptr;
  Kind result = Kind::f32;
  int64_t predicate = 0;
  Scalar constant;
  std::vector<int> operands; ///< numbers of values of the body, when it belongs to one

  Scalar apply(std::span<const Scalar> values) const {
    return function({values, result, predicate, constant});
  }
};

/// The number that an attribute of type float, integer or index holds.
Scalar attribute_value(mlir::Attribute attribute, Precision precision);

/// Looks up an operation of arith or math; an error when the reference does not know it.
Result<ScalarStep> resolve_scalar_step(mlir::Operation &op, Precision precision);

class ScalarBody {
public:
  /// Gives the value of something defined outside of the region.
  using Outer = std::function<Scalar(mlir::Value)>;
  /// Gives the extent of an axis.
  using Extent = std::function<int64_t(mlir::StringRef)>;

  static Result<ScalarBody> resolve(mlir::Block &block, Precision precision, const Outer &outer,
                                    const Extent &extent);

  /// Applies the body to its arguments. The result lives until the next call.
  std::span<const Scalar> apply(std::span<const Scalar> arguments);

private:
  size_t argument_count_ = 0;
  std::vector<Scalar> values_; ///< arguments, then outer values and results
  std::vector<ScalarStep> steps_;
  std::vector<int> step_results_; ///< the value that each step gives
  std::vector<int> yielded_;
  std::vector<Scalar> operands_, results_; ///< scratch
};

} // namespace tilewright::reference
