#include "lower/inside_points.h"

namespace tilewright::lower {

namespace arith = mlir::arith;

namespace {

mlir::Value compare(mlir::OpBuilder &builder, mlir::Location location,
                    arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
  return b ? arith::CmpIOp::create(builder, location, predicate, a, b).getResult() : mlir::Value();
}

/// The conjunction; of a null it is the other one.
mlir::Value both(mlir::OpBuilder &builder, mlir::Location location, mlir::Value a, mlir::Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, location, a, b);
}

} // namespace

// Positions in order have a distance of less than 2^64, whatever the difference as a signed number.
mlir::Value points_between(mlir::OpBuilder &builder, IndexMath &index, mlir::Location location,
                           mlir::Value from, mlir::Value to, mlir::Value length) {
  std::optional<int64_t> first = IndexMath::known(from), last = IndexMath::known(to),
                         most = IndexMath::known(length);
  if (first && last && most) {
    uint64_t distance = static_cast<uint64_t>(*last) - static_cast<uint64_t>(*first);
    auto points = std::min(distance, static_cast<uint64_t>(*most));
    return index.constant(*first <= *last ? static_cast<int64_t>(points) : 0);
  }
  mlir::Value in_order = compare(builder, location, arith::CmpIPredicate::sle, from, to);
  mlir::Value points = arith::MinUIOp::create(builder, location, index.sub(to, from), length);
  return arith::SelectOp::create(builder, location, in_order, points, index.constant(0));
}

mlir::Value is_inside(mlir::OpBuilder &builder, mlir::Location location, const InsidePoints &points,
                      mlir::Value element) {
  return both(builder, location,
              compare(builder, location, arith::CmpIPredicate::sge, element, points.first),
              compare(builder, location, arith::CmpIPredicate::slt, element, points.last));
}

mlir::Value are_inside(mlir::OpBuilder &builder, mlir::Location location,
                       const InsidePoints &points, mlir::Value begin, mlir::Value end) {
  return both(builder, location,
              compare(builder, location, arith::CmpIPredicate::sge, begin, points.first),
              compare(builder, location, arith::CmpIPredicate::sle, end, points.last));
}

} // namespace tilewright::lower
