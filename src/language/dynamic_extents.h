// Which extents a kernel is compiled for exactly and which it takes at launch.
#pragma once

#include <string>
#include <vector>

#include "tile/tile.h"
#include "tilewright/result.h"

namespace tilewright::language {

/// A dimension of a view.
struct Dimension {
  int view = 0;
  int dim = 0;
};

/// What a recording found out about extents. Axes are numbered in the order they were made.
struct ExtentFacts {
  struct AxisFacts {
    bool root_parallel = false; ///< an axis of an outermost `parallel`
    bool fixed = false;         ///< the kernel asked for its extent as a host integer
  };
  struct Link {
    int axis = 0;
    Dimension dimension;
  };
  std::vector<AxisFacts> axes;
  /// An axis and a dimension it is bound to, spans, or selects in: their extents are equal.
  std::vector<Link> links;
};

/// Per view and dimension, whether its extent is dynamic. Dimensions and axes that links connect,
/// directly or not, share one extent: it is dynamic where a request says so or an axis is
/// root-parallel, unless a request or the kernel fixes it. `requests` is
/// KernelSource::shape_requests. Fails where an extent is asked to be both.
Result<std::vector<std::vector<bool>>> dynamic_dimensions(const ExtentFacts &facts,
                                                          const std::vector<int> &ranks,
                                                          const std::vector<std::string> &requests,
                                                          const SourceLine &kernel_line);

/// Replaces the static extents of these dimensions by `?` in the types of the kernel's views, and
/// likewise those of their axes in the types of all tiles.
void make_dynamic(tile::KernelOp kernel, const std::vector<std::vector<bool>> &dynamic);

} // namespace tilewright::language
