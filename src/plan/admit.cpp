#include "plan/admit.h"

#include <algorithm>
#include <set>

#include "plan/effects.h"
#include "plan/facts.h"

namespace tilewright::plan {

namespace {

constexpr int64_t max_width = 64;
constexpr int max_packets = 16;
constexpr int max_programs_per_step = 8;
constexpr int64_t max_registers_per_packet = 8;
constexpr int64_t max_registers_per_value = 128;

/// Why not; none when all is well.
using Reason = std::optional<std::string>;

std::string number(int64_t value) { return std::to_string(value); }
std::string loop_name(size_t loop) { return "loop " + std::to_string(loop); }

std::string axis_names(const KernelSummary &kernel, const std::vector<int> &axes) {
  std::string names;
  for (int axis : axes)
    names += (names.empty() ? "" : ", ") + kernel.axes[axis].name;
  return names;
}

// Mappings

Reason check_flat_access(const KernelSummary &kernel, int number_of_op, const OpSummary &first) {
  const OpSummary &op = kernel.ops[number_of_op];
  std::string who = describe(kernel, number_of_op);
  if (op.block)
    return who + " spans a block of " + name_of_view(kernel, op.view);
  if (!kernel.views[op.view].packed)
    return who + " accesses " + name_of_view(kernel, op.view) + ", which is not packed";
  if (op.indices != first.indices)
    return who + " is not indexed like the other loads and stores";
  size_t roots = kernel.root_axes.size();
  for (size_t dim = 0; dim < op.indices.size(); ++dim) {
    bool root = dim < roots;
    if (!op.indices[dim] || (root && *op.indices[dim] != ~static_cast<int>(dim)) ||
        (!root && *op.indices[dim] < 0))
      return who + " is not indexed by all root indices in order and then by axes";
  }
  if (op.indices.size() < roots)
    return who + " is not indexed by all root indices in order and then by axes";
  return {};
}

Reason check_flat(const KernelSummary &kernel) {
  const OpSummary *first = nullptr;
  bool stores = false;
  for (int i = 0; i < static_cast<int>(kernel.ops.size()); ++i) {
    const OpSummary &op = kernel.ops[i];
    std::string who = describe(kernel, i);
    if (op.kind == OpKind::reduce)
      return who + " is a reduction";
    if (is_scalar_access(op))
      return who + " accesses a scalar";
    if (!op.after.empty())
      return who + " uses a scalar that the program computes";
    if (op.uses_index)
      return who + " computes with a root index";
    if (is_access(op)) {
      if (!first)
        first = &op;
      if (Reason reason = check_flat_access(kernel, i, *first))
        return reason;
    }
    stores |= op.kind == OpKind::store;
  }
  if (!stores)
    return "nothing is stored";
  std::set<int> axes(first->axes.begin(), first->axes.end());
  for (int i = 0; i < static_cast<int>(kernel.ops.size()); ++i)
    if (std::set<int>(kernel.ops[i].axes.begin(), kernel.ops[i].axes.end()) != axes)
      return describe(kernel, i) + " walks axes " + axis_names(kernel, kernel.ops[i].axes) +
             " and the views are walked along " + axis_names(kernel, first->axes);
  return {};
}

Reason check_row(const KernelSummary &kernel) {
  std::optional<int> lane;
  for (int i = 0; i < static_cast<int>(kernel.ops.size()); ++i) {
    const OpSummary &op = kernel.ops[i];
    if (is_scalar_access(op))
      continue;
    std::string who = describe(kernel, i);
    if (op.axes.empty())
      return who + " walks no axis";
    if (op.axes.size() > 1)
      return who + " walks more than one axis: " + axis_names(kernel, op.axes);
    if (lane && *lane != op.axes.front())
      return who + " walks axis " + kernel.axes[op.axes.front()].name + " and others walk axis " +
             kernel.axes[*lane].name;
    lane = op.axes.front();
    if (op.kind == OpKind::reduce && op.slots <= 0)
      return who + " combines in a fixed order";
  }
  return {};
}

Reason check_mapping(const KernelSummary &kernel, Mapping mapping) {
  Reason reason = mapping == Mapping::flat ? check_flat(kernel) : check_row(kernel);
  if (reason)
    return "mapping " + to_string(mapping) + " does not fit: " + *reason;
  return {};
}

// Plans

class Admission {
public:
  Admission(const KernelSummary &kernel, const MachineSummary &machine, const Plan &plan)
      : kernel_(kernel), machine_(machine), plan_(plan), flat_(plan.mapping == Mapping::flat),
        extent_(flat_ ? elements_per_program(kernel) : lane_extent(kernel)) {}

