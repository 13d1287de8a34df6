// y = x / (1 + exp(-x)).
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry silu() {
  auto kernel = tw::kernel("silu", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      auto v = x(row, c).load();
      y(row, c).store(v / (1 + tw::exp(-v)));
    }
  });
  return {"y = x / (1 + exp(-x))", kernel.source(), {{"x", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
