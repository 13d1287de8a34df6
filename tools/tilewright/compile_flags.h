// Options of the command line that choose how kernels are compiled.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "pipeline.h"

namespace tilewright::cli {

struct CompileFlags {
  std::string isa;
  std::string plan;
  int threads = 0; ///< 0: one per hardware thread

  /// Declares --isa, --plan and --threads.
  void add_to(CLI::App &command);

  /// How many workers a launch has.
  int workers() const;
  CompileOptions options() const;
};

} // namespace tilewright::cli
