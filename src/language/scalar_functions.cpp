#include "language/scalar_functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/ErrorHandling.h"

namespace tilewright::language {

namespace arith = mlir::arith;
namespace math = mlir::math;
using detail::Function;
using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;

mlir::Type scalar_type(mlir::MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::f32:
    return mlir::Float32Type::get(context);
  case ElementType::f64:
    return mlir::Float64Type::get(context);
  case ElementType::boolean:
    return mlir::IntegerType::get(context, 1);
  default:
    return mlir::IntegerType::get(context, static_cast<unsigned>(8 * byte_size(type)));
  }
}

mlir::Type memory_type(mlir::MLIRContext *context, ElementType type) {
  return scalar_type(context, type == ElementType::boolean ? ElementType::i8 : type);
}

bool is_floating(ElementType type) { return type == ElementType::f32 || type == ElementType::f64; }

bool is_signed(ElementType type) {
  return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 ||
         type == ElementType::i64;
}

ElementType result_type(Function function, ElementType operand) {
  bool compares = function >= Function::less && function <= Function::not_equal;
  return compares ? ElementType::boolean : operand;
}

std::string spelling(Function function) {
  switch (function) {
  case Function::negate:
    return "-a";
  case Function::absolute:
    return "tw::abs(a)";
  case Function::square_root:
    return "tw::sqrt(a)";
  case Function::reciprocal_square_root:
    return "tw::rsqrt(a)";
  case Function::exponential:
    return "tw::exp(a)";
  case Function::error_function:
    return "tw::erf(a)";
  case Function::hyperbolic_tangent:
    return "tw::tanh(a)";
  case Function::logical_not:
    return "!a";
  case Function::add:
    return "a + b";
  case Function::subtract:
    return "a - b";
  case Function::multiply:
    return "a * b";
  case Function::divide:
    return "a / b";
  case Function::remainder:
    return "a % b";
  case Function::minimum:
    return "tw::min(a, b)";
  case Function::maximum:
    return "tw::max(a, b)";
  case Function::less:
    return "a < b";
  case Function::less_equal:
    return "a <= b";
  case Function::greater:
    return "a > b";
  case Function::greater_equal:
    return "a >= b";
  case Function::equal:
    return "a == b";
  case Function::not_equal:
    return "a != b";
  case Function::logical_and:
    return "a & b";
  case Function::logical_or:
    return "a | b";
  case Function::logical_xor:
    return "a ^ b";
  case Function::fused_multiply_add:
    return "tw::fma(a, b, c)";
  case Function::select:
    return "tw::ite(condition, a, b)";
  }
  llvm_unreachable("every function has a spelling");
}

namespace {

Value integer(OpBuilder &builder, Location location, mlir::Type type, int64_t value) {
  return arith::ConstantOp::create(
      builder, location,
      builder.getIntegerAttr(type, llvm::APInt(type.getIntOrFloatBitWidth(),
                                               static_cast<uint64_t>(value), false, true)));
}

Value floating(OpBuilder &builder, Location location, mlir::Type type, double value) {
  return arith::ConstantOp::create(builder, location, builder.getFloatAttr(type, value));
}

/// x / 0 = 0, x % 0 = x, least / -1 = least, x % -1 = 0, and nothing traps.
Value emit_integer_division(OpBuilder &builder, Location location, bool quotient, ElementType type,
                            Value a, Value b) {
  mlir::Type scalar = a.getType();
  Value zero = integer(builder, location, scalar, 0);
  Value one = integer(builder, location, scalar, 1);
  Value by_zero = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, b, zero);
  if (!is_signed(type)) {
    Value divisor = arith::SelectOp::create(builder, location, by_zero, one, b);
    Value result = quotient ? arith::DivUIOp::create(builder, location, a, divisor).getResult()
                            : arith::RemUIOp::create(builder, location, a, divisor).getResult();
    return arith::SelectOp::create(builder, location, by_zero, quotient ? zero : a, result);
  }
  Value minus_one = integer(builder, location, scalar, -1);
  Value negates = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq, b, minus_one);
  Value unsafe = arith::OrIOp::create(builder, location, by_zero, negates);
  Value divisor = arith::SelectOp::create(builder, location, unsafe, one, b);
  if (quotient) {
    Value result = arith::DivSIOp::create(builder, location, a, divisor);
    Value negated = arith::SubIOp::create(builder, location, zero, a);
    result = arith::SelectOp::create(builder, location, negates, negated, result);
    return arith::SelectOp::create(builder, location, by_zero, zero, result);
  }
  // With the divisor 1 the remainder is 0, which is right for -1.
  Value result = arith::RemSIOp::create(builder, location, a, divisor);
  return arith::SelectOp::create(builder, location, by_zero, a, result);
}

