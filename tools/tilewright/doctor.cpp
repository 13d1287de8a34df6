// tilewright doctor: what this machine has, and what is missing.
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <thread>

#include "command.h"
#include "native/target.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tilewright::cli {
namespace {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return line.substr(line.find(':') + 2);
  return "unknown";
}

/// Whether the kernel counts this process's instructions.
bool counts_instructions() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  const long counter = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
  if (counter >= 0)
    close(static_cast<int>(counter));
  return counter >= 0;
}

std::string denormal_mode() {
#if defined(__x86_64__)
  const bool flush = _mm_getcsr() & (0x8000 | 0x0040);
  return flush ? "flushed to zero outside kernels; kernels keep them" : "kept";
#else
  return "kept in kernels";
#endif
}

nlohmann::ordered_json examine(const native::Target &target) {
  nlohmann::ordered_json report = {
      {"cpu", cpu_name()},
      {"hardware_threads", std::thread::hardware_concurrency()},
      {"isa", target.isa},
      {"tuned_for", target.tune},
      {"vector_bytes", target.register_bytes},
      {"fma", target.fma},
      {"l1_bytes", target.l1_bytes},
      {"l2_bytes", target.l2_bytes},
      {"last_level_bytes", target.last_level_bytes},
      {"tilewright", TILEWRIGHT_VERSION},
      {"llvm", TILEWRIGHT_LLVM_VERSION},
      {"compiler", __VERSION__},
      {"assertions", TILEWRIGHT_ASSERTIONS != 0},
      {"denormals", denormal_mode()},
      {"perf_counters", counts_instructions()},
  };
  nlohmann::ordered_json &missing = report["missing"] = nlohmann::ordered_json::array();
  if (target.isa == "x86-64-v2")
    missing.push_back("AVX2 and FMA: kernels run on 128-bit vectors, and results with contraction "
                      "differ from those of machines with FMA");
  if (target.isa == "x86-64-v3")
    missing.push_back("AVX-512: code for x86-64-v4 can be compiled here and not run");
  if (!report["perf_counters"])
    missing.push_back("hardware counters: perf stat cannot count here; callgrind can");
  return report;
}

int doctor(bool json) {
  Result<native::Target> target = native::host();
  if (!target)
    return report(target.error());
  nlohmann::ordered_json found = examine(*target);
  if (json) {
    fmt::print("{}\n", found.dump(2));
    return exit_ok;
  }
  for (const auto &[key, value] : found.items())
    if (key != "missing")
      fmt::print("{:<18}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  fmt::print("\nmissing\n");
  for (const std::string text : found["missing"])
    fmt::print("  {}\n", text);
  if (found["missing"].empty())
    fmt::print("  nothing\n");
  return exit_ok;
}

} // namespace

void add_doctor(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("doctor", "What this machine has, and what Tilewright misses here");
  command->footer("Examples:\n"
                  "  tilewright doctor\n"
                  "  tilewright doctor --json\n"
                  "JSON: {cpu, hardware_threads, isa, tuned_for, vector_bytes, fma, l1_bytes, "
                  "l2_bytes, last_level_bytes, tilewright, llvm, compiler, assertions, denormals, "
                  "perf_counters, missing}.");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([&action, json] { action = [json] { return doctor(*json); }; });
}

} // namespace tilewright::cli
