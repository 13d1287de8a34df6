// y = exp(x - max) / sum(exp(x - max)) per row, one division per row.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry softmax() {
  auto kernel = tw::kernel("softmax", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      auto v = x(row, c).load();
      auto e = tw::exp(v - tw::max(v, c));
      y(row, c).store(e * (1 / tw::sum(e, c)));
    }
  });
  return {"y = exp(x - max) / sum(exp(x - max)) per row, one division per row",
          kernel.source(),
          {{"x", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
