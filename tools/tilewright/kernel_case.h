// A kernel of the library at one shape.
#pragma once

#include <string>
#include <vector>

#include "shape.h"
#include "tilewright/argument.h"
#include "tilewright/kernel_source.h"

namespace tilewright::cli {

/// What one argument is: an input, or an output, and how large.
struct ArgumentShape {
  std::string name;
  bool output = false;
  ElementType type = ElementType::f32;
  Dimensions extents;
};

struct KernelCase {
  std::string name;
  Shape shape;
  KernelSource source;
  std::vector<ArgumentShape> arguments;

  std::string title() const; ///< "rms_norm 17x65"
};

/// Names of the kernels in the library, in the order of the tables.
std::vector<std::string> kernel_names();

/// What a kernel computes, in one line; empty for an unknown name.
std::string kernel_summary(const std::string &name);

/// Its arguments: "x in f32 RxC", "y out f32 RxC"; empty for an unknown name.
std::vector<std::string> kernel_arguments(const std::string &name);

/// An unknown name is an error that lists the known ones.
Result<KernelCase> make_case(const std::string &name, const Shape &shape);

/// A shape that every kernel has, to learn what its arguments are.
inline constexpr Shape any_shape{4, 8};

/// The shape at which inputs have these extents: R and C are taken from the first dimensions that
/// are R and C. The inputs are as many, and of the ranks, that the kernel has.
Shape shape_for_inputs(const std::string &name, const std::vector<Dimensions> &inputs);

} // namespace tilewright::cli
