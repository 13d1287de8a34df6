// The elements behind a kernel's parameters, read and written one at a time. Free of MLIR.
#pragma once

#include <optional>
#include <span>

#include "reference/scalar.h"
#include "tilewright/argument.h"
#include "tilewright/result.h"

namespace tilewright::reference {

/// How real numbers are computed: in their own types, or all in double precision, rounded when they
/// are stored.
enum class Precision { exact, wide };

/// One argument of the launch. Every access of the reference passes through read() and write(),
/// which check that the point lies inside the view: an access that does not is a bug of ours.
class ViewMemory {
public:
  /// `stored` is the kind of the elements in memory.
  ViewMemory(const Argument &argument, Kind stored, Precision precision)
      : argument_(&argument), stored_(stored), precision_(precision) {}

  int64_t extent(int64_t dim) const { return argument_->extents[dim]; }

  /// The element at that point, or nothing when the point lies outside.
  std::optional<Scalar> read(std::span<const int64_t> point) const;

  /// Writes the element at that point; false when the point lies outside.
  bool write(std::span<const int64_t> point, Scalar value) const;

private:
  char *address(std::span<const int64_t> point) const; ///< null when the point lies outside

  const Argument *argument_;
  Kind stored_;
  Precision precision_;
};

} // namespace tilewright::reference