  Reason check_loops_hold_all_ops() const;

  /// The rules on mapping, loops, order and edges.
  Reason check_partition() {
    if (Reason reason = check_mapping(kernel_, plan_.mapping))
      return reason;
    if (Reason reason = check_loops_hold_all_ops())
      return reason;
    loops_ = loops_of_ops(kernel_, plan_);
    if (Reason reason = check_edges())
      return reason;
    if (Reason reason = check_dependences())
      return reason;
    return check_effects();
  }

  Reason check() {
    if (Reason reason = check_mapping(kernel_, plan_.mapping))
      return reason;
    if (Reason reason = check_steps())
      return reason;
    if (Reason reason = check_partition())
      return reason;
    for (size_t loop = 0; loop < plan_.loops.size(); ++loop)
      if (Reason reason = check_loop(loop))
        return loop_name(loop) + " " + *reason;
    if (plan_.overlap_programs)
      return check_overlap_programs();
    return {};
  }

private:
  Reason check_steps() const {
    if (!is_power_of_two(plan_.width) || plan_.width > max_width)
      return "width is " + number(plan_.width) + ", not a power of two from 1 to " +
             number(max_width);
    if (registers_per_packet(kernel_, machine_, plan_.width) > max_registers_per_packet)
      return "width " + number(plan_.width) + " of " + number(widest_element_bytes(kernel_)) +
             "-byte elements fills more than " + number(max_registers_per_packet) +
             " registers of " + number(machine_.register_bytes) + " bytes";
    int programs = plan_.programs_per_step;
    if (!is_power_of_two(programs) || programs > max_programs_per_step)
      return "programs_per_step is " + number(programs) + ", not a power of two from 1 to " +
             number(max_programs_per_step);
    if (programs > 1 && flat_)
      return "programs_per_step needs the row mapping";
    if (programs > 1 && !plan_.guard)
      return "programs_per_step needs the guard";
    if (programs > 1 && kernel_.root_axes.empty())
      return "programs_per_step needs more than one program";
    if (plan_.task_programs < 0)
      return "task_programs is negative";
    return {};
  }

  bool uses(int loop, int value) const {
    const std::vector<int> &ops = plan_.loops[loop].ops;
    return std::any_of(ops.begin(), ops.end(),
                       [&](int op) { return takes(kernel_, plan_, loop, op, value); });
  }

  Reason check_edges() const {
    std::set<std::pair<int, int>> seen;
    for (const EdgePlan &edge : plan_.edges) {
      if (edge.value < 0 || edge.value >= static_cast<int>(kernel_.ops.size()))
        return "an edge names op " + number(edge.value) + ", which does not exist";
      std::string who = describe(kernel_, edge.value);
      if (edge.loop < 0 || edge.loop >= static_cast<int>(plan_.loops.size()))
        return "the edge of " + who + " names loop " + number(edge.loop) + ", which does not exist";
      std::string where = loop_name(edge.loop);
      if (!seen.insert({edge.value, edge.loop}).second)
        return who + " has two edges to " + where;
      if (!uses(edge.loop, edge.value))
        return where + " does not use " + who;
      bool own = loops_[edge.value] == edge.loop;
      if (own && edge.source != Source::stream)
        return who + " streams within " + where + "; it is not " + verb(edge.source) + " there";
      if (edge.source == Source::reload && kernel_.ops[edge.value].kind != OpKind::load)
        return who + " cannot be reloaded in " + where + ": it is not a load";
      if (edge.source == Source::recompute) {
        if (kernel_.ops[edge.value].kind != OpKind::map)
          return who + " cannot be recomputed in " + where + ": it is not a map";
        for (int input : kernel_.ops[edge.value].inputs)
          if (source_of(plan_, input, edge.loop) == Source::stream)
            return who + " cannot be recomputed in " + where + ": its input " +
                   describe(kernel_, input) + " is not kept, reloaded or recomputed there";
      }
      if (edge.source == Source::keep && extent_ == dynamic_extent)
        return who + " cannot be kept for " + where +
               ": the extent of the lane axis is known only at launch";
    }
    return {};
  }

