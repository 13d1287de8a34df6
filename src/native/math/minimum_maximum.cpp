#include "native/math/functions.h"

namespace tilewright::native {

using namespace mlir;

// The instruction gives its second operand when the two are unordered or both zero, so the two
// orders of operands differ exactly in those cases. Merging the bits keeps NaN (its exponent is all
// ones) and a minus sign, which is the smaller zero.
Value expand_minimum(Lanes &lanes, Value a, Value b) {
  Value one = lanes.bits(lanes.min_or_second(a, b));
  Value other = lanes.bits(lanes.min_or_second(b, a));
  return lanes.from_bits(lanes.or_bits(one, other));
}

// Merged as above, zeros of different sign give -0, and their difference is the sign bit alone,
// which is -0 too: -0 - -0 = +0. Where both orders agree, +0 is subtracted, which changes nothing.
Value expand_maximum(Lanes &lanes, Value a, Value b) {
  Value one = lanes.bits(lanes.max_or_second(a, b));
  Value other = lanes.bits(lanes.max_or_second(b, a));
  Value merged = lanes.from_bits(lanes.or_bits(one, other));
  Value difference = lanes.from_bits(lanes.xor_bits(one, other));
  return lanes.sub(merged, difference);
}

Value expand_minimum_number(Lanes &lanes, Value a, Value b) { return lanes.min_or_second(b, a); }

Value expand_maximum_number(Lanes &lanes, Value a, Value b) { return lanes.max_or_second(b, a); }

} // namespace tilewright::native
