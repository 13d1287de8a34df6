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
/// admit_partition holds wherever it can. How tiles cross loops, where `crossing` is
///  - keep: all are kept;
///  - reload: loads are reloaded and maps kept;
///  - recompute: maps that take few operations from loads are recomputed, other maps kept.
/// A load that cannot be reloaded is kept, and without a known extent nothing is.
void partition(const KernelSummary &kernel, Fusion fusion, Source crossing, Plan &plan);

/// The edges of a plan whose loops are set: `fixed` as they are, and the others by the same rule.
std::vector<EdgePlan> crossing_edges(const KernelSummary &kernel, const Plan &plan, Source crossing,
                                     const std::vector<EdgePlan> &fixed = {});

} // namespace tilewright::plan
