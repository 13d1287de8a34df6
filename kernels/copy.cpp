// y = x.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry copy() {
  auto kernel = tw::kernel("copy", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      y(row, c).store(x(row, c).load());
    }
  });
  return {"y = x", kernel.source(), {{"x", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
