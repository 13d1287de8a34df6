// A kernel of the library with guarded arrays, random inputs, and the right answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compile_kernel.h"
#include "kernel_case.h"
#include "measure/guarded_buffer.h"

namespace tilewright::cli {

/// How the outputs compare with the answer.
struct Verdict {
  std::string failure; ///< empty when all is as it must be
  double max_absolute_error = 0;

  bool ok() const { return failure.empty(); }
};

class CheckedCase {
public:
  /// Allocates, fills the inputs with reproducible random numbers and computes the answer: by the
  /// FP64 oracle of the family, else by the reference in double precision.
  static Result<std::unique_ptr<CheckedCase>> make(KernelCase kernel);

  const KernelCase &kernel() const { return kernel_; }
  const std::string &family() const { return family_; } ///< "" without oracle and yardsticks
  const char *oracle() const { return family_.empty() ? "reference" : "fp64"; }
  const std::vector<Argument> &arguments() const { return arguments_; }
  MakeModule module() const { return recording(kernel_.source, arguments_); }
  std::vector<std::vector<int64_t>> extents() const;
  int64_t bytes() const; ///< of all arguments together

  /// Fills the outputs with NaN.
  void prepare();
  /// Whether the outputs are the answer (5e-5 absolute and relative), the inputs are as they were,
  /// and nothing around either was written.
  Verdict check() const;
  /// The second half of check(): empty, or which bytes beside the outputs were changed.
  std::string check_memory() const;

private:
  explicit CheckedCase(KernelCase kernel);
  Status find_answer();
  Verdict check_output(std::size_t argument) const;

  KernelCase kernel_;
  std::string family_;
  std::vector<GuardedBuffer> buffers_; ///< one per argument
  std::vector<Argument> arguments_;
  std::vector<std::vector<std::byte>> originals_; ///< of inputs; empty for outputs
  std::vector<std::vector<double>> answers_;      ///< of outputs; empty for inputs
};

} // namespace tilewright::cli
