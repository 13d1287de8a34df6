#include "compile_flags.h"

#include <algorithm>
#include <thread>

namespace tilewright::cli {

void CompileFlags::add_to(CLI::App &command) {
  command.add_option("--isa", isa,
                     "Compile for x86-64-v2, x86-64-v3 or x86-64-v4 instead of this CPU");
  command.add_option("--plan", plan,
                     "Choices to fix, as JSON like '{\"width\":8}'; the planner makes the others");
  command.add_option("--threads", threads, "Workers; by default one per hardware thread")
      ->check(CLI::Range(1, 4096));
}

int CompileFlags::workers() const {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

CompileOptions CompileFlags::options() const {
  CompileOptions options;
  options.isa = isa;
  options.plan_json = plan;
  options.workers = workers();
  return options;
}

} // namespace tilewright::cli
