// The pipeline: every stage and pass in order, one line each.
#include "pipeline.h"

#include "pipeline_passes.h"

namespace tilewright {

std::span<const Pass> module_passes() { return {}; }

Result<std::shared_ptr<CompiledKernel>> compile(TileModule, const CompileOptions&) {
  return Error{ErrorKind::internal, "the pipeline has no stages yet", {}};
}

}  // namespace tilewright
