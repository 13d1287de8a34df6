// Which points of an axis a block that is tested finds inside of its view.
//
// Points count from the axis's first one, so that loops compare them with the numbers of their
// elements; no origin, however far outside, makes any of it wrap.
#pragma once

#include "lower/index_math.h"
#include "tile/tile.h"

namespace tilewright::lower {

/// The points in [first, last).
struct InsidePoints {
  mlir::Value first; ///< null where no point comes before the view
  mlir::Value last;  ///< null where no point comes behind it
  mlir::Value fill;  ///< what a load gives elsewhere
};

/// One end of the block: the number of points from position `from` to position `to`, none where
/// `from` comes later, all `length` where there are more.
mlir::Value points_between(mlir::OpBuilder &builder, IndexMath &index, mlir::Location location,
                           mlir::Value from, mlir::Value to, mlir::Value length);

/// Whether point `element` of a lane is inside. At least one end is tested.
mlir::Value is_inside(mlir::OpBuilder &builder, mlir::Location location, const InsidePoints &points,
                      mlir::Value element);

/// Whether all points in [begin, end) are.
mlir::Value are_inside(mlir::OpBuilder &builder, mlir::Location location,
                       const InsidePoints &points, mlir::Value begin, mlir::Value end);

} // namespace tilewright::lower
