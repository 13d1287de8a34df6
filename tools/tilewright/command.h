// What the commands of the tool share: how they are declared, how they end.
#pragma once

#include <functional>
#include <string>

#include "tilewright/result.h"

namespace CLI {
class App;
}

namespace tilewright::cli {

enum ExitCode {
  exit_ok = 0,
  exit_failed = 1,   ///< a check failed, or Tilewright broke one of its own rules
  exit_bad_input = 2 ///< wrong usage, or an input that cannot be used
};

/// What the command line asks for; set by the command that was given.
using Action = std::function<int()>;

/// One function per command: declares it and, when it is given, sets `action`.
void add_list(CLI::App &app, Action &action);
void add_run(CLI::App &app, Action &action);
void add_check(CLI::App &app, Action &action);
void add_bench(CLI::App &app, Action &action);
void add_explain(CLI::App &app, Action &action);
void add_doctor(CLI::App &app, Action &action);

/// Prints the error as one line on standard error and returns the exit code for it.
int report(const Error &error);

/// A user error of the command line.
Error usage_error(std::string text);

} // namespace tilewright::cli
