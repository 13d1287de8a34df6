// error: a kernel takes one argument per parameter
#include "tilewright/tilewright.h"
namespace tw = tilewright;

auto kernel = tw::kernel("misuse", [](tw::View<const float, 1> x, tw::View<float, 1> y) {});

tw::Status launch(tw::Device &device, tw::Buffer<float> &x) { return kernel(device, x); }
