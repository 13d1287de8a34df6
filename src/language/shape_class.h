// The shape class of a launch, from its arguments alone: what the runtime keys compiled kernels by.
#pragma once

#include <span>
#include <vector>

#include "pipeline.h"

namespace tilewright {

/// The dimension of stride one, -1 if there is none. A dimension of extent 0 or 1 may carry any
/// stride, so it counts as having stride one where that makes the view packed, or where it is the
/// last one and no other dimension has stride one.
int unit_dimension(const Argument &argument);

/// Row-major without gaps: every stride is the product of the extents behind it, in the dimensions
/// of more than one element.
bool is_packed(const Argument &argument);

/// The class of a launch with these arguments, for a kernel whose dimensions are dynamic as marked
/// (Recorded::dynamic). Two launches with equal classes run the same code.
ShapeClass shape_class(const std::vector<std::vector<bool>> &dynamic,
                       std::span<const Argument> arguments);

} // namespace tilewright
