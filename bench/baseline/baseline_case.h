#pragma once

#include "baseline/baseline.h"
#include "baseline/oracle.h"
#include "measure/compare.h"
#include "measure/guarded_buffer.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// The six families, in the order of the tables.
std::span<const char *const> baseline_families();

/// Where the tensors of a case lie.
enum class Placement {
  padded,       ///< 64-byte aligned, no two at the same offset within a page
  ends_at_page, ///< the byte after each tensor faults
  begins_at_page,
};

/// One family at one shape: guarded tensors, random inputs, the oracle's answer and the check.
class BaselineCase {
public:
  BaselineCase(std::string family, oracle::Shape shape, Placement placement = Placement::padded);

  const std::string &family() const { return family_; }
  std::string title() const; ///< "rms_norm 17x65"

  std::size_t bytes_of_input(std::size_t i) const { return inputs_[i].bytes(); }
  std::span<float> input(std::size_t i) { return inputs_[i].span<float>(); }
  std::span<std::uint8_t> mask() { return inputs_[1].span<std::uint8_t>(); }
  std::span<const float> output() const { return output_.span<float>(); }
  const std::vector<double> &want() const { return want_; }

  /// Asks the oracle again, after an input has been changed.
  void inputs_changed();

  /// Valid as long as the case.
  tw_baseline_call call() const;
  /// The same bytes for the bare loops.
  tw_stream_call stream() const;

  void fill_output_nan() { output_.fill_nan(); }
  /// Empty when the output is the oracle's within the tolerance, the inputs are as they were and
  /// all guards are intact.
  std::string check(Tolerance tolerance = {}) const;

private:
  std::string check_inputs_and_guards() const;

  std::string family_;
  oracle::Shape shape_;
  std::vector<GuardedBuffer> inputs_;
  std::vector<std::vector<std::byte>> copies_; ///< of the inputs
  GuardedBuffer output_;
  std::vector<double> want_;
};

} // namespace tilewright
