#include <iterator>

#include "native/math/erf_coefficients.h"
#include "native/math/functions.h"
#include "native/math/look_up.h"

namespace tilewright::native {

using namespace mlir;

// The range has four pieces, because four entries are what the cheapest look-up of AVX reads. One
// quotient of polynomials of degree five in x^2 needs no look-up, and is off by four ULP.
// In the first piece, m is t: the smallest results are t + t P, where P is near 2 / sqrt(pi) - 1.
// m P is at most a quarter of m, and so little of its rounding is seen.
Value expand_erf_f32(Lanes &lanes, const Target &target, Value x) {
  Value t = lanes.absolute(x);
  t = lanes.min_or_second(lanes.real(ErfF32::limit), t); // NaN passes, also through u and P
  Value piece;
  for (float bound : ErfF32::bounds) {
    Value above = lanes.minus_one_where_more(t, lanes.real(bound));
    piece = piece ? lanes.add_bits(piece, above) : above;
  }
  Value m = lanes.min_or_second(t, lanes.real(ErfF32::bounds[0]));
  auto entry = [&](const float (&table)[4]) { return look_up(lanes, target, table, piece); };
  Value u = lanes.fma(m, t, entry(ErfF32::minus_centers));
  constexpr int degree = std::size(ErfF32::coefficients) - 1;
  static_assert(degree % 2 == 1);
  // Two chains of half the length, in u^2: a packet takes as long as its longest chain.
  Value square = lanes.mul(u, u);
  Value odd = entry(ErfF32::coefficients[degree]), even = entry(ErfF32::coefficients[degree - 1]);
  for (int i = degree - 2; i >= 1; i -= 2) {
    odd = lanes.fma(odd, square, entry(ErfF32::coefficients[i]));
    even = lanes.fma(even, square, entry(ErfF32::coefficients[i - 1]));
  }
  Value p = lanes.fma(odd, u, even);
  Value sign = lanes.and_bits(lanes.bits(x), lanes.integer(INT32_MIN));
  return lanes.from_bits(lanes.or_bits(lanes.bits(lanes.fma(m, p, m)), sign));
}

} // namespace tilewright::native
