#include <iterator>

#include "native/math/exp_coefficients.h"
#include "native/math/functions.h"

namespace tilewright::native {

using namespace mlir;

template <typename Table, int mantissa_bits>
static Value exp_by(Lanes &lanes, Value x) {
  // Outside these bounds the result is 0 or inf anyway, and inside n fits its bits. NaN passes.
  x = lanes.min_or_second(lanes.real(Table::highest), x);
  x = lanes.max_or_second(lanes.real(Table::lowest), x);

  // x = n ln 2 + r. The sum's low bits hold m = n + 2 * bias.
  Value shifted = lanes.fma(x, lanes.real(Table::inverse_ln2), lanes.real(Table::rounder));
  Value n = lanes.sub(shifted, lanes.real(Table::rounder));
  Value r = lanes.fma(n, lanes.real(-Table::ln2_high), x); // exact
  r = lanes.fma(n, lanes.real(-Table::ln2_low), r);

  constexpr int count = std::size(Table::coefficients);
  Value p = lanes.real(Table::coefficients[count - 1]);
  for (int i = count - 2; i >= 0; --i)
    p = lanes.fma(p, r, lanes.real(Table::coefficients[i]));
  p = lanes.fma(p, r, lanes.real(1.0));
  p = lanes.fma(p, r, lanes.real(1.0));

  // p 2^n in two factors, whose exponents m / 2 rounded down and up are those of normal numbers:
  // the first product is exact, and the second rounds once, into the subnormal numbers or to inf.
  Value m = lanes.bits(shifted);
  Value lower = lanes.and_bits(lanes.shift_left(m, mantissa_bits - 1),
                               lanes.integer(-(int64_t{1} << mantissa_bits)));
  Value upper = lanes.sub_bits(lanes.shift_left(m, mantissa_bits), lower);
  return lanes.mul(lanes.mul(p, lanes.from_bits(lower)), lanes.from_bits(upper));
}

Value expand_exp(Lanes &lanes, Value x) {
  if (getElementTypeOrSelf(x.getType()).isF32())
    return exp_by<ExpF32, 23>(lanes, x);
  return exp_by<ExpF64, 52>(lanes, x);
}

} // namespace tilewright::native
