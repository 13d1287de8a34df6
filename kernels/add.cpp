// y = a + b.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry add() {
  auto kernel = tw::kernel(
      "add", [](tw::View<const float, 2> a, tw::View<const float, 2> b, tw::View<float, 2> y) {
        auto [r, c] = a.axes("r", "c");
        for (auto &row : tw::parallel(r)) {
          y(row, c).store(a(row, c).load() + b(row, c).load());
        }
      });
  return {
      "y = a + b", kernel.source(), {{"a", false, "R,C"}, {"b", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
