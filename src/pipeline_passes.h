// The passes of the pipeline as a list, for those who run part of it (tilewright-opt).
#pragma once

#include <optional>
#include <span>

#include "mlir/IR/BuiltinOps.h"
#include "native/target.h"
#include "pipeline.h"

namespace tilewright {

/// What passes may look at and leave behind beside the module. Only `plan` looks at the machine.
struct PassContext {
  const CompileOptions &options;
  native::Target target;
  CompiledKernel &result;
  std::optional<Error> error; ///< why a pass failed, where that is no diagnostic
  /// The kernel as text, planned for its safe body, where that is to be compiled on demand.
  std::string safe_kernel = {};
};

struct Pass {
  const char *stage; ///< the folder under src/
  const char *name;  ///< as in dumps, timings and --stop-after
  mlir::LogicalResult (*run)(mlir::ModuleOp, PassContext &);
};

/// All passes on MLIR modules, in pipeline order.
std::span<const Pass> module_passes();

} // namespace tilewright
