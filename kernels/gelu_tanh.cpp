// y = 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry gelu_tanh() {
  auto kernel = tw::kernel("gelu_tanh", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      auto v = x(row, c).load();
      auto inner = 0.7978845608f * (v + 0.044715f * v * v * v);
      y(row, c).store(0.5f * v * (1 + tw::tanh(inner)));
    }
  });
  return {"y = 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))",
          kernel.source(),
          {{"x", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
