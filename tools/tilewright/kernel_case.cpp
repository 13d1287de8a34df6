#include "kernel_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "kernels/registry.h"

namespace tilewright::cli {
namespace {

std::string role_text(const kernels::ParameterRole &role, const Parameter &parameter) {
  std::string shape = role.shape;
  for (char &c : shape)
    c = c == ',' ? 'x' : c;
  return fmt::format("{} {} {} {}", role.name, role.output ? "out" : "in",
                     to_string(parameter.element), shape);
}

} // namespace

std::string KernelCase::title() const { return name + " " + to_string(shape); }

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const kernels::Entry &entry : kernels::all())
    names.push_back(entry.name());
  return names;
}

std::string kernel_summary(const std::string &name) {
  const kernels::Entry *entry = kernels::find(name);
  return entry ? entry->description : "";
}

std::vector<std::string> kernel_arguments(const std::string &name) {
  std::vector<std::string> texts;
  if (const kernels::Entry *entry = kernels::find(name))
    for (std::size_t i = 0; i < entry->parameters.size(); ++i)
      texts.push_back(role_text(entry->parameters[i], entry->source.parameters[i]));
  return texts;
}

Result<KernelCase> make_case(const std::string &name, const Shape &shape) {
  const kernels::Entry *entry = kernels::find(name);
  if (!entry)
    return usage_error(
        fmt::format("there is no kernel '{}'; the kernels are {} (or give a FILE.tile)", name,
                    fmt::join(kernel_names(), ", ")));
  KernelCase result{name, shape, entry->source, {}};
  for (std::size_t i = 0; i < entry->parameters.size(); ++i) {
    const kernels::ParameterRole &role = entry->parameters[i];
    result.arguments.push_back({.name = role.name,
                                .output = role.output,
                                .type = entry->source.parameters[i].element,
                                .extents = kernels::extents(role, shape.rows, shape.columns)});
  }
  return result;
}

Shape shape_for_inputs(const std::string &name, const std::vector<Dimensions> &inputs) {
  constexpr int64_t rows_mark = -3, columns_mark = -2; // and -1 is half of the columns
  Shape shape{-1, -1};
  std::size_t given = 0;
  for (const kernels::ParameterRole &role : kernels::find(name)->parameters) {
    if (role.output)
      continue;
    const Dimensions marks = kernels::extents(role, rows_mark, columns_mark);
    const Dimensions &extents = inputs[given++];
    for (std::size_t dim = 0; dim < marks.size(); ++dim) {
      if (marks[dim] == rows_mark && shape.rows < 0)
        shape.rows = extents[dim];
      if (marks[dim] == columns_mark && shape.columns < 0)
        shape.columns = extents[dim];
    }
  }
  return {std::max<int64_t>(shape.rows, 0), std::max<int64_t>(shape.columns, 0)};
}

} // namespace tilewright::cli
