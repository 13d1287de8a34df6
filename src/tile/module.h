// What a TileModule holds.
#pragma once

#include <memory>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "pipeline.h"
#include "tile/tile.h"

namespace tilewright {

/// Keeps a context for the next compile, or destroys it.
struct ContextReturn {
  int uses = 0;
  void operator()(mlir::MLIRContext *context) const;
};
using ContextLoan = std::unique_ptr<mlir::MLIRContext, ContextReturn>;

struct TileModule::Content {
  ContextLoan context;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  /// The only kernel of the module.
  tile::KernelOp kernel() const;
};

/// A context with every dialect the pipeline uses loaded, and its threading off, for one module at
/// a time. Loading dialects takes a millisecond, so contexts are lent from a pool. Attributes and
/// types pile up in a context, so each is destroyed after some loans.
ContextLoan make_context();

/// The user's line that a location stands for; no line when it stands for none.
SourceLine source_line(mlir::Location location);

} // namespace tilewright
