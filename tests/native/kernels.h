// Vector IR of small kernels at any width, written as packetize would write it.
#pragma once

#include <string>
#include <vector>

namespace tilewright::native {

/// A phase `symbol` over `views` views of rank one, named %v0, %v1, ... with extents %v0_e and
/// strides %v0_s. `body` ends before the return of 0; it may use %begin, %end and %workspace.
std::string phase_text(const std::string &symbol, int views, const std::string &body);

/// A phase over two or more rank-one views that walks elements [begin, end) `width` at a time with
/// a mask, loads a packet of each view but the last (%x0, %x1, ...; zero in inactive lanes), runs
/// `body`, which names its result %y, and stores it to the last view. In `body`, the word VEC
/// stands for the packet's type. Width 1 means scalars.
std::string map_text(const std::string &symbol, int views, int width, const std::string &body,
                     const std::string &element = "f32");

/// z = x + y.
std::string add_text(int width);

/// y = x * 1/sqrt(mean(x^2) + 1e-6) * gamma per row, unmasked main loops of four packets and a
/// masked tail: about as large as a compiled kernel.
std::string rms_norm_text(int width);

} // namespace tilewright::native
