// Tilewright's whole public interface: tile programs in C++, compiled for this machine when they
// are first launched.
//
//     #include <tilewright/tilewright.h>
//     namespace tw = tilewright;
//
//     auto rms_norm = tw::kernel("rms_norm", [](tw::View<const float, 2> x,
//                                               tw::View<const float, 1> gamma,
//                                               tw::View<float, 2> y) {
//       auto [r, c] = x.axes("r", "c");        // axes bound to the view's extents
//       for (auto& row : tw::parallel(r)) {    // one program per row
//         auto v = x(row, c).load();           // a snapshot, over {c}
//         auto mean = tw::sum(v * v, c) / c.extent();
//         y(row, c).store(v * tw::rsqrt(mean + 1e-6f) * gamma(c).load());
//       }
//     });
//
// axis.h    logical dimensions and their extents
// view.h    parameters of kernels: where elements are, load and store
// tile.h    values over axes and their operators
// math.h    functions of every element
// reduce.h  sums, products, least and largest elements along axes
// nest.h    which points the programs of a kernel run over
// kernel.h  lambdas as kernels
// device.h  where they run
// buffer.h, host_view.h  the memory they run on
// result.h  errors as values
#pragma once

#include "tilewright/axis.h"
#include "tilewright/buffer.h"
#include "tilewright/device.h"
#include "tilewright/host_view.h"
#include "tilewright/kernel.h"
#include "tilewright/math.h"
#include "tilewright/nest.h"
#include "tilewright/reduce.h"
#include "tilewright/result.h"
#include "tilewright/tile.h"
#include "tilewright/view.h"
