// The table of scalar operations: what each means on exact types. Free of MLIR.
#pragma once

#include <span>
#include <string_view>

#include "reference/scalar.h"

namespace tilewright::reference {

/// One application of a scalar operation.
struct ScalarCall {
  std::span<const Scalar> operands;
  Kind result = Kind::f32; ///< the kind of the result
  int64_t predicate = 0;   ///< of a comparison
  Scalar constant;         ///< the value of a constant
};

/// The operation computed on its operands, which have the kinds that its verifier demands.
using ScalarFunction = Scalar (*)(const ScalarCall &);

/// The meaning of an operation ("arith.addf"), or null when the reference does not know it.
ScalarFunction find_scalar_function(std::string_view name);

// The parts of the table; each returns null for names that it does not hold.
ScalarFunction find_real_function(std::string_view name);
ScalarFunction find_integer_function(std::string_view name);
ScalarFunction find_cast_function(std::string_view name);
ScalarFunction find_math_function(std::string_view name);

} // namespace tilewright::reference
