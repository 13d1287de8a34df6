// Integer arithmetic: wraps around, never traps; every input has an answer.
#include <algorithm>
#include <unordered_map>

#include "reference/scalar_functions.h"

namespace tilewright::reference {

namespace {

/// Wrapping: `function` computes on the 64-bit patterns.
template <typename Function>
Scalar wrapping(const ScalarCall &call, Function function) {
  auto x = static_cast<uint64_t>(call.operands[0].integer);
  auto y = static_cast<uint64_t>(call.operands[1].integer);
  return integer(call.result, function(x, y));
}

template <typename Function>
Scalar on_signed(const ScalarCall &call, Function function) {
  int64_t value = function(call.operands[0].integer, call.operands[1].integer);
  return integer(call.result, static_cast<uint64_t>(value));
}

template <typename Function>
Scalar on_unsigned(const ScalarCall &call, Function function) {
  return integer(call.result,
                 function(as_unsigned(call.operands[0]), as_unsigned(call.operands[1])));
}

int64_t negate(int64_t x) { return static_cast<int64_t>(0 - static_cast<uint64_t>(x)); }

/// x / 0 = 0 and the least number / -1 is itself (the negation wraps around).
int64_t divide(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  return y == -1 ? negate(x) : x / y;
}

/// x % 0 = x and x % -1 = 0.
int64_t remainder(int64_t x, int64_t y) {
  if (y == 0)
    return x;
  return y == -1 ? 0 : x % y;
}

/// Rounds down where divide() rounds towards zero.
int64_t floor_divide(int64_t x, int64_t y) {
  bool inexact = y != 0 && remainder(x, y) != 0;
  return divide(x, y) - (inexact && (x < 0) != (y < 0) ? 1 : 0);
}

int64_t ceiling_divide(int64_t x, int64_t y) {
  bool inexact = y != 0 && remainder(x, y) != 0;
  return divide(x, y) + (inexact && (x < 0) == (y < 0) ? 1 : 0);
}

uint64_t divide_unsigned(uint64_t x, uint64_t y) { return y == 0 ? 0 : x / y; }
uint64_t remainder_unsigned(uint64_t x, uint64_t y) { return y == 0 ? x : x % y; }
uint64_t ceiling_divide_unsigned(uint64_t x, uint64_t y) {
  return divide_unsigned(x, y) + (remainder_unsigned(x, y) != 0 && y != 0 ? 1 : 0);
}

/// Shifting by the width or more gives zero...
Scalar shift_left(const ScalarCall &call) {
  uint64_t amount = as_unsigned(call.operands[1]);
  bool gone = amount >= static_cast<uint64_t>(bit_width(call.result));
  return integer(call.result, gone ? 0 : as_unsigned(call.operands[0]) << amount);
}

Scalar shift_right_unsigned(const ScalarCall &call) {
  uint64_t amount = as_unsigned(call.operands[1]);
  bool gone = amount >= static_cast<uint64_t>(bit_width(call.result));
  return integer(call.result, gone ? 0 : as_unsigned(call.operands[0]) >> amount);
}

/// ...or only copies of the sign.
Scalar shift_right_signed(const ScalarCall &call) {
  uint64_t amount = std::min<uint64_t>(as_unsigned(call.operands[1]), 63);
  return integer(call.result, static_cast<uint64_t>(call.operands[0].integer >> amount));
}

/// Predicates are numbered as `arith.cmpi` does.
Scalar compare(const ScalarCall &call) {
  int64_t x = call.operands[0].integer, y = call.operands[1].integer;
  uint64_t u = as_unsigned(call.operands[0]), v = as_unsigned(call.operands[1]);
  switch (call.predicate) {
  case 0:
    return boolean(x == y);
  case 1:
    return boolean(x != y);
  case 2:
    return boolean(x < y);
  case 3:
    return boolean(x <= y);
  case 4:
    return boolean(x > y);
  case 5:
    return boolean(x >= y);
  case 6:
    return boolean(u < v);
  case 7:
    return boolean(u <= v);
  case 8:
    return boolean(u > v);
  default:
    return boolean(u >= v);
  }
}

Scalar absolute(const ScalarCall &call) {
  int64_t x = call.operands[0].integer;
  return integer(call.result, static_cast<uint64_t>(x < 0 ? negate(x) : x));
}

Scalar leading_zeros(const ScalarCall &call) {
  int unused = 64 - bit_width(call.result);
  return integer(call.result,
                 static_cast<uint64_t>(std::countl_zero(as_unsigned(call.operands[0])) - unused));
}

Scalar trailing_zeros(const ScalarCall &call) {
  int zeros = std::min(std::countr_zero(as_unsigned(call.operands[0])), bit_width(call.result));
  return integer(call.result, static_cast<uint64_t>(zeros));
}

Scalar count_ones(const ScalarCall &call) {
  return integer(call.result, static_cast<uint64_t>(std::popcount(as_unsigned(call.operands[0]))));
}

const std::unordered_map<std::string_view, ScalarFunction> &table() {
  using Call = const ScalarCall &;
  using u64 = uint64_t;
  using i64 = int64_t;
  static const std::unordered_map<std::string_view, ScalarFunction> functions = {
      {"arith.addi", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a + b; }); }},
      {"arith.subi", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a - b; }); }},
      {"arith.muli", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a * b; }); }},
      {"arith.andi", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a & b; }); }},
      {"arith.ori", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a | b; }); }},
      {"arith.xori", [](Call c) { return wrapping(c, [](u64 a, u64 b) { return a ^ b; }); }},
      {"arith.maxsi",
       [](Call c) { return on_signed(c, [](i64 a, i64 b) { return std::max(a, b); }); }},
      {"arith.minsi",
       [](Call c) { return on_signed(c, [](i64 a, i64 b) { return std::min(a, b); }); }},
      {"arith.maxui",
       [](Call c) { return on_unsigned(c, [](u64 a, u64 b) { return std::max(a, b); }); }},
      {"arith.minui",
       [](Call c) { return on_unsigned(c, [](u64 a, u64 b) { return std::min(a, b); }); }},
      {"arith.divsi", [](Call c) { return on_signed(c, divide); }},
      {"arith.remsi", [](Call c) { return on_signed(c, remainder); }},
      {"arith.floordivsi", [](Call c) { return on_signed(c, floor_divide); }},
      {"arith.ceildivsi", [](Call c) { return on_signed(c, ceiling_divide); }},
      {"arith.divui", [](Call c) { return on_unsigned(c, divide_unsigned); }},
      {"arith.remui", [](Call c) { return on_unsigned(c, remainder_unsigned); }},
      {"arith.ceildivui", [](Call c) { return on_unsigned(c, ceiling_divide_unsigned); }},
      {"arith.shli", shift_left},
      {"arith.shrui", shift_right_unsigned},
      {"arith.shrsi", shift_right_signed},
      {"arith.cmpi", compare},
      {"math.absi", absolute},
      {"math.ctlz", leading_zeros},
      {"math.cttz", trailing_zeros},
      {"math.ctpop", count_ones},
  };
  return functions;
}

} // namespace

ScalarFunction find_integer_function(std::string_view name) {
  auto found = table().find(name);
  return found == table().end() ? nullptr : found->second;
}

} // namespace tilewright::reference
