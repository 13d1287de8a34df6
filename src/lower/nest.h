// The root nest of a kernel as `lower` sees it: its operations in program order, and where each
// tile is made. Indices of `ops` are those of plan::KernelSummary.
#pragma once

#include "tile/tile.h"

namespace tilewright::lower {

struct Nest {
  tile::KernelOp kernel;
  tile::ParallelOp parallel;              ///< null when the kernel is one program
  mlir::Block *body = nullptr;            ///< the program's body
  std::vector<mlir::Operation *> ops;     ///< loads, stores, maps and reductions, in order
  llvm::DenseMap<mlir::Value, int> maker; ///< which op makes a tile
  tile::AxisOp lane_axis;                 ///< the axis that tiles are over; null when none is
};

/// The nest of a kernel whose plan has been admitted.
Nest find_nest(tile::KernelOp kernel);

/// The axis a load or store walks; null when all its dimensions are selected by coordinates.
tile::AxisOp walked_axis(mlir::Operation *access);

/// How many elements further than `a` store `b` is, at every point of the axis that both walk: a
/// number where they are of one row of one view.
std::optional<int64_t> distance_in_row(tile::StoreOp a, tile::StoreOp b);

/// Whether a load or store has an index of the root nest among its coordinates.
bool uses_root_index(mlir::Operation *access, Nest &nest);

} // namespace tilewright::lower