Value emit_comparison(OpBuilder &builder, Location location, Function function, ElementType type,
                      Value a, Value b) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Predicates {
    F floating;
    I with_sign, without_sign;
  };
  constexpr Predicates predicates[] = {{F::OLT, I::slt, I::ult}, {F::OLE, I::sle, I::ule},
                                       {F::OGT, I::sgt, I::ugt}, {F::OGE, I::sge, I::uge},
                                       {F::OEQ, I::eq, I::eq},   {F::UNE, I::ne, I::ne}};
  const Predicates &row = predicates[static_cast<int>(function) - static_cast<int>(Function::less)];
  if (is_floating(type))
    return arith::CmpFOp::create(builder, location, row.floating, a, b);
  return arith::CmpIOp::create(builder, location,
                               is_signed(type) ? row.with_sign : row.without_sign, a, b);
}

/// `of_floats`, `of_signed` or `of_unsigned` of the operands, as the element type asks.
template <typename OfFloats, typename OfSigned, typename OfUnsigned = OfSigned>
Value emit_by_type(OpBuilder &builder, Location location, ElementType type,
                   mlir::ValueRange operands) {
  if (is_floating(type))
    return OfFloats::create(builder, location, operands[0], operands[1]);
  if (is_signed(type))
    return OfSigned::create(builder, location, operands[0], operands[1]);
  return OfUnsigned::create(builder, location, operands[0], operands[1]);
}

} // namespace

Value emit_function(OpBuilder &builder, Location location, Function function, ElementType type,
                    mlir::ValueRange operands) {
  Value a = operands[0];
  switch (function) {
  case Function::negate:
    if (is_floating(type))
      return arith::NegFOp::create(builder, location, a);
    return arith::SubIOp::create(builder, location, integer(builder, location, a.getType(), 0), a);
  case Function::absolute:
    if (is_floating(type))
      return math::AbsFOp::create(builder, location, a);
    return is_signed(type) ? math::AbsIOp::create(builder, location, a).getResult() : a;
  case Function::square_root:
    return math::SqrtOp::create(builder, location, a);
  case Function::reciprocal_square_root:
    return math::RsqrtOp::create(builder, location, a);
  case Function::exponential:
    return math::ExpOp::create(builder, location, a);
  case Function::error_function:
    return math::ErfOp::create(builder, location, a);
  case Function::hyperbolic_tangent:
    return math::TanhOp::create(builder, location, a);
  case Function::logical_not:
    return arith::XOrIOp::create(builder, location, a, integer(builder, location, a.getType(), 1));
  case Function::add:
    return emit_by_type<arith::AddFOp, arith::AddIOp>(builder, location, type, operands);
  case Function::subtract:
    return emit_by_type<arith::SubFOp, arith::SubIOp>(builder, location, type, operands);
  case Function::multiply:
    return emit_by_type<arith::MulFOp, arith::MulIOp>(builder, location, type, operands);
  case Function::divide:
  case Function::remainder:
    if (is_floating(type))
      return arith::DivFOp::create(builder, location, a, operands[1]);
    return emit_integer_division(builder, location, function == Function::divide, type, a,
                                 operands[1]);
  case Function::minimum:
    return emit_by_type<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>(builder, location, type,
                                                                           operands);
  case Function::maximum:
    return emit_by_type<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(builder, location, type,
                                                                           operands);
  case Function::less:
  case Function::less_equal:
  case Function::greater:
  case Function::greater_equal:
  case Function::equal:
  case Function::not_equal:
    return emit_comparison(builder, location, function, type, a, operands[1]);
  case Function::logical_and:
    return arith::AndIOp::create(builder, location, a, operands[1]);
  case Function::logical_or:
    return arith::OrIOp::create(builder, location, a, operands[1]);
  case Function::logical_xor:
    return arith::XOrIOp::create(builder, location, a, operands[1]);
  case Function::fused_multiply_add:
    return math::FmaOp::create(builder, location, a, operands[1], operands[2]);
  case Function::select:
    return arith::SelectOp::create(builder, location, a, operands[1], operands[2]);
  }
  llvm_unreachable("every function has an operation");
}

