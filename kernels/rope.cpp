// Rotary embedding: y1 = x1 * cos - x2 * sin, y2 = x2 * cos + x1 * sin of both halves.
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright::kernels {

namespace tw = tilewright;

Entry rope() {
  auto kernel = tw::kernel("rope", [](tw::View<const float, 2> x, tw::View<const float, 2> cos,
                                      tw::View<const float, 2> sin, tw::View<float, 2> y) {
    auto [r, h] = cos.axes("r", "h");
    auto whole_x = x.axes("r", "c")[1], whole_y = y.axes("r", "c")[1];
    bool halves = whole_x.fixed() == 2 * h.fixed() && whole_y.fixed() == 2 * h.fixed();
    tw::require(halves, "a row of x and of y is two rows of cosine; pass an even number of "
                        "columns, and half as many cosines and sines");
    for (auto &row : tw::parallel(r)) {
      auto x1 = x(row, h.at(0)).load(), x2 = x(row, h.at(h.extent())).load();
      auto c = cos(row, h).load(), s = sin(row, h).load();
      y(row, h.at(0)).store(x1 * c - x2 * s);
      y(row, h.at(h.extent())).store(x2 * c + x1 * s);
    }
  });
  return {
      "rotary embedding: the halves of a row turned by cosines and sines",
      kernel.source(),
      {{"x", false, "R,C"}, {"cos", false, "R,C/2"}, {"sin", false, "R,C/2"}, {"y", true, "R,C"}}};
}

} // namespace tilewright::kernels
