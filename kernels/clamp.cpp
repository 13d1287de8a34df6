// y = min(max(x, -1), 1).
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry clamp() {
  auto kernel = tw::kernel("clamp", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      y(row, c).store(tw::min(tw::max(x(row, c).load(), -1), 1));
    }
  });
  return {"y = min(max(x, -1), 1)", kernel.source(), {{"x", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
