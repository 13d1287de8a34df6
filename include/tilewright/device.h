// Where kernels run.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tilewright/kernel_source.h"
#include "tilewright/result.h"

namespace tilewright {

class DeviceState;

struct DeviceOptions {
  /// How many threads run a launch, the caller among them. 0: one per hardware thread.
  int workers = 0;
  /// The most scratch memory one worker may take, in bytes. 0: as much as there is. A launch that
  /// needs more is an error that gives both numbers.
  int64_t workspace_limit = 0;
  /// The instruction set to compile for: "x86-64-v2", "x86-64-v3", "x86-64-v4"; empty: this CPU's.
  std::string isa = {};
  /// Choices that the plan of every kernel has to make, as a JSON object (`tilewright explain`
  /// prints one); empty: the planner makes them all. A plan changes the time, never the results.
  std::string plan = {};
};

/// This machine's CPU, with the workers that run launches and the kernels compiled so far.
///
///     tw::Device cpu;
///     if (auto status = rms_norm(cpu, x, gamma, y); !status)
///       std::cerr << status.error().message() << '\n';
///
/// The first launch of a kernel compiles it (milliseconds); later launches reuse the code, whatever
/// their number of programs. Several threads may launch on one device at the same time; threads
/// that need the same code compile it once. A launch returns when it is done. It runs in the
/// default floating-point environment (round to nearest, denormals kept, no traps) and leaves the
/// caller's as it was. After fork() the child may go on using the device.
class Device {
public:
  explicit Device(DeviceOptions options = {});
  Device(Device &&) noexcept;
  Device &operator=(Device &&) noexcept;
  ~Device();

  int workers() const;
  /// How many times a kernel was compiled for this device.
  int64_t compile_count() const;
  /// How many launches ran a safe body because their arguments overlap.
  int64_t safe_launch_count() const;
  /// What makes kernels slower than they could be, in words: what the compiler could not do well,
  /// and which launches took a safe body. Empty when there is nothing to say.
  std::vector<std::string> notes() const;

  DeviceState &state() { return *state_; }

private:
  std::unique_ptr<DeviceState> state_;
};

namespace detail {

/// Runs a kernel to completion; compiles it first unless the device has it for such arguments.
/// Nothing runs, and nothing is written, when the arguments do not fit the kernel.
Status launch(Device &device, const KernelSource &source, std::span<const Argument> arguments);

} // namespace detail
} // namespace tilewright
