#include "reference/reference.h"

#include <cfenv>

#include "reference/interpreter.h"

namespace tilewright {

namespace {

/// Sets the default floating-point environment and restores the caller's at the end.
class DefaultEnvironment {
public:
  DefaultEnvironment() {
    std::fegetenv(&caller_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultEnvironment() { std::fesetenv(&caller_); }
  DefaultEnvironment(const DefaultEnvironment &) = delete;
  DefaultEnvironment &operator=(const DefaultEnvironment &) = delete;

private:
  std::fenv_t caller_;
};

Status evaluate(const TileModule &module, std::span<const Argument> arguments,
                reference::Precision precision) {
  DefaultEnvironment environment;
  tile::KernelOp kernel = module.content().kernel();
  Result<reference::Binding> binding = reference::bind_arguments(kernel, arguments, precision);
  if (!binding)
    return binding.error();
  return reference::Interpreter(kernel, std::move(*binding), precision).run();
}

} // namespace

Status evaluate_reference(const TileModule &module, std::span<const Argument> arguments) {
  return evaluate(module, arguments, reference::Precision::exact);
}

Status evaluate_reference_in_double(const TileModule &module, std::span<const Argument> arguments) {
  return evaluate(module, arguments, reference::Precision::wide);
}

} // namespace tilewright
