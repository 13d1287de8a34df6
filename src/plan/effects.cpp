#include "plan/effects.h"

#include <algorithm>

#include "plan/facts.h"

namespace tilewright::plan {

std::vector<int> scalar_positions(const KernelSummary &kernel, const Plan &plan) {
  std::vector<int> positions(kernel.ops.size(), -1);
  for (size_t op = 0; op < kernel.ops.size(); ++op) {
    if (!is_scalar_access(kernel.ops[op]))
      continue;
    size_t loop = 0;
    while (loop < plan.loops.size() && plan.loops[loop].ops.front() < static_cast<int>(op))
      ++loop;
    positions[op] = static_cast<int>(loop);
  }
  return positions;
}

namespace {

/// One run of an access: where, and in a loop at which op's place.
struct Run {
  int op;
  int position; ///< 2 * loop + 1 inside a loop, 2 * loop before it
  int place;    ///< the op itself, or for a reload the first op of the loop that needs it
  bool reload;
};

std::vector<Run> find_runs(const KernelSummary &kernel, const Plan &plan) {
  std::vector<int> loops = loops_of_ops(kernel, plan);
  std::vector<int> positions = scalar_positions(kernel, plan);
  std::vector<Run> runs;
  for (int op = 0; op < static_cast<int>(kernel.ops.size()); ++op) {
    if (!is_access(kernel.ops[op]))
      continue;
    if (positions[op] >= 0)
      runs.push_back({op, 2 * positions[op], op, false});
    else if (loops[op] >= 0)
      runs.push_back({op, 2 * loops[op] + 1, op, false});
  }
  for (const EdgePlan &edge : plan.edges) {
    if (edge.source != Source::reload)
      continue;
    for (int op : plan.loops[edge.loop].ops) {
      if (!takes(kernel, plan, edge.loop, op, edge.value))
        continue;
      runs.push_back({edge.value, 2 * edge.loop + 1, op, true});
      break;
    }
  }
  return runs;
}

/// Whether two accesses of views with one address and equal strides meet in an element only where
/// their positions along the lanes' dimension are equal: elements along it differ in address, and
/// so do the rows that two coordinates select.
bool meet_in_equal_positions(const KernelSummary &kernel, const OpSummary &a, const OpSummary &b) {
  const ViewSummary &view_a = kernel.views[a.view];
  const ViewSummary &view_b = kernel.views[b.view];
  if (view_a.element_bytes != view_b.element_bytes)
    return false;
  if (lane_dimension(a) < 0 || lane_dimension(a) != lane_dimension(b))
    return false;
  if (view_a.packed || view_b.packed)
    return true;
  if (!is_consecutive(kernel, a) && !is_consecutive(kernel, b))
    return false;
  return a.indices == b.indices &&
         std::all_of(a.indices.begin(), a.indices.end(),
                     [](const std::optional<int> &index) { return index.has_value(); });
}

/// Whether, of two accesses of views with one address and equal strides that a plan runs in one
/// place, every element that both touch is touched by the first one first.
bool meet_in_order(const KernelSummary &kernel, const Plan &plan, const OpSummary &a,
                   const OpSummary &b) {
  if (plan.mapping == Mapping::flat) // packed views, walked in memory order
    return kernel.views[a.view].element_bytes == kernel.views[b.view].element_bytes;
  return meet_in_equal_positions(kernel, a, b) && origin_of(a) == origin_of(b);
}

/// Whether they touch no element in common, as the two halves of a row.
bool never_meet(const KernelSummary &kernel, const Plan &plan, const OpSummary &a,
                const OpSummary &b) {
  return plan.mapping == Mapping::row && meet_in_equal_positions(kernel, a, b) &&
         intervals_apart(kernel, a, b);
}

/// Whether two accesses of views with one address and equal strides never meet in an element when
/// they belong to different programs: no two programs touch the same element of a packed view that
/// all root indices select from.
bool meet_in_one_program(const KernelSummary &kernel, const OpSummary &a, const OpSummary &b) {
  const ViewSummary &view_a = kernel.views[a.view];
  const ViewSummary &view_b = kernel.views[b.view];
  if (view_a.element_bytes != view_b.element_bytes || a.indices != b.indices)
    return false;
  for (int root = 0; root < static_cast<int>(kernel.root_axes.size()); ++root)
    if (std::find(a.indices.begin(), a.indices.end(), std::optional(~root)) == a.indices.end())
      return false;
  return view_a.packed || view_b.packed;
}

/// What overlapped programs run out of order.
void add_hazards_between_programs(const KernelSummary &kernel, const Plan &plan,
                                  const std::vector<Run> &runs, std::vector<Hazard> &hazards) {
  const int first_loop = 1;
  const int last_loop = 2 * static_cast<int>(plan.loops.size()) - 1;
  for (const Run &load : runs)
    for (const Run &store : runs) {
      const OpSummary &a = kernel.ops[load.op];
      const OpSummary &b = kernel.ops[store.op];
      if (a.kind != OpKind::load || load.position != first_loop || b.kind != OpKind::store ||
          store.position < last_loop)
        continue;
      hazards.push_back({load.op, store.op, 0, false, meet_in_one_program(kernel, a, b)});
    }
}

} // namespace

std::vector<Hazard> find_hazards(const KernelSummary &kernel, const Plan &plan) {
  std::vector<Hazard> hazards;
  std::vector<Run> runs = find_runs(kernel, plan);
  for (const Run &first : runs)
    for (const Run &second : runs) {
      const OpSummary &a = kernel.ops[first.op];
      const OpSummary &b = kernel.ops[second.op];
      if (first.op >= second.op)
        continue;
      if (a.kind != OpKind::store && b.kind != OpKind::store)
        continue;
      // Between loops, scalar accesses keep program order.
      if (first.position < second.position)
        continue;
      if (first.position == second.position && first.position % 2 == 0)
        continue;
      // A load after a store must see it, which edge packets that load early would not.
      bool in_order = first.position == second.position && b.kind == OpKind::store &&
                      first.place < second.place;
      bool harmless =
          (in_order && meet_in_order(kernel, plan, a, b)) || never_meet(kernel, plan, a, b);
      hazards.push_back({first.op, second.op, first.position / 2, first.reload, harmless});
    }
  if (plan.overlap_programs)
    add_hazards_between_programs(kernel, plan, runs, hazards);
  return hazards;
}

std::vector<GuardPair> guard_pairs(const KernelSummary &kernel, const Plan &plan) {
  std::vector<GuardPair> pairs;
  for (const Hazard &hazard : find_hazards(kernel, plan)) {
    const OpSummary &a = kernel.ops[hazard.first];
    const OpSummary &b = kernel.ops[hazard.second];
    if (a.view == b.view)
      continue; // right as it is, or not admitted
    GuardPair pair{b.view, a.view, hazard.same_element_first};
    if (b.kind != OpKind::store)
      std::swap(pair.stored, pair.other);
    auto same = std::find_if(pairs.begin(), pairs.end(), [&](const GuardPair &other) {
      return std::minmax(other.stored, other.other) == std::minmax(pair.stored, pair.other);
    });
    if (same == pairs.end())
      pairs.push_back(pair);
    else
      same->same_element_first &= pair.same_element_first;
  }
  return pairs;
}

} // namespace tilewright::plan