  static std::string verb(Source source) {
    return source == Source::keep ? "kept" : source == Source::reload ? "reloaded" : "recomputed";
  }

  Reason check_dependences() const {
    std::vector<int> positions = scalar_positions(kernel_, plan_);
    for (int op = 0; op < static_cast<int>(kernel_.ops.size()); ++op) {
      const OpSummary &summary = kernel_.ops[op];
      std::string who = describe(kernel_, op);
      // A loop sees the scalars that exist before it starts.
      int start = loops_[op] >= 0 ? loops_[op] : positions[op];
      for (int value : summary.inputs) {
        if (loops_[value] > loops_[op])
          return who + " is in " + loop_name(loops_[op]) + ", but its input " +
                 describe(kernel_, value) + " is made in " + loop_name(loops_[value]);
        if (loops_[value] < loops_[op] && source_of(plan_, value, loops_[op]) == Source::stream)
          return describe(kernel_, value) + " cannot stream from " + loop_name(loops_[value]) +
                 " to " + loop_name(loops_[op]) + ": it is kept, reloaded or recomputed";
      }
      for (int value : summary.after) {
        int ready = loops_[value] >= 0 ? loops_[value] + 1 : positions[value];
        if (ready > start)
          return who + " uses the result of " + describe(kernel_, value) +
                 ", which does not exist before " + place(start);
      }
    }
    return {};
  }

  std::string place(int loop) const {
    if (loop < static_cast<int>(plan_.loops.size()))
      return loop_name(loop);
    return "the end of the loops";
  }

  Reason check_effects() const {
    for (const Hazard &hazard : find_hazards(kernel_, plan_)) {
      int view = kernel_.ops[hazard.first].view;
      int other = kernel_.ops[hazard.second].view;
      std::string what = describe(kernel_, hazard.first) +
                         (hazard.reload ? ", reloaded in " + loop_name(hazard.loop) + "," : "") +
                         " and " + describe(kernel_, hazard.second) + " are not run in order, and ";
      if (view != other && !plan_.guard)
        return what + name_of_view(kernel_, view) + " and " + name_of_view(kernel_, other) +
               " may overlap: that needs the guard";
      if (view == other && !hazard.same_element_first)
        return what + "both access " + name_of_view(kernel_, view);
    }
    return {};
  }

  Reason check_overlap_programs() const {
    std::string needs = "overlap_programs needs ";
    if (flat_)
      return needs + "the row mapping";
    if (kernel_.root_axes.empty())
      return needs + "more than one program";
    if (plan_.programs_per_step > 1)
      return needs + "programs_per_step 1";
    if (plan_.loops.size() < 2)
      return needs + "two loops";
    if (holds(kernel_, plan_.loops.back(), OpKind::reduce))
      return needs + "a last loop without reductions";
    for (int op : plan_.loops.front().ops) {
      const OpSummary &summary = kernel_.ops[op];
      if (summary.kind == OpKind::store)
        return needs + "a first loop that stores nothing; it holds " + describe(kernel_, op);
      if (!summary.after.empty())
        return needs + "a first loop without scalars of the program; " + describe(kernel_, op) +
               " uses " + describe(kernel_, summary.after.front());
      if (summary.kind == OpKind::reduce && !summary.commutes && summary.slots != plan_.width)
        return needs + "merges that commute in the first loop; that of " + describe(kernel_, op) +
               " does not";
    }
    for (const EdgePlan &edge : plan_.edges)
      if (edge.source == Source::keep && loops_[edge.value] == 0)
        return needs + "a first loop of which nothing is kept; " + describe(kernel_, edge.value) +
               " is";
    std::vector<int> positions = scalar_positions(kernel_, plan_);
    for (int op = 0; op < static_cast<int>(kernel_.ops.size()); ++op)
      if (kernel_.ops[op].kind == OpKind::store && positions[op] == 0)
        return needs + "no store before the first loop; there is " + describe(kernel_, op);
    return {};
  }

