// Runs one program under many plans and compares every bit with the reference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program.h"

namespace tilewright::fuzz {

/// How a program was compiled.
struct Setting {
  std::string isa;
  std::string plan_json;  ///< empty: the planner's choice
  bool safe_body = false; ///< only the safe body
};

struct Failure {
  Setting setting;
  std::string what;
};

struct Checked {
  std::optional<Failure> failure;
  int compiled = 0;          ///< how many pieces of code were run
  std::string not_supported; ///< why the planner declined the program, if it did
};

struct CheckOptions {
  std::vector<std::string> isas;
  int plans = 3;             ///< random plans for every isa, beside the planner's and the safe body
  std::vector<Setting> only; ///< when not empty, these settings and no others
};

/// In a child process, so that a crash or a hang is a failure like any other.
Checked check(const Program &program, const CheckOptions &options);

/// Plans that are admitted for the kernel (tile IR after `simplify`), as JSON.
std::vector<std::string> random_plans(const std::string &simplified, const std::string &isa,
                                      uint64_t seed, int count);

/// The instruction sets that this machine can execute.
std::vector<std::string> runnable_isas();

} // namespace tilewright::fuzz
