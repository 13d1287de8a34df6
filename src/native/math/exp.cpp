#include <cmath>
#include <iterator>

#include "native/math/exp_coefficients.h"
#include "native/math/functions.h"
#include "native/math/look_up.h"

namespace tilewright::native {

using namespace mlir;

namespace {

/// x = k step + sign r, where 2^step_bits steps are ln 2.
struct Reduced {
  Value shifted; ///< its low bits hold k + bias 2^step_bits
  double sign;
  Value near_r; ///< ready before r, and off by no more than k step_low
  Value r;
};

/// Whether x may be above `Table::highest`.
enum class Highest { test, never };

/// Of x between `lowest` and `Table::highest`, or of the bound that x is beyond. NaN passes. What
/// is added to k is even, so that k does not depend on it.
template <typename Table>
Reduced reduce(Lanes &lanes, Value x, double lowest, int bias, Highest highest = Highest::test) {
  // exp(-v) needs no negation: the bounds and the factors change sign with it, and r keeps the
  // other one. Rounding is the same for both signs.
  auto negation = highest == Highest::test ? x.getDefiningOp<arith::NegFOp>() : arith::NegFOp();
  double sign = negation ? -1 : 1;
  if (negation) {
    x = negation.getOperand();
    x = lanes.max_or_second(lanes.real(-Table::highest), x);
    x = lanes.min_or_second(lanes.real(-lowest), x);
  } else {
    if (highest == Highest::test)
      x = lanes.min_or_second(lanes.real(Table::highest), x);
    x = lanes.max_or_second(lanes.real(lowest), x);
  }
  Value rounder = lanes.real(Table::rounder + (bias << Table::step_bits));
  Value shifted = lanes.fma(x, lanes.real(sign * Table::inverse_step), rounder);
  Value k = lanes.sub(shifted, rounder);
  Value near_r = lanes.fma(k, lanes.real(-sign * Table::step_high), x); // exact
  Value r = lanes.fma(k, lanes.real(-sign * Table::step_low), near_r);
  return {shifted, sign, near_r, r};
}

/// The sum of factor c_i (sign r)^i, where the factor is a power of two and thus changes no bit but
/// the exponent's. `last_r` stands for the r of the highest degree.
template <typename Table>
Value polynomial(Lanes &lanes, const Reduced &reduced, Value last_r, double factor) {
  constexpr int degree = std::size(Table::coefficients) - 1;
  auto coefficient = [&](int i) {
    return lanes.real((i % 2 == 0 ? factor : reduced.sign * factor) * Table::coefficients[i]);
  };
  Value p = lanes.fma(coefficient(degree), last_r, coefficient(degree - 1));
  for (int i = degree - 2; i >= 0; --i)
    p = lanes.fma(p, reduced.r, coefficient(i));
  return p;
}

/// 2^m as two factors, whose exponents m / 2 rounded down and up are those of normal numbers.
/// `bits` is m + 2 bias, above `low` bits that do not count.
template <typename Table>
Value lower_factor(Lanes &lanes, Value bits, int low) {
  return lanes.and_bits(lanes.shift_left(bits, Table::mantissa_bits - low - 1),
                        lanes.integer(-(int64_t{1} << Table::mantissa_bits)));
}

// e^x for f32 is 2^n T (1 + p), where k = 8 n + j, T is entry j of the table and p the polynomial
// of r. The table holds the bits of T less those of 2^bias and less those that k's low three bits
// become when `shifted` moves to the exponent's place: adding moves both back.

/// p. Its cubic term changes by less than 2^-33 when r is off by k step_low, and so need not wait.
Value cubic(Lanes &lanes, const Reduced &reduced) {
  return polynomial<ExpF32>(lanes, reduced, reduced.near_r, 1.0);
}

/// A power of two times T, whose exponent comes from `shifted`.
Value scale(Lanes &lanes, const Target &target, Value shifted) {
  Value entry = look_up(lanes, target, ExpF32::table, lanes.bits(shifted));
  return lanes.add_bits(
      entry, lanes.shift_left(lanes.bits(shifted), ExpF32::mantissa_bits - ExpF32::step_bits));
}

Value exp_f32(Lanes &lanes, const Target &target, Value x) {
  // Outside these bounds the result is as at the bounds, and inside n fits its bits.
  auto reduced = reduce<ExpF32>(lanes, x, ExpF32::lowest, 2 * ExpF32::bias);
  Value p = cubic(lanes, reduced);
  // The first factor and T are one, and so e^x is a normal number times a power of two: exact, or
  // rounded once more to a subnormal number.
  Value lower = lower_factor<ExpF32>(lanes, lanes.bits(reduced.shifted), ExpF32::step_bits);
  Value upper = lanes.from_bits(lanes.sub_bits(scale(lanes, target, reduced.shifted), lower));
  return lanes.mul(lanes.fma(upper, p, upper), lanes.from_bits(lower));
}

// Why this has the bits of exp_f32(x) for x <= 0:
// - 2^(n + spare) T is a normal number for all x whose exp is not 0, and so its fma rounds as
// there.
//   The product with 2^-spare is exact, or rounds once more to a subnormal number.
// - Far below, n + spare is no exponent: the sum of bits is negative, and 0 takes its place,
// without
//   an underflow. At `lowest`, n is -252.
// - NaN passes through p.
Value exp_f32_of_never_positive(Lanes &lanes, const Target &target, Value x) {
  constexpr int spare = 64;
  auto reduced = reduce<ExpF32>(lanes, x, ExpF32::lowest, ExpF32::bias + spare, Highest::never);
  Value p = cubic(lanes, reduced);
  Value factor =
      lanes.from_bits(lanes.max_bits(scale(lanes, target, reduced.shifted), lanes.integer(0)));
  return lanes.mul(lanes.fma(factor, p, factor), lanes.real(std::ldexp(1.0, -spare)));
}

// Why this, for x no lower than `lowest_added`, has a sum with c of the bits of exp_f32(x) + c for
// 2^-60 <= |c| <= 2^60:
// - 2^n T is a normal number here: T for j = 0 is below 1, so even 2^128 T is, the largest. Thus
//   fma(2^n T, p, 2^n T) rounds as the factors of exp_f32 do, and overflows where they do.
// - Where x is below `lowest_added`, that is taken instead. exp of both is at most 2^-100, and c is
//   the number nearest to both sums: half of the distance to c's neighbours is at least 2^-85.
// - NaN passes through p.
AddedExp exp_f32_to_add(Lanes &lanes, const Target &target, Value x) {
  auto reduced = reduce<ExpF32>(lanes, x, ExpF32::lowest_added, ExpF32::bias);
  Value p = cubic(lanes, reduced);
  Value factor = lanes.from_bits(scale(lanes, target, reduced.shifted));
  return {lanes.fma(factor, p, factor), {}};
}

Value exp_f64(Lanes &lanes, Value x) {
  auto reduced = reduce<ExpF64>(lanes, x, ExpF64::lowest, 2 * ExpF64::bias);
  Value p = polynomial<ExpF64>(lanes, reduced, reduced.r, 1.0);
  // The first product is exact, and the second rounds once, into the subnormal numbers or to inf.
  Value m = lanes.bits(reduced.shifted);
  Value lower = lower_factor<ExpF64>(lanes, m, 0);
  Value upper = lanes.sub_bits(lanes.shift_left(m, ExpF64::mantissa_bits), lower);
  return lanes.mul(lanes.mul(p, lanes.from_bits(lower)), lanes.from_bits(upper));
}

// Why fma(2 p, 2^(n - 1), c) has the bits of exp_f64(x) + c for 2^-60 <= |c| <= 2^60:
// - Where exp_f64(x) is a normal number it is p 2^n exactly, and both round its sum with c once.
// - Where it overflows, p 2^n >= 2^1024, and |c| is less than half of the last place there, so the
//   fma overflows too. n - 1 is at most 1023, the largest exponent.
// - Where x is below `lowest_added`, that is taken instead. exp of both is at most 2^-1009, and c
//   is the number nearest to both sums: half of the distance to c's neighbours is at least 2^-114.
//   At `lowest_added`, n - 1 is still the exponent of a normal number.
// - NaN passes through p.
AddedExp exp_f64_to_add(Lanes &lanes, Value x) {
  auto reduced = reduce<ExpF64>(lanes, x, ExpF64::lowest_added, ExpF64::bias - 1);
  Value power = lanes.shift_left(lanes.bits(reduced.shifted), ExpF64::mantissa_bits);
  return {polynomial<ExpF64>(lanes, reduced, reduced.r, 2.0), lanes.from_bits(power)};
}

bool is_f32(Value x) { return getElementTypeOrSelf(x.getType()).isF32(); }

} // namespace

Value expand_exp(Lanes &lanes, const Target &target, Value x) {
  return is_f32(x) ? exp_f32(lanes, target, x) : exp_f64(lanes, x);
}

Value expand_exp_of_never_positive(Lanes &lanes, const Target &target, Value x) {
  return exp_f32_of_never_positive(lanes, target, x);
}

AddedExp expand_exp_to_add(Lanes &lanes, const Target &target, Value x) {
  return is_f32(x) ? exp_f32_to_add(lanes, target, x) : exp_f64_to_add(lanes, x);
}

bool adds_exp_exactly(double constant) {
  return std::fabs(constant) >= 0x1p-60 && std::fabs(constant) <= 0x1p60;
}

} // namespace tilewright::native
