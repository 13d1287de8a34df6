// compiles
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel(
    "misuse", [](tw::View<const float, 2> x, tw::View<const double, 2> d, tw::View<float, 2> y) {
      auto [r, c] = x.axes("r", "c");
      for (auto &row : tw::parallel(r)) {
        y(row, c).store(x(row, c).load() * 2 + tw::cast<float>(d(row, c).load()));
      }
    });
