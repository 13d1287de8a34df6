// Where a plan runs each access to memory, and which overlaps of views would change a result.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// Per op, for scalar accesses: the loop before which it runs, `loops.size()` for after all; -1 for
/// other ops. It is the first loop whose first op comes after the access in program order, so
/// scalar accesses keep their order among themselves. Every loop has an op.
std::vector<int> scalar_positions(const KernelSummary &kernel, const Plan &plan);

/// Two accesses, at least one of them a store, that a plan runs in an order (or in a shared loop)
/// where overlapping views could make a difference.
struct Hazard {
  int first = 0; ///< the op that comes first in program order
  int second = 0;
  int loop = -1; ///< the loop in which `first` runs, as a reload when it is not the op's own
  bool reload = false;
  /// Whether the plan is right also when both views have one address and equal strides: every
  /// element that both touch is touched by `first` before `second`. Blocks of a row that lie apart
  /// have none in common.
  bool same_element_first = false;
};

/// All hazards of a plan whose loops partition the tile ops; edges other than `stream` count as
/// given. In a step, ops run in ascending order over all packets, a reload just before the first op
/// that needs it; edge packets of an overlapped tail load before the main loop and store after it.
/// Where programs overlap, the loads of the next program's first loop come before the stores of
/// this program's last loop and those after it.
std::vector<Hazard> find_hazards(const KernelSummary &kernel, const Plan &plan);

/// A launch-time test: the stores through view `stored` and the accesses of view `other` must not
/// meet, except as equal views when `same_element_first`.
struct GuardPair {
  int stored = 0;
  int other = 0;
  bool same_element_first = false;
  bool operator==(const GuardPair &) const = default;
};

/// The tests that make an admitted plan right; none for a plan that is right on any addresses.
std::vector<GuardPair> guard_pairs(const KernelSummary &kernel, const Plan &plan);

} // namespace tilewright::plan
