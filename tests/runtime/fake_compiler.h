// A compiler for the runtime's tests: "compiles" every kernel to a function of the test's, so that
// launches can be tested without the stages before the runtime.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "pipeline.h"

namespace tilewright::fake {

/// What record() and compile() answer.
struct Compiler {
  std::vector<std::vector<bool>> dynamic;
  std::vector<CompiledPhase> phases;
  std::vector<CompiledPhase> safe_phases; ///< of the safe body; without any there is none
  std::vector<ExtentCheck> checks;
  std::vector<std::string> notes;
  std::optional<Error> error;
  std::optional<Error> safe_error;
  std::chrono::milliseconds compile_time{0};
  std::atomic<int> records{0};
  std::atomic<int> compiles{0};
  std::atomic<int> safe_compiles{0};
};
extern Compiler *compiler;

/// double_rows(x[R,C], y[R,C]): y = 2x by rows, R programs; R is dynamic.
KernelSource double_rows();
/// A compiler whose only phase does that, in tasks of `task_programs` rows.
void compile_double_rows(Compiler &answer, int64_t task_programs = 0);

} // namespace tilewright::fake
