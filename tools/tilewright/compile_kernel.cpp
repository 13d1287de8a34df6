#include "compile_kernel.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "reference/reference.h"
#include "support/stack_thread.h"

namespace tilewright::cli {
namespace {

/// The stage after which the numerics are final.
constexpr const char *last_numeric_stage = "simplify";

template <typename T, typename Function>
Result<T> on_large_stack(const Function &function) {
  std::optional<Result<T>> result;
  if (!run_with_stack(compiler_stack_bytes, [&] { result.emplace(function()); }))
    return Error{ErrorKind::user,
                 "no thread could be made to compile on; raise the limit on threads or on memory",
                 {}};
  return std::move(*result);
}

Status evaluate(const TileModule &module, std::span<const Argument> arguments,
                Precision precision) {
  return precision == Precision::exact ? evaluate_reference(module, arguments)
                                       : evaluate_reference_in_double(module, arguments);
}

} // namespace

MakeModule recording(KernelSource source, std::vector<Argument> arguments) {
  return [source = std::move(source), arguments = std::move(arguments)]() -> Result<TileModule> {
    Result<Recorded> recorded = record(source, arguments);
    if (!recorded)
      return recorded.error();
    return std::move(recorded->module);
  };
}

MakeModule parsing(std::string text, std::string file) {
  return [text = std::move(text), file = std::move(file)] { return parse_tile(text, file); };
}

Result<std::shared_ptr<CompiledKernel>> compile_kernel(const MakeModule &make,
                                                       const CompileOptions &options) {
  using Compiled = std::shared_ptr<CompiledKernel>;
  return on_large_stack<Compiled>([&]() -> Result<Compiled> {
    Result<TileModule> module = make();
    if (!module)
      return module.error();
    return compile(std::move(*module), options);
  });
}

Result<std::string> text_after(const MakeModule &make, CompileOptions options,
                               const std::string &stage) {
  std::string last;
  options.stop_after = stage;
  options.after_stage = [&](const std::string &, const std::string &text) { last = text; };
  Result<std::shared_ptr<CompiledKernel>> compiled = compile_kernel(make, options);
  if (!compiled)
    return compiled.error();
  return last;
}

bool stored_alike(ElementType a, ElementType b) {
  auto is_real = [](ElementType type) {
    return type == ElementType::f32 || type == ElementType::f64;
  };
  return a == b || (!is_real(a) && !is_real(b) && byte_size(a) == byte_size(b));
}

std::vector<Argument> as_stored(std::span<const Argument> arguments,
                                const std::vector<Parameter> &parameters) {
  std::vector<Argument> stored(arguments.begin(), arguments.end());
  for (std::size_t i = 0; i < stored.size() && i < parameters.size(); ++i)
    if (stored_alike(stored[i].type, parameters[i].element))
      stored[i].type = parameters[i].element;
  return stored;
}

Status run_reference(const MakeModule &make, std::span<const Argument> arguments,
                     Precision precision) {
  Result<std::string> text = text_after(make, {}, last_numeric_stage);
  if (!text)
    return text.error();
  Result<bool> done = on_large_stack<bool>([&]() -> Result<bool> {
    Result<TileModule> module = parse_tile(*text, last_numeric_stage);
    if (!module)
      return module.error();
    const std::vector<Argument> stored = as_stored(arguments, module->parameters());
    if (Status status = evaluate(*module, stored, precision); !status)
      return status.error();
    return true;
  });
  if (!done)
    return done.error();
  return {};
}

Result<bool> is_exact(const MakeModule &make) {
  constexpr std::string_view correctly_rounded[] = {
      "math.absf", "math.absi",  "math.ceil",  "math.copysign", "math.floor", "math.fma",
      "math.is",   "math.round", "math.rsqrt", "math.sqrt",     "math.trunc"};
  Result<std::string> text = text_after(make, {}, last_numeric_stage);
  if (!text)
    return text.error();
  std::string_view rest = *text;
  for (std::size_t at; (at = rest.find("math.")) != std::string_view::npos;) {
    rest.remove_prefix(at);
    if (std::none_of(std::begin(correctly_rounded), std::end(correctly_rounded),
                     [&](std::string_view name) { return rest.starts_with(name); }))
      return false;
    rest.remove_prefix(5);
  }
  return true;
}

} // namespace tilewright::cli
