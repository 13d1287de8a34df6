#include "lower/index_math.h"

#include "mlir/IR/Matchers.h"

namespace tilewright::lower {

namespace arith = mlir::arith;

mlir::Value IndexMath::constant(int64_t value) {
  return arith::ConstantIndexOp::create(builder_, location_, value);
}

mlir::Value IndexMath::add(mlir::Value a, mlir::Value b) {
  return builder_.createOrFold<arith::AddIOp>(location_, a, b);
}

mlir::Value IndexMath::sub(mlir::Value a, mlir::Value b) {
  return builder_.createOrFold<arith::SubIOp>(location_, a, b);
}

mlir::Value IndexMath::mul(mlir::Value a, mlir::Value b) {
  return builder_.createOrFold<arith::MulIOp>(location_, a, b);
}

mlir::Value IndexMath::div(mlir::Value a, mlir::Value b) {
  return builder_.createOrFold<arith::DivUIOp>(location_, a, b);
}

mlir::Value IndexMath::mod(mlir::Value a, mlir::Value b) {
  return builder_.createOrFold<arith::RemUIOp>(location_, a, b);
}

mlir::Value IndexMath::round_down(mlir::Value value, int64_t step) {
  return builder_.createOrFold<arith::AndIOp>(location_, value, constant(-step));
}

std::optional<int64_t> IndexMath::known(mlir::Value value) {
  llvm::APInt constant;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return std::nullopt;
  return constant.getSExtValue();
}

}  // namespace tilewright::lower
