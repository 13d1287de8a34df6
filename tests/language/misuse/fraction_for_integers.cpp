// error: no match for
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](tw::View<const int, 2> x, tw::View<int, 2> y) {
  auto [r, c] = x.axes("r", "c");
  for (auto &row : tw::parallel(r)) {
    y(row, c).store(x(row, c).load() * 0.5f);
  }
});
