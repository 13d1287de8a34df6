// The machine that code is generated for. Free of LLVM headers.
#pragma once

#include <cstdint>
#include <string>

#include "plan/summary.h"
#include "tilewright/result.h"

namespace tilewright::native {

/// An instruction set level and what planning and code generation want to know about it. Two
/// targets with the same `isa`, `tune` and `features` generate the same code.
struct Target {
  std::string isa;      ///< "x86-64-v2", "x86-64-v3", "x86-64-v4" or "aarch64"
  std::string triple;   ///< as LLVM spells it
  std::string cpu;      ///< whose instructions may be used
  std::string tune;     ///< whose timings instruction selection assumes
  std::string features; ///< as LLVM spells them, beyond those of `cpu`
  int register_bytes = 16;
  int vector_registers = 16;
  bool fma = false;
  int permuted_lanes = 0;     ///< 32-bit lanes that one instruction picks by numbers in a register
  bool masked_stores = false; ///< has instructions that store some lanes
  bool cheap_masked_stores = false; ///< a masked store costs about as much as a plain one
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t last_level_bytes = 32 << 20;
};

/// This machine: the highest level it has, tuned for its processor, with its cache sizes.
Result<Target> host();

/// The level `isa`; the empty string stands for host(). The host's own level is tuned for the host,
/// others for no processor in particular. An unknown name is a user error that lists the known
/// ones.
Result<Target> named(const std::string &isa);

/// Whether this machine can execute code for `target`.
bool runs_here(const Target &target);

/// What the planner needs to know about `target`.
plan::MachineSummary machine_summary(const Target &target, int workers);

} // namespace tilewright::native
