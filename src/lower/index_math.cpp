#include "lower/index_math.h"

#include "mlir/IR/Matchers.h"

namespace tilewright::lower {

namespace arith = mlir::arith;

mlir::Value IndexMath::constant(int64_t value) {
  mlir::Value &constant = constants_[value];
  if (!constant) {
    mlir::OpBuilder start = mlir::OpBuilder::atBlockBegin(&phase_);
    constant = arith::ConstantIndexOp::create(start, location_, value);
  }
  return constant;
}

template <typename Op, typename Fold>
mlir::Value IndexMath::emit(mlir::Value a, mlir::Value b, Fold fold) {
  std::optional<int64_t> left = known(a), right = known(b);
  if (left && right)
    return constant(fold(*left, *right));
  return Op::create(builder_, location_, a, b);
}

mlir::Value IndexMath::add(mlir::Value a, mlir::Value b) {
  if (known(a) == 0)
    return b;
  if (known(b) == 0)
    return a;
  return emit<arith::AddIOp>(a, b, [](int64_t x, int64_t y) { return x + y; });
}

mlir::Value IndexMath::sub(mlir::Value a, mlir::Value b) {
  if (known(b) == 0)
    return a;
  return emit<arith::SubIOp>(a, b, [](int64_t x, int64_t y) { return x - y; });
}

mlir::Value IndexMath::mul(mlir::Value a, mlir::Value b) {
  if (known(a) == 1)
    return b;
  if (known(b) == 1)
    return a;
  return emit<arith::MulIOp>(a, b, [](int64_t x, int64_t y) { return x * y; });
}

mlir::Value IndexMath::div(mlir::Value a, mlir::Value b) {
  return emit<arith::DivUIOp>(a, b, [](int64_t x, int64_t y) { return x / y; });
}

mlir::Value IndexMath::mod(mlir::Value a, mlir::Value b) {
  return emit<arith::RemUIOp>(a, b, [](int64_t x, int64_t y) { return x % y; });
}

mlir::Value IndexMath::bit_and(mlir::Value a, mlir::Value b) {
  return emit<arith::AndIOp>(a, b, [](int64_t x, int64_t y) { return x & y; });
}

mlir::Value IndexMath::round_down(mlir::Value value, int64_t step) {
  return bit_and(value, constant(-step));
}

std::optional<int64_t> IndexMath::known(mlir::Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

} // namespace tilewright::lower
