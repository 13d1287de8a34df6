// How much a launch touches and roughly how long it takes.
#pragma once

#include "plan/choose.h"

namespace tilewright::plan {

/// The number of programs of a launch: static extents, else the hints, else a guess.
int64_t program_count(const KernelSummary &kernel, const Hints &hints);

/// Bytes of all views that a launch reads or writes.
int64_t footprint_bytes(const KernelSummary &kernel, const Hints &hints);

/// Programs per worker task: tasks that take long enough to be worth a wake-up, and not many more
/// tasks than workers; 0 when the launch is too short to share.
int64_t task_programs(const KernelSummary &kernel, const MachineSummary &machine,
                      const Hints &hints);

} // namespace tilewright::plan
