// error: a mask has no arithmetic
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](tw::View<const bool, 2> x, tw::View<bool, 2> y) {
  auto [r, c] = x.axes("r", "c");
  for (auto &row : tw::parallel(r)) {
    y(row, c).store(x(row, c).load() + x(row, c).load());
  }
});
