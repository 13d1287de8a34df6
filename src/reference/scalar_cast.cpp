// Constants, selection and conversions between kinds.
#include <cmath>
#include <unordered_map>

#include "reference/scalar_functions.h"

namespace tilewright::reference {

namespace {

Scalar constant(const ScalarCall &call) { return call.constant; }

Scalar select(const ScalarCall &call) {
  return is_true(call.operands[0]) ? call.operands[1] : call.operands[2];
}

/// f64 to f32 rounds to nearest even; f32 to f64 is exact.
Scalar convert_real(const ScalarCall &call) {
  return real_of(call.result, as_double(call.operands[0]));
}

/// Towards zero; what does not fit becomes the nearest number that does; NaN becomes zero.
Scalar real_to_signed(const ScalarCall &call) {
  double x = as_double(call.operands[0]);
  double limit = std::ldexp(1.0, bit_width(call.result) - 1);
  uint64_t least = uint64_t(1) << (bit_width(call.result) - 1);
  if (std::isnan(x))
    return integer(call.result, 0);
  if (x <= -limit)
    return integer(call.result, least);
  if (x >= limit)
    return integer(call.result, least - 1);
  return integer(call.result, static_cast<uint64_t>(static_cast<int64_t>(x)));
}

Scalar real_to_unsigned(const ScalarCall &call) {
  double x = as_double(call.operands[0]);
  if (!(x > 0))
    return integer(call.result, 0);
  if (x >= std::ldexp(1.0, bit_width(call.result)))
    return integer(call.result, ~uint64_t(0));
  return integer(call.result, static_cast<uint64_t>(x));
}

/// One rounding, straight to the result's type.
Scalar signed_to_real(const ScalarCall &call) {
  int64_t x = call.operands[0].integer;
  return call.result == Kind::f32 ? real(static_cast<float>(x)) : real(static_cast<double>(x));
}

Scalar unsigned_to_real(const ScalarCall &call) {
  uint64_t x = as_unsigned(call.operands[0]);
  return call.result == Kind::f32 ? real(static_cast<float>(x)) : real(static_cast<double>(x));
}

Scalar extend_or_wrap(const ScalarCall &call) {
  return integer(call.result, static_cast<uint64_t>(call.operands[0].integer));
}

Scalar extend_unsigned(const ScalarCall &call) {
  return integer(call.result, as_unsigned(call.operands[0]));
}

/// The widths of the integers say which real type is meant, also when f32 is computed in double.
Scalar reinterpret(const ScalarCall &call) {
  Scalar x = call.operands[0];
  if (is_real(x.kind) && is_real(call.result))
    return real_of(call.result, as_double(x));
  if (is_real(x.kind)) {
    if (bit_width(call.result) == 64)
      return integer(call.result, std::bit_cast<uint64_t>(x.f64));
    auto narrow = x.kind == Kind::f32 ? x.f32 : static_cast<float>(x.f64);
    return integer(call.result, std::bit_cast<uint32_t>(narrow));
  }
  if (!is_real(call.result))
    return integer(call.result, static_cast<uint64_t>(x.integer));
  if (bit_width(x.kind) == 64)
    return real(std::bit_cast<double>(x.integer));
  float narrow = std::bit_cast<float>(static_cast<uint32_t>(as_unsigned(x)));
  return call.result == Kind::f32 ? real(narrow) : real(static_cast<double>(narrow));
}

const std::unordered_map<std::string_view, ScalarFunction> &table() {
  static const std::unordered_map<std::string_view, ScalarFunction> functions = {
      {"arith.constant", constant},
      {"arith.select", select},
      {"arith.extf", convert_real},
      {"arith.truncf", convert_real},
      {"arith.fptosi", real_to_signed},
      {"arith.fptoui", real_to_unsigned},
      {"arith.sitofp", signed_to_real},
      {"arith.uitofp", unsigned_to_real},
      {"arith.extsi", extend_or_wrap},
      {"arith.extui", extend_unsigned},
      {"arith.trunci", extend_or_wrap},
      {"arith.index_cast", extend_or_wrap},
      {"arith.index_castui", extend_unsigned},
      {"arith.bitcast", reinterpret},
  };
  return functions;
}

} // namespace

ScalarFunction find_cast_function(std::string_view name) {
  auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

ScalarFunction find_scalar_function(std::string_view name) {
  for (auto find :
       {find_real_function, find_integer_function, find_cast_function, find_math_function})
    if (ScalarFunction function = find(name))
      return function;
  return nullptr;
}

} // namespace tilewright::reference
