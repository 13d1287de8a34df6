// The kernels of the standard library by name, with what a tool needs to make arguments for them.
#pragma once

#include <string>
#include <vector>

#include "tilewright/kernel_source.h"

namespace tilewright::kernels {

/// One parameter of a kernel, for arguments made for R rows and C columns.
struct ParameterRole {
  std::string name;
  bool output = false;
  std::string shape; ///< "R", "C" or "C/2" per dimension, separated by commas: "R,C"
};

struct Entry {
  std::string description; ///< one line
  KernelSource source;
  std::vector<ParameterRole> parameters; ///< one per parameter of the source, in order

  const std::string &name() const { return source.name; }
};

/// All kernels, in alphabetical order.
const std::vector<Entry> &all();

/// The kernel of that name, null if there is none.
const Entry *find(const std::string &name);

/// The least number of columns, `columns` or more, that the kernel takes: an even one where it
/// halves them.
int64_t fitting_columns(const Entry &entry, int64_t columns);

/// The extents of a parameter for `rows` and `columns`.
std::vector<int64_t> extents(const ParameterRole &parameter, int64_t rows, int64_t columns);

} // namespace tilewright::kernels
