// Random tile programs, compiled under random plans and compared bit for bit with the reference.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <map>

#include "case_file.h"
#include "check.h"

namespace {

using namespace tilewright::fuzz;

/// The smallest program found that still fails, with how it fails.
std::pair<Program, Failure> shrink(Program program, Failure failure, const CheckOptions &options) {
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (bool progress = true; progress && std::chrono::steady_clock::now() < until;) {
    progress = false;
    for (Program &candidate : smaller(program)) {
      Checked checked = check(candidate, options);
      if (!checked.failure)
        continue;
      program = std::move(candidate);
      failure = *checked.failure;
      progress = true;
      break;
    }
  }
  return {program, failure};
}

void print(uint64_t seed, const Program &program, const Failure &failure) {
  std::cout << "seed " << seed << ": " << failure.what << '\n'
            << to_case_file(program, failure.setting) << "repeat: tilewright_fuzz --seed " << seed
            << " --count 1\n"
            << std::endl;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"Compares random tile programs under random plans with the reference, bit for bit.\n"
               "  tilewright_fuzz --minutes 5\n"
               "  tilewright_fuzz tests/fuzz/corpus/*.tile"};
  double minutes = 0;
  uint64_t seed = 1;
  int64_t count = 0;
  int most_failures = 5;
  bool no_shrink = false;
  CheckOptions options;
  std::vector<std::string> files;
  app.add_option("files", files, "cases to run again, as printed on failure");
  app.add_option("--minutes", minutes, "for how long");
  app.add_option("--seed", seed, "the first program's seed; the next ones count up");
  app.add_option("--count", count, "how many programs (0: until the time is up)");
  app.add_option("--plans", options.plans, "random plans per program and instruction set");
  app.add_option("--isa", options.isas, "instruction sets; default: all that run here");
  app.add_option("--failures", most_failures, "stop after so many");
  app.add_flag("--no-shrink", no_shrink, "print the program as it was generated");
  CLI11_PARSE(app, argc, argv);
  if (options.isas.empty())
    options.isas = runnable_isas();

  int failures = 0;
  for (const std::string &file : files) {
    auto loaded = read_case_file(file);
    if (!loaded) {
      std::cout << loaded.error().message() << '\n';
      return 2;
    }
    CheckOptions replay = options;
    if (!loaded->setting.isa.empty())
      replay.only = {loaded->setting};
    Checked checked = check(loaded->program, replay);
    std::cout << file << ": " << (checked.failure ? checked.failure->what : "passes") << '\n';
    failures += checked.failure.has_value();
  }
  if (!files.empty())
    return failures > 0;

  if (count == 0 && minutes == 0)
    minutes = 1;
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  int64_t programs = 0, compiled = 0;
  std::map<std::string, int64_t> not_supported;
  for (; (count == 0 || programs < count) && (minutes == 0 || elapsed() < 60 * minutes);
       ++programs, ++seed) {
    Program program = generate(seed);
    Checked checked = check(program, options);
    compiled += checked.compiled;
    if (!checked.not_supported.empty())
      ++not_supported[checked.not_supported];
    if (!checked.failure)
      continue;
    auto [least, failure] = no_shrink ? std::pair(program, *checked.failure)
                                      : shrink(program, *checked.failure, options);
    print(seed, least, failure);
    if (++failures >= most_failures)
      break;
  }
  std::cout << programs << " programs, " << compiled << " pieces of code, " << failures
            << " failures, " << elapsed() << " s\n";
  for (const auto &[reason, times] : not_supported)
    std::cout << "  not supported " << times << " times: " << reason << '\n';
  return failures > 0;
}
