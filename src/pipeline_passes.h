// The passes of the pipeline as a list, for those who run part of it (tilewright-opt).
#pragma once

#include <span>

#include "mlir/IR/BuiltinOps.h"
#include "pipeline.h"

namespace tilewright {

/// What passes may look at beside the module. Only `plan` and `native` look at the machine.
struct PassContext {
  const CompileOptions& options;
  CompiledKernel& result;
};

struct Pass {
  const char* stage;  ///< the folder under src/
  const char* name;   ///< as in dumps, timings and --stop-after
  mlir::LogicalResult (*run)(mlir::ModuleOp, PassContext&);
};

/// All passes on MLIR modules, in pipeline order.
std::span<const Pass> module_passes();

}  // namespace tilewright
