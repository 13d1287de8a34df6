// What `tilewright run` and `tilewright explain` work on: a kernel of the library or a .tile file.
#pragma once

#include <string>
#include <vector>

#include "compile_kernel.h"
#include "host_array.h"
#include "kernel_case.h"

namespace tilewright::cli {

struct RunTarget {
  std::string name;
  MakeModule make;
  std::vector<ArgumentShape> arguments;
};

/// Whether this names a file with tile IR rather than a kernel of the library.
bool is_tile_file(const std::string &name);

/// The kernel of the library at one shape.
Result<RunTarget> library_target(const std::string &kernel, const Shape &shape);

/// An array and the file it was read from.
struct InputArray {
  std::string path;
  HostArray array;
};

/// The kernel or file `name` for these inputs, one per view that is const, in order. How large the
/// outputs are follows from the inputs. Errors name the file that does not fit.
Result<RunTarget> target_for_inputs(const std::string &name, const std::vector<InputArray> &inputs);

} // namespace tilewright::cli
