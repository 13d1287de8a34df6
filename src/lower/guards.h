// Which pairs of views a plan assumes not to overlap harmfully, and what it may assume of equal ones.
#pragma once

#include "lower/nest.h"

namespace tilewright::lower {

/// The store through parameter `stored` and the accesses of parameter `other` share a loop safely
/// only when their views pass `lane.guard`.
struct GuardedPair {
  int stored = 0;
  int other = 0;
  /// Equal address, extents and strides are fine too: both are indexed alike everywhere, and no
  /// load of `other` comes after a store of `stored` in program order, so that in the plan every
  /// load of an element precedes its store.
  bool same_element_first = false;
};

/// One entry per pair of a stored view and another accessed view, in parameter order.
std::vector<GuardedPair> guarded_pairs(const Nest& nest);

}  // namespace tilewright::lower
