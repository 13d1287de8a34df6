#include <cmath>
#include <iterator>

#include "native/math/exp_coefficients.h"
#include "native/math/functions.h"

namespace tilewright::native {

using namespace mlir;

namespace {

/// x = n ln 2 + r.
struct Reduced {
  Value shifted; ///< its low bits hold n + bias
  Value r;
};

/// Of x between `lowest` and `Table::highest`, or of the bound that x is beyond. NaN passes. `bias`
/// is even, so that n does not depend on it.
template <typename Table>
Reduced reduce(Lanes &lanes, Value x, double lowest, int bias) {
  // exp(-v) needs no negation before the bounds: they and the factors change sign with it, and
  // that of r becomes a part of the multiplications by it. Rounding is the same for both signs.
  auto negation = x.getDefiningOp<arith::NegFOp>();
  double sign = negation ? -1 : 1;
  if (negation) {
    x = negation.getOperand();
    x = lanes.max_or_second(lanes.real(-Table::highest), x);
    x = lanes.min_or_second(lanes.real(-lowest), x);
  } else {
    x = lanes.min_or_second(lanes.real(Table::highest), x);
    x = lanes.max_or_second(lanes.real(lowest), x);
  }
  Value rounder = lanes.real(Table::rounder + bias);
  Value shifted = lanes.fma(x, lanes.real(sign * Table::inverse_ln2), rounder);
  Value n = lanes.sub(shifted, rounder);
  Value r = lanes.fma(n, lanes.real(-sign * Table::ln2_high), x); // exact
  r = lanes.fma(n, lanes.real(-sign * Table::ln2_low), r);
  return {shifted, negation ? lanes.neg(r) : r};
}

/// factor * e^r, where the factor is a power of two and thus changes no bit but the exponent's.
template <typename Table>
Value polynomial(Lanes &lanes, Value r, double factor) {
  constexpr int count = std::size(Table::coefficients);
  Value p = lanes.real(factor * Table::coefficients[count - 1]);
  for (int i = count - 2; i >= 0; --i)
    p = lanes.fma(p, r, lanes.real(factor * Table::coefficients[i]));
  p = lanes.fma(p, r, lanes.real(factor));
  return lanes.fma(p, r, lanes.real(factor));
}

template <typename Table>
Value exp_by(Lanes &lanes, Value x) {
  // Outside these bounds the result is 0 or inf anyway, and inside n fits its bits.
  auto [shifted, r] = reduce<Table>(lanes, x, Table::lowest, 2 * Table::bias);
  Value p = polynomial<Table>(lanes, r, 1.0);

  // p 2^n in two factors, whose exponents m / 2 rounded down and up are those of normal numbers:
  // the first product is exact, and the second rounds once, into the subnormal numbers or to inf.
  Value m = lanes.bits(shifted);
  Value lower = lanes.and_bits(lanes.shift_left(m, Table::mantissa_bits - 1),
                               lanes.integer(-(int64_t{1} << Table::mantissa_bits)));
  Value upper = lanes.sub_bits(lanes.shift_left(m, Table::mantissa_bits), lower);
  return lanes.mul(lanes.mul(p, lanes.from_bits(lower)), lanes.from_bits(upper));
}

// Why fma(2 p, 2^(n - 1), c) has the bits of exp_by(x) + c for 2^-60 <= |c| <= 2^60:
// - Where exp_by(x) is a normal number it is p 2^n exactly, and both round its sum with c once.
// - Where it overflows, p 2^n >= 2^128 (f64: 2^1024), and |c| is less than half of the last place
//   there, so the fma overflows too. n - 1 is at most 127 (1023), the largest exponent.
// - Where x is below `lowest_added`, that is taken instead. exp of both is at most 2^-100, and c is
//   the number nearest to both sums: half of the distance to c's neighbours is at least 2^-85
//   (f64: exp is at most 2^-1009, half of the distance 2^-114). At `lowest_added`, n - 1 is still
//   the exponent of a normal number.
// - NaN passes through p.
template <typename Table>
ExpFactors factors_by(Lanes &lanes, Value x) {
  auto [shifted, r] = reduce<Table>(lanes, x, Table::lowest_added, Table::bias - 1);
  Value power = lanes.shift_left(lanes.bits(shifted), Table::mantissa_bits);
  return {polynomial<Table>(lanes, r, 2.0), lanes.from_bits(power)};
}

bool is_f32(Value x) { return getElementTypeOrSelf(x.getType()).isF32(); }

} // namespace

Value expand_exp(Lanes &lanes, Value x) {
  return is_f32(x) ? exp_by<ExpF32>(lanes, x) : exp_by<ExpF64>(lanes, x);
}

ExpFactors expand_exp_factors(Lanes &lanes, Value x) {
  return is_f32(x) ? factors_by<ExpF32>(lanes, x) : factors_by<ExpF64>(lanes, x);
}

bool adds_exp_exactly(double constant) {
  return std::fabs(constant) >= 0x1p-60 && std::fabs(constant) <= 0x1p60;
}

} // namespace tilewright::native
