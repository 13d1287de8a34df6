// Which plans `lower` can carry out. The planner and `lower` share this one function, and this is
// its specification. Ops, edges and loops are numbered as in KernelSummary and Plan; scalar
// accesses are loads and stores without axes, everything else is a tile op.
//
// Kernel, mapping `flat` (all programs of the phase are one long row of elements in memory order)
//  - Every op is a load, a map or a store, none is a scalar access, and there is a store; no value
//    depends on a root index or on a scalar read from memory.
//  - Every view that is accessed is packed and spanned whole, and every access has the same
//  indices: all root indices
//    in order, then axes. Maps walk those same axes. So element order is memory order in every
//    view. The extent of each view dimension that a root index selects, but the first, is its
//    axis's.
//  - One loop holds all ops, and no edge is kept or reloaded.
//
// Kernel, mapping `row` (one program per packet of programs, lanes split the lane axis)
//  - All tile ops walk exactly one axis, the same one: the lane axis. Reductions are over it, and
//    give scalars. A view whose stride along it is not one is gathered or scattered.
//  - Without a tile op the program is scalar accesses only: there is no loop.
//
// Width and steps
//  - `width` is a power of two from 1 to 64; a packet of the widest element fits 8 registers.
//  - `programs_per_step` is a power of two up to 8; more than one needs the row mapping, the guard,
//    a root nest and loops without `align_stores`.
//  - `overlap_programs` needs the row mapping, a root nest, programs_per_step 1 and two loops. The
//    first loop stores nothing, keeps nothing, uses no scalar that the program reads or reduces,
//    and its reductions' merges commute or have slots == width; the last loop reduces nothing. No
//    scalar store comes before the first loop.
//  - `packets` is a power of two up to 16; packets * programs_per_step * registers per packet is at
//    most 128, so code size is bounded.
//
// Loops and order
//  - Every tile op is in exactly one loop; ops ascend in a loop; no loop is empty. Scalar accesses
//    are in none: each runs before the first loop whose first op comes after it.
//  - A tile op's inputs are made in its own loop or an earlier one. The results of reductions and
//    scalar loads that an op uses exist before its loop starts.
//  - Effects: find_hazards (effects.h) names the pairs of accesses that are not run in program
//    order. A pair through one view is admitted only when every element is touched in order. A pair
//    through two views needs `guard`. (So without a guard, all loads that precede a store are made
//    in earlier loops and kept.)
//
// Edges
//  - A tile used in another loop than its own is kept, reloaded or recomputed there; a tile used in
//    its own loop streams. An edge names a loop that uses the value, and each pair once.
//  - Only loads are reloaded. Only maps are recomputed, and each of their inputs is kept, reloaded
//    or recomputed in the same loop. Keeping needs a lane extent that is known when compiling.
//
// Reductions
//  - Each has `slots` (an ordered fold has none and is not admitted); width <= slots and
//    packets * width divides slots, in every loop that reduces.
//  - Where `merge` does not commute, accumulators may not end rotated: slots == width, or
//    packets * width == slots and the lane extent is known and leaves less than a packet after the
//    last whole step.
//
// Tails and stores
//  - `overlapped`: needs the guard; no reduction in the loop; the row is known to have `width`
//    elements.
//  - `align_stores`: no reduction in the loop, and its first store is consecutive: that view is
//    aligned, and so are other stores to the same row that are known to be a multiple of the
//    alignment further. With an overlapped tail the row is known to have 2 * width elements.
//  - `nontemporal`: needs `align_stores`; the tail is not overlapped; the first store is of a whole
//    row, or of a block that is not tested; a packet of it is a multiple of the register size, and
//    of 16 bytes.
//  - Prefetch distances are not negative, and not both set; `prefetch_programs` needs the row
//    mapping and a root nest.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// Success, or a user error whose text is the first rule that does not hold, naming op, edge or
/// loop.
Status admit(const KernelSummary &kernel, const MachineSummary &machine, const Plan &plan);

/// Whether a mapping can express the kernel at all, or why not.
Status admit_mapping(const KernelSummary &kernel, Mapping mapping);

/// Only that the loops hold every tile op once, in ascending order.
Status admit_loops(const KernelSummary &kernel, const Plan &plan);

/// Only the rules on mapping, loops, order and edges: what a partition of the ops has to obey,
/// whatever the other choices are.
Status admit_partition(const KernelSummary &kernel, const Plan &plan);

/// What will be slow about an admitted plan: one sentence per gathered or scattered access.
std::vector<std::string> performance_notes(const KernelSummary &kernel, const Plan &plan);

} // namespace tilewright::plan
