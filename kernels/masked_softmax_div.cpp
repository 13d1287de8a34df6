// softmax of the scores whose mask is true, per row; zeros where none is; a division per element.
#include <limits>

#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry masked_softmax_div() {
  auto kernel =
      tw::kernel("masked_softmax_div", [](tw::View<const float, 2> scores,
                                          tw::View<const bool, 2> mask, tw::View<float, 2> y) {
        constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
        auto [r, c] = scores.axes("r", "c");
        for (auto &row : tw::parallel(r)) {
          auto s = tw::ite(mask(row, c).load(), scores(row, c).load(), minus_infinity);
          auto largest = tw::max(s, c);
          // A row without a score shifts by 0, so that its exponentials are 0 and not NaN.
          auto e = tw::exp(s - tw::ite(largest == minus_infinity, 0, largest));
          auto total = tw::sum(e, c);
          y(row, c).store(e / tw::ite(total == 0, 1, total));
        }
      });
  return {"softmax of the scores whose mask is true, per row; zeros where none is; a division per "
          "element",
          kernel.source(),
          {{"scores", false, "R,C"}, {"mask", false, "R,C"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
