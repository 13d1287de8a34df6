// Is this launch allowed? What a kernel's signature and its compiled code demand of the arguments.
#pragma once

#include <span>
#include <string>

#include "pipeline.h"
#include "tilewright/argument.h"
#include "tilewright/kernel_source.h"
#include "tilewright/result.h"

namespace tilewright::runtime {

/// Before compiling: as many arguments as parameters, of their types and ranks, writable where the
/// kernel's view is not const, and each a range of memory that can exist: extents not negative, no
/// address beyond what a pointer can hold, not null, aligned to its elements. Errors name the
/// kernel and the argument by its position, from 1. Succeeds without allocating.
Status check_arguments(const std::string &kernel, std::span<const Parameter> parameters,
                       std::span<const Argument> arguments);

/// Before running compiled code, on arguments that passed check_arguments: the facts about extents
/// that the code relies on. Succeeds without allocating.
Status check_extents(const std::string &kernel, std::span<const ExtentCheck> checks,
                     std::span<const Argument> arguments);

} // namespace tilewright::runtime
