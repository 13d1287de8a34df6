// Functions that are not correctly rounded in compiled code: here the C library's in double
// precision, rounded once to the operand's type.
#include <cmath>
#include <unordered_map>

#include "reference/scalar_functions.h"

namespace tilewright::reference {

namespace {

template <double (*function)(double)>
Scalar unary(const ScalarCall &call) {
  return real_of(call.result, function(as_double(call.operands[0])));
}

template <double (*function)(double, double)>
Scalar binary(const ScalarCall &call) {
  return real_of(call.result, function(as_double(call.operands[0]), as_double(call.operands[1])));
}

Scalar power_of_integer(const ScalarCall &call) {
  auto exponent = static_cast<double>(call.operands[1].integer);
  return real_of(call.result, std::pow(as_double(call.operands[0]), exponent));
}

const std::unordered_map<std::string_view, ScalarFunction> &table() {
  static const std::unordered_map<std::string_view, ScalarFunction> functions = {
      {"math.exp", unary<std::exp>},      {"math.exp2", unary<std::exp2>},
      {"math.expm1", unary<std::expm1>},  {"math.log", unary<std::log>},
      {"math.log2", unary<std::log2>},    {"math.log10", unary<std::log10>},
      {"math.log1p", unary<std::log1p>},  {"math.powf", binary<std::pow>},
      {"math.fpowi", power_of_integer},   {"math.cbrt", unary<std::cbrt>},
      {"math.sin", unary<std::sin>},      {"math.cos", unary<std::cos>},
      {"math.tan", unary<std::tan>},      {"math.asin", unary<std::asin>},
      {"math.acos", unary<std::acos>},    {"math.atan", unary<std::atan>},
      {"math.atan2", binary<std::atan2>}, {"math.sinh", unary<std::sinh>},
      {"math.cosh", unary<std::cosh>},    {"math.tanh", unary<std::tanh>},
      {"math.asinh", unary<std::asinh>},  {"math.acosh", unary<std::acosh>},
      {"math.atanh", unary<std::atanh>},  {"math.erf", unary<std::erf>},
      {"math.erfc", unary<std::erfc>},
  };
  return functions;
}

} // namespace

ScalarFunction find_math_function(std::string_view name) {
  auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

} // namespace tilewright::reference