  // What follows speaks of one loop, whose name comes before the reason.

  Reason check_loop(size_t index) const {
    const LoopPlan &loop = plan_.loops[index];
    if (!is_power_of_two(loop.packets) || loop.packets > max_packets)
      return "has packets " + number(loop.packets) + ", not a power of two from 1 to " +
             number(max_packets);
    int64_t registers = int64_t{loop.packets} * plan_.programs_per_step *
                        registers_per_packet(kernel_, machine_, plan_.width);
    if (registers > max_registers_per_value)
      return "takes " + number(registers) + " registers per value (packets, programs and width), " +
             "more than " + number(max_registers_per_value);
    if (loop.prefetch_bytes < 0 || loop.prefetch_programs < 0)
      return "has a negative prefetch distance";
    if (loop.prefetch_bytes > 0 && loop.prefetch_programs > 0)
      return "has both prefetch_bytes and prefetch_programs";
    if (loop.prefetch_programs > 0 && (flat_ || kernel_.root_axes.empty()))
      return "has prefetch_programs, which needs the row mapping and more than one program";
    for (int op : loop.ops)
      if (kernel_.ops[op].kind == OpKind::reduce)
        if (Reason reason = check_reduction(loop, op))
          return reason;
    if (loop.tail == Tail::overlapped)
      if (Reason reason = check_overlapped(loop))
        return reason;
    if (loop.align_stores)
      if (Reason reason = check_aligned(loop))
        return reason;
    if (loop.nontemporal)
      if (Reason reason = check_nontemporal(loop))
        return reason;
    return {};
  }

  Reason check_reduction(const LoopPlan &loop, int op) const {
    const OpSummary &reduce = kernel_.ops[op];
    std::string slots = number(reduce.slots) + " slots of " + describe(kernel_, op);
    int64_t step = int64_t{loop.packets} * plan_.width;
    if (plan_.width > reduce.slots)
      return "has width " + number(plan_.width) + ", more than the " + slots;
    if (reduce.slots % step != 0)
      return "steps over " + number(step) + " elements, which do not divide the " + slots;
    if (reduce.commutes || reduce.slots == plan_.width)
      return {};
    bool unrotated =
        step == reduce.slots && extent_ != dynamic_extent && extent_ % step < plan_.width;
    if (!unrotated)
      return "would end with rotated slots, but " + describe(kernel_, op) +
             " has a merge that does not commute";
    return {};
  }

  Reason check_overlapped(const LoopPlan &loop) const {
    std::string has = "has an overlapped tail, which ";
    if (!plan_.guard)
      return has + "needs the guard";
    if (holds(kernel_, loop, OpKind::reduce))
      return has + "cannot repeat the elements of a reduction";
    if (extent_ == dynamic_extent)
      return has + "needs an extent that is known when compiling";
    if (extent_ < plan_.width)
      return has + "needs " + number(plan_.width) + " elements; there are " + number(extent_);
    return {};
  }

  Reason check_aligned(const LoopPlan &loop) const {
    std::string has = "has align_stores, which ";
    if (plan_.programs_per_step > 1)
      return has + "cannot align several programs at once";
    if (holds(kernel_, loop, OpKind::reduce))
      return has + "cannot move the elements of a reduction to other slots";
    std::vector<int> stores = stores_of(kernel_, loop);
    if (stores.empty())
      return has + "needs a store";
    if (!flat_ && !is_consecutive(kernel_, kernel_.ops[stores.front()]))
      return has + "needs unit stride in " + describe(kernel_, stores.front());
    if (loop.tail == Tail::overlapped && extent_ < 2 * plan_.width)
      return has + "needs " + number(2 * plan_.width) + " elements where the tail is overlapped; " +
             "there are " + number(extent_);
    return {};
  }

