#include "run_target.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "command.h"

namespace tilewright::cli {
namespace {

Result<std::string> read_text(const std::string &path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || !text)
    return usage_error(fmt::format("{}: it cannot be read; give a file with tile IR", path));
  return text.str();
}

std::string argument_text(const ArgumentShape &argument, int rank) {
  return fmt::format("{} is {} of rank {}", argument.name, to_string(argument.type), rank);
}

/// What can be said before any extent is known: number, types and ranks.
Status check_inputs(const std::string &kernel, const std::vector<ArgumentShape> &arguments,
                    const std::vector<Parameter> &parameters,
                    const std::vector<InputArray> &inputs) {
  std::vector<std::string> names;
  std::size_t given = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].output)
      continue;
    names.push_back(arguments[i].name);
    if (given == inputs.size()) {
      ++given;
      continue;
    }
    if (given > inputs.size())
      continue;
    const InputArray &input = inputs[given++];
    if (input.array.type() != arguments[i].type)
      return usage_error(fmt::format(
          "{}: it has elements of type {}, but argument {} of {}; convert the array", input.path,
          to_string(input.array.type()), argument_text(arguments[i], parameters[i].rank), kernel));
    if (static_cast<int>(input.array.extents().size()) != parameters[i].rank)
      return usage_error(
          fmt::format("{}: it has rank {} (shape {}), but argument {} of {}; reshape the array",
                      input.path, input.array.extents().size(), shape_text(input.array.extents()),
                      argument_text(arguments[i], parameters[i].rank), kernel));
  }
  if (names.size() != inputs.size())
    return usage_error(fmt::format("{} reads {} array{} ({}), and {} {} given", kernel,
                                   names.size(), names.size() == 1 ? "" : "s",
                                   fmt::join(names, ", "), inputs.size(),
                                   inputs.size() == 1 ? "was" : "were"));
  return {};
}

/// Fits the inputs' extents to those that the arguments have.
Status check_extents(const std::string &kernel, const std::vector<ArgumentShape> &arguments,
                     const std::vector<InputArray> &inputs) {
  std::size_t given = 0;
  for (const ArgumentShape &argument : arguments) {
    if (argument.output)
      continue;
    const InputArray &input = inputs[given++];
    if (input.array.extents() != argument.extents)
      return usage_error(fmt::format(
          "{}: it has shape {}, but argument {} of {} needs {} beside the other inputs", input.path,
          shape_text(input.array.extents()), argument.name, kernel, shape_text(argument.extents)));
  }
  return {};
}

Result<RunTarget> library_target_for_inputs(const std::string &name,
                                            const std::vector<InputArray> &inputs) {
  Result<KernelCase> any = make_case(name, any_shape);
  if (!any)
    return any.error();
  if (Status status = check_inputs(name, any->arguments, any->source.parameters, inputs); !status)
    return status.error();
  std::vector<Dimensions> extents;
  for (const InputArray &input : inputs)
    extents.push_back(input.array.extents());
  Result<RunTarget> target = library_target(name, shape_for_inputs(name, extents));
  if (!target)
    return target.error();
  if (Status status = check_extents(name, target->arguments, inputs); !status)
    return status.error();
  return target;
}

/// Extents of outputs, from what the compiled code demands. -1 where it demands nothing.
Status infer_outputs(const CompiledKernel &kernel, std::vector<ArgumentShape> &arguments) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const ExtentCheck &check : kernel.checks) {
      int64_t &extent = arguments[check.view].extents[check.dim];
      int64_t other = check.exact >= 0        ? check.exact
                      : check.other_view >= 0 ? arguments[check.other_view].extents[check.other_dim]
                                              : check.at_least;
      if (extent < 0 && other >= 0) {
        extent = other;
        changed = true;
      } else if (check.other_view >= 0 && extent >= 0 && other < 0) {
        arguments[check.other_view].extents[check.other_dim] = extent;
        changed = true;
      }
    }
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (std::size_t dim = 0; dim < arguments[i].extents.size(); ++dim)
      if (arguments[i].extents[dim] < 0)
        return usage_error(
            fmt::format("{}: dimension {} of {} does not follow from the inputs; tie "
                        "it to an axis of an input",
                        kernel.name, dim, arguments[i].name));
  return {};
}

Result<RunTarget> file_target(const std::string &path, const std::vector<InputArray> &inputs) {
  Result<std::string> text = read_text(path);
  if (!text)
    return text.error();
  RunTarget target{path, parsing(*text, path), {}};
  CompileOptions options;
  options.stop_after = "find_facts";
  Result<std::shared_ptr<CompiledKernel>> compiled = compile_kernel(target.make, options);
  if (!compiled)
    return compiled.error();
  const CompiledKernel &kernel = **compiled;
  target.name = kernel.name;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter &parameter = kernel.parameters[i];
    target.arguments.push_back(
        {.name = std::to_string(i + 1),
         .output = !parameter.read_only,
         .type = parameter.element,
         .extents = Dimensions(static_cast<std::size_t>(parameter.rank), -1)});
  }
  std::size_t next = 0;
  for (ArgumentShape &argument : target.arguments)
    if (!argument.output && next < inputs.size() &&
        stored_alike(inputs[next++].array.type(), argument.type))
      argument.type = inputs[next - 1].array.type();
  if (Status status = check_inputs(target.name, target.arguments, kernel.parameters, inputs);
      !status)
    return status.error();
  std::size_t given = 0;
  for (ArgumentShape &argument : target.arguments)
    if (!argument.output)
      argument.extents = inputs[given++].array.extents();
  if (Status status = infer_outputs(kernel, target.arguments); !status)
    return status.error();
  return target;
}

} // namespace

bool is_tile_file(const std::string &name) { return name.ends_with(".tile"); }

Result<RunTarget> library_target(const std::string &kernel, const Shape &shape) {
  Result<KernelCase> one = make_case(kernel, shape);
  if (!one)
    return one.error();
  std::vector<Argument> arguments;
  for (const ArgumentShape &argument : one->arguments)
    arguments.push_back({.data = nullptr,
                         .type = argument.type,
                         .extents = argument.extents,
                         .strides = row_major_strides(argument.extents),
                         .read_only = false});
  return RunTarget{kernel, recording(one->source, std::move(arguments)), one->arguments};
}

Result<RunTarget> target_for_inputs(const std::string &name,
                                    const std::vector<InputArray> &inputs) {
  return is_tile_file(name) ? file_target(name, inputs) : library_target_for_inputs(name, inputs);
}

} // namespace tilewright::cli
