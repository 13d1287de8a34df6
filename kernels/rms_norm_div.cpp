// y = x / sqrt(mean(x * x) + 1e-6) * gamma per row, one division per element.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry rms_norm_div() {
  auto kernel =
      tw::kernel("rms_norm_div", [](tw::View<const float, 2> x, tw::View<const float, 1> gamma,
                                    tw::View<float, 2> y) {
        auto [r, c] = x.axes("r", "c");
        for (auto &row : tw::parallel(r)) {
          auto v = x(row, c).load();
          auto mean = tw::sum(v * v, c) / c.extent();
          y(row, c).store(v / tw::sqrt(mean + 1e-6f) * gamma(c).load());
        }
      });
  return {"y = x / sqrt(mean(x * x) + 1e-6) * gamma per row, one division per element",
          kernel.source(),
          {{"x", false, "R,C"}, {"gamma", false, "C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