  Reason check_nontemporal(const LoopPlan &loop) const {
    std::string has = "has nontemporal stores, which ";
    if (!loop.align_stores)
      return has + "need align_stores";
    if (loop.tail == Tail::overlapped)
      return has + "need a tail that stores no element twice";
    const OpSummary &store = kernel_.ops[stores_of(kernel_, loop).front()];
    if (store.block && store.block->tested)
      return has + "need all lanes; " + describe(kernel_, stores_of(kernel_, loop).front()) +
             " is not known to stay inside of " + name_of_view(kernel_, store.view);
    int64_t bytes = int64_t{plan_.width} * kernel_.views[store.view].element_bytes;
    if (bytes < 16 || bytes % machine_.register_bytes != 0)
      return has + "need packets of whole registers; " + number(bytes) + " bytes are not";
    return {};
  }

  const KernelSummary &kernel_;
  const MachineSummary &machine_;
  const Plan &plan_;
  const bool flat_;
  const int64_t extent_;
  std::vector<int> loops_;
};

Reason Admission::check_loops_hold_all_ops() const {
  std::vector<int> seen(kernel_.ops.size(), 0);
  for (size_t loop = 0; loop < plan_.loops.size(); ++loop) {
    const std::vector<int> &ops = plan_.loops[loop].ops;
    if (ops.empty())
      return loop_name(loop) + " has no ops";
    for (size_t i = 0; i < ops.size(); ++i) {
      if (ops[i] < 0 || ops[i] >= static_cast<int>(kernel_.ops.size()))
        return loop_name(loop) + " holds op " + number(ops[i]) + ", which does not exist";
      if (i > 0 && ops[i] <= ops[i - 1])
        return loop_name(loop) + " lists " + describe(kernel_, ops[i]) + " out of order";
      if (is_scalar_access(kernel_.ops[ops[i]]))
        return loop_name(loop) + " holds " + describe(kernel_, ops[i]) +
               ", which runs outside the loops";
      if (seen[ops[i]]++)
        return describe(kernel_, ops[i]) + " is in two loops";
    }
  }
  for (int op = 0; op < static_cast<int>(seen.size()); ++op)
    if (!seen[op] && !is_scalar_access(kernel_.ops[op]))
      return describe(kernel_, op) + " is in no loop";
  if (flat_ && plan_.loops.size() != 1)
    return "mapping flat has one loop";
  return {};
}

Status to_status(const KernelSummary &kernel, const Reason &reason) {
  if (!reason)
    return {};
  return Error{ErrorKind::user, "kernel '" + kernel.name + "': " + *reason, {}};
}

} // namespace

Status admit(const KernelSummary &kernel, const MachineSummary &machine, const Plan &plan) {
  return to_status(kernel, Admission(kernel, machine, plan).check());
}

Status admit_loops(const KernelSummary &kernel, const Plan &plan) {
  return to_status(kernel, Admission(kernel, MachineSummary(), plan).check_loops_hold_all_ops());
}

Status admit_partition(const KernelSummary &kernel, const Plan &plan) {
  return to_status(kernel, Admission(kernel, MachineSummary(), plan).check_partition());
}

Status admit_mapping(const KernelSummary &kernel, Mapping mapping) {
  return to_status(kernel, check_mapping(kernel, mapping));
}

std::vector<std::string> performance_notes(const KernelSummary &kernel, const Plan &plan) {
  std::vector<std::string> notes;
  if (plan.mapping == Mapping::flat)
    return notes;
  for (int op = 0; op < static_cast<int>(kernel.ops.size()); ++op) {
    const OpSummary &summary = kernel.ops[op];
    if (!is_access(summary) || is_scalar_access(summary))
      continue;
    if (summary.block && summary.block->tested)
      notes.push_back(describe(kernel, op) + " tests every packet: its block is not known to lie " +
                      "inside of " + name_of_view(kernel, summary.view) + " when compiling");
    if (is_consecutive(kernel, summary))
      continue;
    notes.push_back(describe(kernel, op) +
                    (summary.kind == OpKind::load ? " gathers from " : " scatters to ") +
                    name_of_view(kernel, summary.view) + ", whose stride along axis " +
                    kernel.axes[summary.axes.front()].name + " is not known to be one");
  }
  return notes;
}

} // namespace tilewright::plan
