// Compiles vector IR given as text. Only its source file includes MLIR.
#pragma once

#include <string>

#include "native/native.h"

namespace tilewright::native {

/// Parses and verifies `text` in a fresh context and compiles it. A parse error is an internal
/// error.
Result<NativeCode> compile_text(const std::string &text, const Target &target,
                                const NativeOptions &options = {});

/// The same as x86-64-v2, -v3 or -v4; fails the current test when it does not compile.
NativeCode compile_for(const std::string &isa, const std::string &text,
                       const NativeOptions &options = {});

} // namespace tilewright::native
