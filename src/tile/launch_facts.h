// What the compiled code relies on about its arguments, for the launch to check, and how many
// programs a launch has.
#pragma once

#include "pipeline.h"
#include "tile/tile.h"

namespace tilewright::tile {

struct LaunchFacts {
  std::vector<ExtentCheck> checks;
  std::vector<std::pair<int, int>> program_extents; ///< (view, dimension) of each root axis
};

/// Fails, with a message at the access, where a coordinate is neither a nest index nor a constant:
/// such an access would need a bounds test.
mlir::LogicalResult find_launch_facts(KernelOp kernel, LaunchFacts &facts);

} // namespace tilewright::tile
