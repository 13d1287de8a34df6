// Arithmetic, order and comparison of real numbers: each operation rounds once, in its own type.
#include <cmath>
#include <unordered_map>

#include "reference/scalar_functions.h"

namespace tilewright::reference {

namespace {

template <typename Function>
Scalar unary(const ScalarCall &call, Function function) {
  Scalar x = call.operands[0];
  return x.kind == Kind::f32 ? real(function(x.f32)) : real(function(x.f64));
}

template <typename Function>
Scalar binary(const ScalarCall &call, Function function) {
  Scalar x = call.operands[0], y = call.operands[1];
  return x.kind == Kind::f32 ? real(function(x.f32, y.f32)) : real(function(x.f64, y.f64));
}

/// NaN if either is NaN; -0 is less than +0.
template <typename T>
T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename T>
T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The other number if one is NaN.
template <typename T>
T maximum_number(T a, T b) {
  if (std::isnan(a))
    return b;
  return std::isnan(b) ? a : maximum(a, b);
}

template <typename T>
T minimum_number(T a, T b) {
  if (std::isnan(a))
    return b;
  return std::isnan(b) ? a : minimum(a, b);
}

/// Which relations satisfy each predicate of `arith.cmpf`, in its numbering.
Scalar compare(const ScalarCall &call) {
  enum { equal = 1, greater = 2, less = 4, unordered = 8 };
  static constexpr int satisfied_by[16] = {0,                      // false
                                           equal,                  // oeq
                                           greater,                // ogt
                                           greater | equal,        // oge
                                           less,                   // olt
                                           less | equal,           // ole
                                           less | greater,         // one
                                           less | greater | equal, // ord
                                           unordered | equal,      // ueq
                                           unordered | greater,    // ugt
                                           unordered | greater | equal,
                                           unordered | less,         // ult
                                           unordered | less | equal, // ule
                                           unordered | less | greater,
                                           unordered,                           // uno
                                           unordered | less | greater | equal}; // true
  double x = as_double(call.operands[0]), y = as_double(call.operands[1]);
  int relation = std::isnan(x) || std::isnan(y) ? unordered
                 : x < y                        ? less
                 : x > y                        ? greater
                                                : equal;
  return boolean((satisfied_by[call.predicate] & relation) != 0);
}

Scalar fused_multiply_add(const ScalarCall &call) {
  Scalar x = call.operands[0], y = call.operands[1], z = call.operands[2];
  return x.kind == Kind::f32 ? real(std::fma(x.f32, y.f32, z.f32))
                             : real(std::fma(x.f64, y.f64, z.f64));
}

const std::unordered_map<std::string_view, ScalarFunction> &table() {
  using Call = const ScalarCall &;
  static const std::unordered_map<std::string_view, ScalarFunction> functions = {
      {"arith.addf", [](Call c) { return binary(c, [](auto a, auto b) { return a + b; }); }},
      {"arith.subf", [](Call c) { return binary(c, [](auto a, auto b) { return a - b; }); }},
      {"arith.mulf", [](Call c) { return binary(c, [](auto a, auto b) { return a * b; }); }},
      {"arith.divf", [](Call c) { return binary(c, [](auto a, auto b) { return a / b; }); }},
      {"arith.remf",
       [](Call c) { return binary(c, [](auto a, auto b) { return std::fmod(a, b); }); }},
      {"arith.negf", [](Call c) { return unary(c, [](auto a) { return -a; }); }},
      {"arith.maximumf",
       [](Call c) { return binary(c, [](auto a, auto b) { return maximum(a, b); }); }},
      {"arith.minimumf",
       [](Call c) { return binary(c, [](auto a, auto b) { return minimum(a, b); }); }},
      {"arith.maxnumf",
       [](Call c) { return binary(c, [](auto a, auto b) { return maximum_number(a, b); }); }},
      {"arith.minnumf",
       [](Call c) { return binary(c, [](auto a, auto b) { return minimum_number(a, b); }); }},
      {"arith.cmpf", compare},
      {"math.fma", fused_multiply_add},
      {"math.absf", [](Call c) { return unary(c, [](auto a) { return std::fabs(a); }); }},
      {"math.copysign",
       [](Call c) { return binary(c, [](auto a, auto b) { return std::copysign(a, b); }); }},
      {"math.sqrt", [](Call c) { return unary(c, [](auto a) { return std::sqrt(a); }); }},
      {"math.rsqrt",
       [](Call c) { return unary(c, [](auto a) { return decltype(a)(1) / std::sqrt(a); }); }},
      {"math.floor", [](Call c) { return unary(c, [](auto a) { return std::floor(a); }); }},
      {"math.ceil", [](Call c) { return unary(c, [](auto a) { return std::ceil(a); }); }},
      {"math.trunc", [](Call c) { return unary(c, [](auto a) { return std::trunc(a); }); }},
      {"math.round", [](Call c) { return unary(c, [](auto a) { return std::round(a); }); }},
      {"math.roundeven", [](Call c) { return unary(c, [](auto a) { return std::nearbyint(a); }); }},
      {"math.isnan", [](Call c) { return boolean(std::isnan(as_double(c.operands[0]))); }},
      {"math.isinf", [](Call c) { return boolean(std::isinf(as_double(c.operands[0]))); }},
      {"math.isfinite", [](Call c) { return boolean(std::isfinite(as_double(c.operands[0]))); }},
  };
  return functions;
}

} // namespace

ScalarFunction find_real_function(std::string_view name) {
  auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

} // namespace tilewright::reference
