#include "native/target.h"

#include <array>
#include <fstream>
#include <string_view>

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Host.h"

namespace tilewright::native {

namespace {

struct Level {
  const char *isa;
  int register_bytes;
  int vector_registers;
  bool fma;
  int permuted_lanes;
  bool masked_stores;
  bool cheap_masked_stores;          ///< on every processor of the level
  std::array<const char *, 6> needs; ///< features that tell the level from the one before
};

// In ascending order; a machine that has a level has those before it.
constexpr std::array<Level, 3> x86_levels{{
    {"x86-64-v2",
     16,
     16,
     false,
     0,
     false,
     false,
     {"sse4.2", "ssse3", "popcnt", "cx16", "sahf", nullptr}},
    {"x86-64-v3", 32, 16, true, 8, true, false, {"avx2", "fma", "bmi", "bmi2", "f16c", "movbe"}},
    {"x86-64-v4",
     64,
     32,
     true,
     16,
     true,
     true,
     {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", nullptr}},
}};

#if defined(__x86_64__)
constexpr bool host_is_x86 = true;
#else
constexpr bool host_is_x86 = false;
#endif

/// The index of the host's level in x86_levels, or -1. Asks the processor once.
int host_level() {
  static const int level = [] {
    if (!host_is_x86)
      return -1;
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    int highest = -1;
    for (const Level &candidate : x86_levels) {
      for (const char *feature : candidate.needs)
        if (feature && !features.lookup(feature))
          return highest;
      ++highest;
    }
    return highest;
  }();
  return level;
}

const std::string &host_cpu() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}

/// "512K" -> 524288; 0 when it is no such thing.
int64_t parse_cache_size(const std::string &text) {
  int64_t size = 0;
  size_t at = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9')
    size = size * 10 + (text[at++] - '0');
  if (at < text.size() && text[at] == 'K')
    return size << 10;
  if (at < text.size() && text[at] == 'M')
    return size << 20;
  return size;
}

std::string read_word(const std::string &path) {
  std::string word;
  std::ifstream(path) >> word;
  return word;
}

/// Overwrites the cache sizes of `target` by the host's, where the system tells them.
void read_host_caches(Target &target) {
  for (int index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    std::string level = read_word(folder + "level");
    if (level.empty())
      break;
    int64_t size = parse_cache_size(read_word(folder + "size"));
    if (size <= 0 || read_word(folder + "type") == "Instruction")
      continue;
    if (level == "1")
      target.l1_bytes = size;
    if (level == "2")
      target.l2_bytes = size;
    if (level >= "2")
      target.last_level_bytes = size; // the deepest level is listed last
  }
}

Target make_x86(int level) {
  const Level &facts = x86_levels[level];
  Target target;
  target.isa = facts.isa;
  target.triple = "x86_64-unknown-linux-gnu";
  target.cpu = facts.isa;
  target.tune = "generic";
  target.register_bytes = facts.register_bytes;
  target.vector_registers = facts.vector_registers;
  target.fma = facts.fma;
  target.permuted_lanes = facts.permuted_lanes;
  target.masked_stores = facts.masked_stores;
  target.cheap_masked_stores = facts.cheap_masked_stores;
  if (level == host_level()) {
    target.tune = host_cpu();
    read_host_caches(target);
    // Before AVX-512, AMD's processors run a masked store as a sequence of some twenty operations.
    std::string_view cpu = target.tune;
    bool amd = cpu.starts_with("zn") || cpu.starts_with("bd") || cpu.starts_with("bt");
    if (target.isa == "x86-64-v3")
      target.cheap_masked_stores = !amd;
  }
  return target;
}

Target make_aarch64() {
  Target target;
  target.isa = "aarch64";
  target.triple = "aarch64-unknown-linux-gnu";
  target.cpu = "generic";
  target.tune = host_is_x86 ? "generic" : host_cpu();
  target.features = "+neon";
  target.vector_registers = 32;
  target.fma = true;
  if (!host_is_x86)
    read_host_caches(target);
  return target;
}

} // namespace

Result<Target> host() {
  if (!host_is_x86)
    return make_aarch64();
  if (host_level() < 0)
    return Error{ErrorKind::user,
                 "this processor (" + host_cpu() +
                     ") lacks SSE4.2; kernels need at least the level x86-64-v2",
                 {}};
  static const Target target = make_x86(host_level());
  return target;
}

Result<Target> named(const std::string &isa) {
  if (isa.empty())
    return host();
  for (int level = 0; level < static_cast<int>(x86_levels.size()); ++level)
    if (isa == x86_levels[level].isa)
      return level == host_level() ? host() : Result<Target>(make_x86(level));
  if (isa == "aarch64")
    return make_aarch64();
  return Error{ErrorKind::user,
               "unknown instruction set '" + isa +
                   "'; known are x86-64-v2, x86-64-v3, x86-64-v4 and aarch64",
               {}};
}

bool runs_here(const Target &target) {
  if (!host_is_x86)
    return target.isa == "aarch64";
  for (int level = 0; level <= host_level(); ++level)
    if (target.isa == x86_levels[level].isa)
      return true;
  return false;
}

plan::MachineSummary machine_summary(const Target &target, int workers) {
  plan::MachineSummary machine;
  machine.isa = target.isa;
  machine.register_bytes = target.register_bytes;
  machine.vector_registers = target.vector_registers;
  machine.masked_stores = target.masked_stores;
  machine.cheap_masked_stores = target.cheap_masked_stores;
  machine.fma = target.fma;
  machine.l1_bytes = target.l1_bytes;
  machine.l2_bytes = target.l2_bytes;
  machine.last_level_bytes = target.last_level_bytes;
  machine.workers = workers;
  return machine;
}

} // namespace tilewright::native
