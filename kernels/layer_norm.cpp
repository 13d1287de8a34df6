// y = (x - mean) * rsqrt(variance + 1e-5) * gamma + beta per row, biased variance.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry layer_norm() {
  auto kernel =
      tw::kernel("layer_norm", [](tw::View<const float, 2> x, tw::View<const float, 1> gamma,
                                  tw::View<const float, 1> beta, tw::View<float, 2> y) {
        auto [r, c] = x.axes("r", "c");
        for (auto &row : tw::parallel(r)) {
          auto v = x(row, c).load();
          auto centred = v - tw::sum(v, c) / c.extent();
          auto variance = tw::sum(centred * centred, c) / c.extent();
          auto scale = tw::rsqrt(variance + 1e-5f);
          y(row, c).store(centred * scale * gamma(c).load() + beta(c).load());
        }
      });
  return {"y = (x - mean) * rsqrt(variance + 1e-5) * gamma + beta per row, biased variance",
          kernel.source(),
          {{"x", false, "R,C"}, {"gamma", false, "C"}, {"beta", false, "C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
