// Compiling outside of a device: with any options, and stage by stage.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "pipeline.h"

namespace tilewright::cli {

/// Makes tile IR: of a kernel of the library, or of a file's text.
using MakeModule = std::function<Result<TileModule>()>;
MakeModule recording(KernelSource source, std::vector<Argument> arguments);
MakeModule parsing(std::string text, std::string file);

/// Makes the module and compiles it, on a thread with a large stack.
Result<std::shared_ptr<CompiledKernel>> compile_kernel(const MakeModule &make,
                                                       const CompileOptions &options);

/// The IR that `stage` leaves.
Result<std::string> text_after(const MakeModule &make, CompileOptions options,
                               const std::string &stage);

/// Tile IR knows integers by their size alone, and booleans as bytes: whether two types are the
/// same there.
bool stored_alike(ElementType a, ElementType b);

/// The arguments, with the parameters' types where both are stored alike.
std::vector<Argument> as_stored(std::span<const Argument> arguments,
                                const std::vector<Parameter> &parameters);

enum class Precision { exact, wide };

/// Evaluates the kernel on the arguments with the reference: in exact types, with the numerics that
/// `simplify` settled, or in double precision.
Status run_reference(const MakeModule &make, std::span<const Argument> arguments,
                     Precision precision);

/// Whether every function in the kernel is correctly rounded, so that the compiled code and the
/// reference agree bit for bit.
Result<bool> is_exact(const MakeModule &make);

} // namespace tilewright::cli