namespace {

/// Truncates and saturates; NaN gives 0. The conversion itself sees representable values only.
Value emit_float_to_integer(OpBuilder &builder, Location location, ElementType to, Value value) {
  mlir::Type from = value.getType();
  mlir::Type scalar = scalar_type(builder.getContext(), to);
  unsigned bits = scalar.getIntOrFloatBitWidth();
  bool with_sign = is_signed(to);
  // The bounds are powers of two, so they are exact in both floating types.
  double above = with_sign ? std::ldexp(1.0, static_cast<int>(bits) - 1)
                           : std::ldexp(1.0, static_cast<int>(bits));
  Value high = floating(builder, location, from, above);
  Value low = floating(builder, location, from, with_sign ? -above : 0.0);
  Value fits_below =
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OGE, value, low);
  Value fits_above =
      arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT, value, high);
  Value fits = arith::AndIOp::create(builder, location, fits_below, fits_above);
  Value zero = floating(builder, location, from, 0.0);
  Value safe = arith::SelectOp::create(builder, location, fits, value, zero);
  Value converted = with_sign
                        ? arith::FPToSIOp::create(builder, location, scalar, safe).getResult()
                        : arith::FPToUIOp::create(builder, location, scalar, safe).getResult();
  llvm::APInt least =
      with_sign ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits);
  llvm::APInt most =
      with_sign ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  auto bound = [&](const llvm::APInt &bits_of) -> Value {
    return arith::ConstantOp::create(builder, location, builder.getIntegerAttr(scalar, bits_of));
  };
  Value too_high = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OGE, value, high);
  Value too_low = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OLT, value, low);
  converted = arith::SelectOp::create(builder, location, too_high, bound(most), converted);
  return arith::SelectOp::create(builder, location, too_low, bound(least), converted);
}

} // namespace

Value emit_cast(OpBuilder &builder, Location location, ElementType from, ElementType to,
                Value value) {
  if (from == to)
    return value;
  mlir::Type scalar = scalar_type(builder.getContext(), to);
  if (to == ElementType::boolean) {
    if (is_floating(from))
      return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE, value,
                                   floating(builder, location, value.getType(), 0.0));
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, value,
                                 integer(builder, location, value.getType(), 0));
  }
  if (is_floating(from)) {
    if (!is_floating(to))
      return emit_float_to_integer(builder, location, to, value);
    if (to == ElementType::f64)
      return arith::ExtFOp::create(builder, location, scalar, value);
    return arith::TruncFOp::create(builder, location, scalar, value);
  }
  if (is_floating(to)) {
    if (is_signed(from))
      return arith::SIToFPOp::create(builder, location, scalar, value);
    return arith::UIToFPOp::create(builder, location, scalar, value);
  }
  unsigned old_bits = value.getType().getIntOrFloatBitWidth();
  unsigned new_bits = scalar.getIntOrFloatBitWidth();
  if (new_bits == old_bits)
    return value;
  if (new_bits < old_bits)
    return arith::TruncIOp::create(builder, location, scalar, value);
  if (is_signed(from))
    return arith::ExtSIOp::create(builder, location, scalar, value);
  return arith::ExtUIOp::create(builder, location, scalar, value);
}

Value emit_index_cast(OpBuilder &builder, Location location, ElementType to, Value value) {
  Value wide = arith::IndexCastOp::create(builder, location, builder.getI64Type(), value);
  return emit_cast(builder, location, ElementType::i64, to, wide);
}

} // namespace tilewright::language
