// Cuts the tile ops of a kernel into fused loops, and says how tiles cross between them.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// How far ops may be fused.
enum class Fusion {
  whole,           ///< into the fewest loops that dependences allow; a load waits for its first use
  in_program_order ///< consecutive ops only
};

/// Sets `loops` (ops only) and `edges` of a plan whose mapping and guard are set, so that
/// admit_partition holds wherever it can. Loads that cross loops take `crossing_loads` (keep or
/// reload) where that is admitted, and the other of the two where it is not; maps are kept.
void partition(const KernelSummary &kernel, Fusion fusion, Source crossing_loads, Plan &plan);

/// The edges of a plan whose loops are set, by the same rule.
std::vector<EdgePlan> crossing_edges(const KernelSummary &kernel, const Plan &plan,
                                     Source crossing_loads);

} // namespace tilewright::plan
