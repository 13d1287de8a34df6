// error: constraints not satisfied
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel(
    "misuse", [](tw::View<const float, 2> x, tw::View<const double, 2> d, tw::View<float, 2> y) {
      auto [r, c] = x.axes("r", "c");
      for (auto &row : tw::parallel(r)) {
        x(row, c).store(y(row, c).load());
      }
    });
