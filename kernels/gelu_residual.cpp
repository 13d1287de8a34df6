// y = 0.5 x (1 + erf(x / sqrt(2))) + r.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

#include <numbers>

namespace tilewright::kernels {

namespace tw = tilewright;

Entry gelu_residual() {
  auto kernel = tw::kernel("gelu_residual", [](tw::View<const float, 2> x,
                                               tw::View<const float, 2> r, tw::View<float, 2> y) {
    auto [rows, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(rows)) {
      auto v = x(row, c).load();
      auto doubled = 1 + tw::erf(v * (0.5f * std::numbers::sqrt2_v<float>));
      y(row, c).store(0.5f * v * doubled + r(row, c).load());
    }
  });
  return {"y = 0.5 x (1 + erf(x / sqrt(2))) + r",
          kernel.source(),
          {{"x", false, "R,C"}, {"r", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
