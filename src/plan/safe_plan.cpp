#include "plan/safe_plan.h"

#include <algorithm>

#include "plan/admit.h"
#include "plan/facts.h"
#include "plan/partition.h"

namespace tilewright::plan {

int default_width(const KernelSummary &kernel, const MachineSummary &machine) {
  if (!lane_axis(kernel) && admit_mapping(kernel, Mapping::row))
    return 1;
  int64_t width = machine.register_bytes / widest_element_bytes(kernel);
  int64_t slots = 64, fixed_slots = 0;
  for (const OpSummary &op : kernel.ops) {
    if (op.kind != OpKind::reduce || op.slots <= 0)
      continue;
    slots = std::min(slots, op.slots);
    if (!op.commutes)
      fixed_slots = std::max(fixed_slots, op.slots);
  }
  if (fixed_slots > 0 && fixed_slots <= slots &&
      registers_per_packet(kernel, machine, fixed_slots) <= 8)
    return static_cast<int>(fixed_slots);
  return static_cast<int>(round_down_to_power_of_two(std::clamp<int64_t>(width, 1, slots)));
}

int max_packets_of(const KernelSummary &kernel, const LoopPlan &loop, int width) {
  int64_t packets = 16;
  for (int op : loop.ops)
    if (kernel.ops[op].kind == OpKind::reduce)
      packets = std::min(packets, kernel.ops[op].slots / width);
  return static_cast<int>(std::max<int64_t>(1, packets));
}

Tail plain_tail(const MachineSummary &machine) {
  return machine.cheap_masked_stores ? Tail::masked : Tail::peeled;
}

Plan safe_plan(const KernelSummary &kernel, const MachineSummary &machine, int width) {
  Plan plan;
  plan.mapping = Mapping::row;
  plan.width = width > 0 ? width : default_width(kernel, machine);
  plan.guard = false;
  partition(kernel, Fusion::in_program_order, Source::keep, plan);
  for (LoopPlan &loop : plan.loops) {
    // One packet is the smallest code; a merge that does not commute wants whole steps of slots.
    bool commutes = std::all_of(loop.ops.begin(), loop.ops.end(),
                                [&](int op) { return kernel.ops[op].commutes; });
    loop.packets = commutes ? 1 : max_packets_of(kernel, loop, plan.width);
    loop.tail = plain_tail(machine);
  }
  return plan;
}

} // namespace tilewright::plan
