// Writes arithmetic on one packet: the same code for a scalar and for a vector of any width.
#pragma once

#include <cstdint>

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace tilewright::native {

/// Builds ops at one place on values of the type of `like`: f32 or f64, or a vector of them.
/// Integer values have the same number of bits and lanes.
class Lanes {
public:
  Lanes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type like)
      : builder_(builder), loc_(loc), real_(like),
        integer_(with_element(
            like,
            builder.getIntegerType(mlir::getElementTypeOrSelf(like).getIntOrFloatBitWidth()))) {}

  mlir::Value real(double value) {
    return constant(real_, builder_.getFloatAttr(mlir::getElementTypeOrSelf(real_), value));
  }
  mlir::Value integer(int64_t value) {
    return constant(integer_, builder_.getIntegerAttr(mlir::getElementTypeOrSelf(integer_), value));
  }

  mlir::Value add(mlir::Value a, mlir::Value b) { return make<mlir::arith::AddFOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return make<mlir::arith::SubFOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return make<mlir::arith::MulFOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return make<mlir::arith::DivFOp>(a, b); }
  mlir::Value neg(mlir::Value a) { return make<mlir::arith::NegFOp>(a); }
  mlir::Value absolute(mlir::Value a) { return make<mlir::math::AbsFOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return make<mlir::math::SqrtOp>(a); }
  /// a * b + c, rounded once.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return make<mlir::math::FmaOp>(a, b, c);
  }

  /// a < b ? a : b, which is one instruction; b when either is NaN or both are zeros.
  mlir::Value min_or_second(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::SelectOp>(compare(mlir::arith::CmpFPredicate::OLT, a, b), a, b);
  }
  /// a > b ? a : b; b when either is NaN or both are zeros.
  mlir::Value max_or_second(mlir::Value a, mlir::Value b) {
    return make<mlir::arith::SelectOp>(compare(mlir::arith::CmpFPredicate::OGT, a, b), a, b);
  }

  /// a > b ? -1 : 0 as integers.
  mlir::Value minus_one_where_more(mlir::Value a, mlir::Value b) {
    return mlir::arith::ExtSIOp::create(builder_, loc_, integer_,
                                        compare(mlir::arith::CmpFPredicate::OGT, a, b));
  }

  mlir::Value bits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder_, loc_, integer_, a);
  }
  mlir::Value from_bits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder_, loc_, real_, a);
  }
  mlir::Value add_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::AddIOp>(a, b); }
  mlir::Value sub_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::SubIOp>(a, b); }
  mlir::Value and_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::AndIOp>(a, b); }
  mlir::Value or_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::OrIOp>(a, b); }
  mlir::Value xor_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::XOrIOp>(a, b); }
  /// The larger of signed integers.
  mlir::Value max_bits(mlir::Value a, mlir::Value b) { return make<mlir::arith::MaxSIOp>(a, b); }
  /// Whether bit `bit` of the integer is one.
  mlir::Value is_bit_set(mlir::Value a, int bit) {
    mlir::Value one = and_bits(a, integer(int64_t{1} << bit));
    return mlir::arith::CmpIOp::create(builder_, loc_, mlir::arith::CmpIPredicate::ne, one,
                                       integer(0));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return make<mlir::arith::SelectOp>(condition, a, b);
  }
  mlir::Value shift_left(mlir::Value a, int64_t by) {
    return make<mlir::arith::ShLIOp>(a, integer(by));
  }

  mlir::OpBuilder &builder() { return builder_; }
  mlir::Location loc() const { return loc_; }

private:
  static mlir::Type with_element(mlir::Type like, mlir::Type element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(like))
      return vector.clone(element);
    return element;
  }

  mlir::Value constant(mlir::Type type, mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      value = mlir::SplatElementsAttr::get(vector, mlir::Attribute(value));
    return mlir::arith::ConstantOp::create(builder_, loc_, value);
  }

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder_, loc_, predicate, a, b);
  }

  template <typename Op, typename... Operands>
  mlir::Value make(Operands... operands) {
    return Op::create(builder_, loc_, operands...);
  }

  mlir::OpBuilder &builder_;
  mlir::Location loc_;
  mlir::Type real_;
  mlir::Type integer_;
};

} // namespace tilewright::native
