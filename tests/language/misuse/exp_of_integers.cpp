// error: no matching function for call to 'exp
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](tw::View<const int, 2> x, tw::View<int, 2> y) {
  auto [r, c] = x.axes("r", "c");
  for (auto &row : tw::parallel(r)) {
    y(row, c).store(tw::exp(x(row, c).load()));
  }
});
