// What a TileModule holds.
#pragma once

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "pipeline.h"
#include "tile/tile.h"

namespace tilewright {

struct TileModule::Content {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  /// The only kernel of the module.
  tile::KernelOp kernel() const;
};

/// A context with every dialect the pipeline uses loaded, and its threading off.
std::unique_ptr<mlir::MLIRContext> make_context();

/// The user's line that a location stands for; no line when it stands for none.
SourceLine source_line(mlir::Location location);

} // namespace tilewright
