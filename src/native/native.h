// Vector IR in, machine code out. The stages in order are those of `generate` in native.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "native/target.h"
#include "pipeline.h"
#include "tilewright/result.h"

namespace mlir {
class ModuleOp;
}

namespace tilewright::native {

struct NativeOptions {
  bool sanitize_address = false; ///< instrument loads and stores for AddressSanitizer
  bool link = true;              ///< false: leave `symbols` empty, for code that runs elsewhere
  /// Called after each stage with its name and the IR (or assembly) that it leaves.
  std::function<void(const std::string &stage, const std::string &text)> after_stage;
  std::string stop_after; ///< stop once this stage has run
};

struct NativeCode {
  std::map<std::string, void *> symbols; ///< phase functions (tw_phase) by name
  std::string object;                    ///< the relocatable object, as bytes
  std::vector<StageTime> times;          ///< in order
  std::vector<std::string> notes;        ///< performance notes
  std::shared_ptr<void> keep_alive;      ///< the code may be called as long as this lives
};

/// Compiles a module of functions `(views..., i64 begin, i64 end, !llvm.ptr workspace) -> i32`
/// whose attribute `tilewright.view_ranks` gives the views' ranks (see wrap_phase.h). Every
/// function ends up as one symbol of type tw_phase. Changes `module` in place. Where the host
/// cannot execute `target`, nothing is linked. Several threads may compile at the same time, each
/// in a context of its own. A module that some stage cannot take is an internal error that names
/// the stage.
Result<NativeCode> generate(mlir::ModuleOp module, const Target &target,
                            const NativeOptions &options);

/// The names of the stages in order, as dumps, timings and --stop-after use them.
std::vector<std::string> stage_names();

} // namespace tilewright::native
