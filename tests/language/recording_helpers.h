// Arguments and one-line checks for tests of recording.
#pragma once

#include <string>
#include <vector>

#include "pipeline.h"
#include "tilewright/tilewright.h"

namespace tilewright {

/// An argument without storage: recording looks at types, extents and strides only.
inline Argument shaped(ElementType type, const Dimensions &extents) {
  return {nullptr, type, extents, row_major_strides(extents), false};
}
inline Argument f32(const Dimensions &extents) { return shaped(ElementType::f32, extents); }

/// The text of the recording, or the message of its error.
inline std::string recorded_text(const KernelSource &source,
                                 const std::vector<Argument> &arguments) {
  Result<Recorded> result = record(source, arguments);
  return result ? result->module.text() : "error: " + result.error().message();
}

} // namespace tilewright
