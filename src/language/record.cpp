// Recording: runs a kernel's lambda and hands over the tile IR it describes.
#include <exception>

#include "language/recorder.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "pipeline.h"
#include "tile/module.h"

namespace tilewright {

namespace {

/// What does not need the lambda: the arguments suit the parameters.
std::optional<Error> check_arguments(const KernelSource &source,
                                     std::span<const Argument> arguments) {
  auto error = [&](std::string text) {
    return Error{ErrorKind::user, "kernel '" + source.name + "': " + text, source.where};
  };
  if (arguments.size() != source.parameters.size())
    return error("takes " + std::to_string(source.parameters.size()) + " arguments, not " +
                 std::to_string(arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const Parameter &parameter = source.parameters[i];
    std::string name = "argument " + std::to_string(i + 1);
    if (argument.type != parameter.element)
      return error(name + " holds " + to_string(argument.type) + ", its parameter " +
                   to_string(parameter.element) + "; pass elements of the parameter's type");
    if (argument.extents.size() != static_cast<size_t>(parameter.rank) ||
        argument.strides.size() != argument.extents.size())
      return error(name + " has rank " + std::to_string(argument.extents.size()) +
                   ", its parameter " + std::to_string(parameter.rank) +
                   "; pass an extent and a stride per dimension");
    for (int64_t extent : argument.extents)
      if (extent < 0)
        return error(name + " has the extent " + std::to_string(extent) +
                     "; extents are not negative");
  }
  if (source.shape_requests.size() > source.parameters.size())
    return error("KernelOptions::shapes has more entries than the kernel has parameters");
  for (size_t i = 0; i < source.shape_requests.size(); ++i)
    if (source.shape_requests[i].size() > static_cast<size_t>(source.parameters[i].rank))
      return error("KernelOptions::shapes asks for " +
                   std::to_string(source.shape_requests[i].size()) + " dimensions of argument " +
                   std::to_string(i + 1) + ", whose rank is " +
                   std::to_string(source.parameters[i].rank));
  return std::nullopt;
}

/// Runs the lambda; an exception becomes the message it carries.
std::optional<std::string> run_body(const KernelSource &source) {
  try {
    source.body();
    return std::nullopt;
  } catch (const std::exception &exception) {
    return std::string("'") + exception.what() + "'";
  } catch (...) {
    return std::string("of an unknown type");
  }
}

} // namespace

Result<Recorded> record(const KernelSource &source, std::span<const Argument> arguments) {
  if (std::optional<Error> stray = language::take_stray_use())
    return std::move(*stray);
  if (std::optional<Error> error = check_arguments(source, arguments))
    return std::move(*error);

  auto content = std::make_unique<TileModule::Content>();
  content->context = make_context();
  content->module = mlir::ModuleOp::create(mlir::UnknownLoc::get(content->context.get()));

  std::vector<std::vector<bool>> dynamic;
  {
    language::Recorder recorder(*content->module, source, arguments);
    std::optional<std::string> thrown = run_body(source);
    if (recorder.error())
      return *recorder.error();
    if (thrown)
      return Error{ErrorKind::user,
                   "kernel '" + source.name + "': its lambda threw an exception " + *thrown +
                       "; a lambda that is being recorded must return",
                   source.where};
    std::vector<int> ranks;
    for (const Parameter &parameter : source.parameters)
      ranks.push_back(parameter.rank);
    Result<std::vector<std::vector<bool>>> marks = language::dynamic_dimensions(
        recorder.extent_facts(), ranks, source.shape_requests, source.where);
    if (!marks)
      return marks.error();
    dynamic = std::move(*marks);
    language::make_dynamic(recorder.kernel(), dynamic);
  }

  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(content->context.get(), [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str();
    return mlir::success();
  });
  if (failed(mlir::verify(*content->module)))
    return Error{ErrorKind::internal, "language: the recording is not valid: " + diagnostics,
                 source.where};
  return Recorded{TileModule(std::move(content)), std::move(dynamic)};
}

} // namespace tilewright
