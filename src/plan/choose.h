// Chooses a plan: rules on footprint, extents and the machine, never on names or a table of shapes.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// What is known of the launch that a kernel is compiled for. Plans may depend on it; results do
/// not.
struct Hints {
  /// Per view its extents at the first launch; empty when there is none.
  std::vector<std::vector<int64_t>> launch_extents;
  int64_t expected_programs = 0; ///< 0: from launch_extents, or else a guess
};

/// A complete, admitted plan. `fixed_json` (see from_json; empty: nothing) fixes choices; the
/// others are made around them, so that `{"width":16}` also picks packets for 16 lanes.
///  - A choice for one loop (`{"loops":[{"tail":"masked"}]}`) has to be admitted as it is.
///  - A choice for every loop (`{"tail":"overlapped"}`) holds in the loops that can take it, and
///    `"source"` on the edges that can; when none can, that is the error.
/// A fixed choice that cannot be admitted is a user error with the reason. When the plan has a
/// guard, safe_plan(kernel, machine, plan.width) is admitted too.
Result<Plan> choose(const KernelSummary &kernel, const MachineSummary &machine, const Hints &hints,
                    const std::string &fixed_json = "");

} // namespace tilewright::plan
