// error: no matching function for call to
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](tw::View<const float, 2> x) { auto axes = x.axes("r"); });
