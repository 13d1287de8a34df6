// error: no match for
#include "tilewright/tilewright.h"

namespace tw = tilewright;

auto kernel = tw::kernel("f", [](tw::View<float, 2> x) {
  auto [r, c] = x.axes("r", "c");
  x(r, c.at(c.extent() * 0.5)).store(1.0f);
});
