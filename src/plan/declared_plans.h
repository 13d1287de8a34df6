// Many admitted plans of one kernel, for tests that hold all plans to the same bits.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// The most plans declared_plans returns.
inline constexpr size_t max_declared_plans = 256;

/// A bounded set of different admitted plans: widths x packets x tails x ways to cross loops,
/// guarded or not, in every mapping that fits, and aligned, non-temporal, prefetching and
/// row-blocked variants of them. The first is the safe plan. Empty when no mapping fits.
std::vector<Plan> declared_plans(const KernelSummary &kernel, const MachineSummary &machine);

/// An admitted plan that is a function of the seed: loops are cut, and every choice of every loop
/// and edge made, at random. The safe plan when no random one is admitted after a number of tries.
Plan random_plan(const KernelSummary &kernel, const MachineSummary &machine, uint64_t seed);

} // namespace tilewright::plan
