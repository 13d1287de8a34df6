// error: a kernel's lambda spells out its parameter types
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](auto x) {
  auto [r, c] = x.axes("r", "c");
  for (auto &row : tw::parallel(r)) {
    (void)row;
  }
});
