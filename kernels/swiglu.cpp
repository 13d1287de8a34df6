// y = a / (1 + exp(-a)) * b.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry swiglu() {
  auto kernel = tw::kernel(
      "swiglu", [](tw::View<const float, 2> a, tw::View<const float, 2> b, tw::View<float, 2> y) {
        auto [r, c] = a.axes("r", "c");
        for (auto &row : tw::parallel(r)) {
          auto v = a(row, c).load();
          y(row, c).store(v / (1 + tw::exp(-v)) * b(row, c).load());
        }
      });
  return {"y = a / (1 + exp(-a)) * b",
          kernel.source(),
          {{"a", false, "R,C"}, {"b", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
