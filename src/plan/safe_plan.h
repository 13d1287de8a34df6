// The plan of the safe body, which runs when a guard fails: right on any addresses.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// Row mapping, unguarded, every load kept until the stores that follow it have run; the smallest
/// code. Admitted for every kernel that the row mapping can express with a lane extent that is
/// known when compiling, at any `width` that is admitted for the kernel (0: default_width).
Plan safe_plan(const KernelSummary &kernel, const MachineSummary &machine, int width = 0);

/// Lanes of one register of the widest element, no more than the slots of any reduction; all slots
/// where a merge does not commute and they fit; one lane where there is no tile op.
int default_width(const KernelSummary &kernel, const MachineSummary &machine);

/// The most packets per step that every reduction of the loop allows; 16 without any.
int max_packets_of(const KernelSummary &kernel, const LoopPlan &loop, int width);

/// The tail for extents that are not known to fill packets, where nothing better is admitted.
Tail plain_tail(const MachineSummary &machine);

} // namespace tilewright::plan
