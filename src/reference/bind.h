// Whether arguments fit a kernel, and what its axes then are.
#pragma once

#include <map>
#include <string>

#include "reference/memory.h"
#include "tile/module.h"

namespace tilewright::reference {

/// The element kind of a type of tile IR, as it is in memory.
Kind stored_kind(mlir::Type type);

/// The kind in which a type is computed.
Kind computed_kind(mlir::Type type, Precision precision);

/// A launch that passed every check: one memory per parameter, and the extent of every axis.
struct Binding {
  std::vector<ViewMemory> views;
  std::map<std::string, int64_t> extents;
};

/// Checks count, element type, rank, extents, strides and constness of the arguments, and that
/// every axis has the extent of each dimension it spans. The binding points into `arguments`.
Result<Binding> bind_arguments(tile::KernelOp kernel, std::span<const Argument> arguments,
                               Precision precision);

} // namespace tilewright::reference
