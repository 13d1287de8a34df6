#include "native/math/expand_math.h"

namespace tilewright::native {

mlir::LogicalResult expand_math(mlir::ModuleOp, const Target &, std::vector<std::string> &) {
  return mlir::success();
}

} // namespace tilewright::native
