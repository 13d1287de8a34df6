// Runs a function on a thread of its own with a stack of a known size.
#pragma once

#include <cstddef>
#include <functional>

namespace tilewright {

inline constexpr size_t compiler_stack_bytes = 8 << 20; ///< enough to compile any kernel

/// Calls `function` on a new thread whose stack holds at least `stack_bytes`, and returns after it
/// has returned. The caller's own stack may be small. False when the thread could not be made; the
/// function has then not run. `function` does not throw.
[[nodiscard]] bool run_with_stack(size_t stack_bytes, const std::function<void()> &function);

} // namespace tilewright
