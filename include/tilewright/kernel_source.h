// A kernel as the user wrote it, its type erased: what recording needs to run the lambda again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tilewright/argument.h"
#include "tilewright/result.h"

namespace tilewright {

/// One parameter of a kernel's lambda: `View<const float, 2>` is {f32, 2, true}.
struct Parameter {
  ElementType element = ElementType::f32;
  int rank = 0;
  bool read_only = false;
};

/// A number that no other call in this process gets.
uint64_t next_kernel_identity();

struct KernelSource {
  std::string name;
  SourceLine where; ///< of the call of `tw::kernel`
  std::vector<Parameter> parameters;
  /// Calls the user's lambda once, on views that stand for the parameters of the recording that is
  /// under way on this thread.
  std::function<void()> body;
  bool contract = true; ///< a multiplication and an addition may become one fma
  /// Per parameter and dimension, what the user asked for: 'd' dynamic, 'f' fixed, '?' the default.
  std::vector<std::string> shape_requests;
  /// Shared by copies of one kernel alone: compiled code is kept under it.
  uint64_t identity = next_kernel_identity();
};

} // namespace tilewright
