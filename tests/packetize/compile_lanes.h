// Compiles lane IR given as text and calls its phases. Only its source file includes MLIR.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/native.h"
#include "tilewright/abi.h"

namespace tilewright::packetize {

/// Parses and verifies `text`, where each `$W` stands for `width`, packetizes it and compiles it
/// for the host. Fails the current test when one of these does not work.
class LaneProgram {
public:
  LaneProgram(const std::string &text, int64_t width) { compile(text, width); }

  /// Runs the programs [0, programs) of a phase.
  tw_status run(const std::string &phase, const std::vector<tw_view> &views, int64_t programs = 1);

  int64_t workspace_bytes() const { return workspace_bytes_; }

private:
  void compile(std::string text, int64_t width);

  native::NativeCode code_;
  int64_t workspace_bytes_ = 0;
};

/// A view of these extents, row-major without gaps.
template <typename T>
tw_view packed_view(T *data, const std::vector<int64_t> &extents) {
  tw_view view{};
  view.data = const_cast<std::remove_const_t<T> *>(data);
  int64_t stride = 1;
  for (size_t dim = extents.size(); dim-- > 0; stride *= extents[dim]) {
    view.extents[dim] = extents[dim];
    view.strides[dim] = stride;
  }
  return view;
}

} // namespace tilewright::packetize
