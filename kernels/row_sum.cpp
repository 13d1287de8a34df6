// y = the sum of each row.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry row_sum() {
  auto kernel = tw::kernel("row_sum", [](tw::View<const float, 2> x, tw::View<float, 1> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      y(row).store(tw::sum(x(row, c).load(), c));
    }
  });
  return {"y = the sum of each row", kernel.source(), {{"x", false, "R,C"}, {"y", true, "R"}}};
}

} // namespace tilewright::kernels
