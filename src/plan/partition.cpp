#include "plan/partition.h"

#include <algorithm>

#include "plan/admit.h"
#include "plan/effects.h"
#include "plan/facts.h"

namespace tilewright::plan {

namespace {

// A kept tile costs a store and a load per packet.
constexpr int recomputed_up_to_operations = 4;

/// The operations that computing a tile again from loads takes; none when it cannot be, or when it
/// takes more than operations of the simplest class.
std::optional<int> operations_from_loads(const KernelSummary &kernel, int op) {
  const OpSummary &summary = kernel.ops[op];
  if (summary.kind == OpKind::load)
    return 0;
  const OpCounts &counts = summary.counts;
  if (summary.kind != OpKind::map || counts.divide + counts.square_root + counts.function > 0)
    return {};
  int operations = counts.simple;
  for (int input : summary.inputs) {
    std::optional<int> more = operations_from_loads(kernel, input);
    if (!more)
      return {};
    operations += *more;
  }
  return operations;
}

class EdgeChooser {
public:
  EdgeChooser(const KernelSummary &kernel, Source crossing, Plan &plan)
      : kernel_(kernel), crossing_(crossing), plan_(plan) {}

  void add(int value, int loop) {
    if (source_of(plan_, value, loop) != Source::stream)
      return;
    plan_.edges.push_back({value, loop, choose(value)});
    add_inputs(plan_.edges.back());
  }

  void add_inputs(EdgePlan edge) {
    if (edge.source != Source::recompute)
      return;
    for (int input : kernel_.ops[edge.value].inputs)
      add(input, edge.loop);
  }

private:
  Source choose(int value) const {
    OpKind kind = kernel_.ops[value].kind;
    Source again = kind == OpKind::load  ? Source::reload
                   : kind == OpKind::map ? Source::recompute
                                         : Source::keep;
    if (lane_extent(kernel_) == dynamic_extent)
      return again; // nothing can be kept
    if (crossing_ == Source::keep || (crossing_ == Source::reload && again == Source::recompute))
      return Source::keep;
    std::optional<int> operations = operations_from_loads(kernel_, value);
    return operations && *operations <= recomputed_up_to_operations ? again : Source::keep;
  }

  const KernelSummary &kernel_;
  const Source crossing_;
  Plan &plan_;
};

} // namespace

std::vector<EdgePlan> crossing_edges(const KernelSummary &kernel, const Plan &plan, Source crossing,
                                     const std::vector<EdgePlan> &fixed) {
  Plan trial = plan;
  trial.edges = fixed;
  std::vector<int> loops = loops_of_ops(kernel, plan);
  EdgeChooser chooser(kernel, crossing, trial);
  for (EdgePlan edge : fixed)
    chooser.add_inputs(edge);
  for (size_t loop = 0; loop < plan.loops.size(); ++loop)
    for (int op : plan.loops[loop].ops)
      for (int value : kernel.ops[op].inputs)
        if (loops[value] != static_cast<int>(loop))
          chooser.add(value, static_cast<int>(loop));
  for (const Hazard &hazard : find_hazards(kernel, trial)) {
    bool same_view = kernel.ops[hazard.first].view == kernel.ops[hazard.second].view;
    bool harmless = same_view ? hazard.same_element_first : plan.guard;
    if (!hazard.reload || harmless)
      continue;
    for (auto edge = trial.edges.begin() + fixed.size(); edge != trial.edges.end(); ++edge)
      if (edge->value == hazard.first && edge->loop == hazard.loop)
        edge->source = Source::keep;
  }
  return trial.edges;
}

namespace {

/// Builds the loops of a row plan by trial: every step asks admit_partition.
class Partitioner {
public:
  Partitioner(const KernelSummary &kernel, Fusion fusion, Source crossing, Plan &plan)
      : kernel_(kernel), fusion_(fusion), crossing_(crossing), plan_(plan) {}

  void run() {
    plan_.loops.clear();
    prefix_ = kernel_;
    prefix_.ops.clear();
    for (int op = 0; op < static_cast<int>(kernel_.ops.size()); ++op) {
      prefix_.ops.push_back(kernel_.ops[op]);
      if (!is_scalar_access(kernel_.ops[op]))
        place(op);
    }
    if (fusion_ == Fusion::whole)
      for (int op = static_cast<int>(kernel_.ops.size()); op-- > 0;)
        delay(op);
    std::erase_if(plan_.loops, [](const LoopPlan &loop) { return loop.ops.empty(); });
    plan_.edges = crossing_edges(kernel_, plan_, crossing_);
  }

private:
  /// Adds the next op to the first loop that may hold it, or to a new last loop.
  void place(int op) {
    size_t count = plan_.loops.size();
    size_t first = fusion_ == Fusion::whole || count == 0 ? 0 : count - 1;
    for (size_t loop = first; loop < count; ++loop) {
      plan_.loops[loop].ops.push_back(op);
      if (admitted(prefix_, plan_))
        return;
      plan_.loops[loop].ops.pop_back();
    }
    plan_.loops.emplace_back().ops.push_back(op);
  }

  /// Moves a load or a map to the loop of its first use, unless more tiles would cross then.
  void delay(int op) {
    OpKind kind = kernel_.ops[op].kind;
    if (kind != OpKind::map && kind != OpKind::load)
      return;
    std::vector<int> loops = loops_of_ops(kernel_, plan_);
    int first_use = static_cast<int>(plan_.loops.size());
    for (size_t user = 0; user < kernel_.ops.size(); ++user)
      for (int value : kernel_.ops[user].inputs)
        if (value == op)
          first_use = std::min(first_use, loops[user]);
    if (loops[op] < 0 || first_use == static_cast<int>(plan_.loops.size()) ||
        first_use == loops[op])
      return;
    Plan moved = plan_;
    std::erase(moved.loops[loops[op]].ops, op);
    std::vector<int> &ops = moved.loops[first_use].ops;
    ops.insert(std::lower_bound(ops.begin(), ops.end(), op), op);
    Plan compact = moved;
    std::erase_if(compact.loops, [](const LoopPlan &loop) { return loop.ops.empty(); });
    if (admitted(kernel_, compact) && crossing_cost(compact) <= crossing_cost(plan_))
      plan_ = compact;
  }

  bool admitted(const KernelSummary &kernel, Plan plan) const {
    plan.edges = crossing_edges(kernel, plan, crossing_);
    return static_cast<bool>(admit_partition(kernel, plan));
  }

  /// A kept tile is written and read; a reloaded one is read.
  int64_t crossing_cost(const Plan &plan) const {
    int64_t cost = 0;
    for (const EdgePlan &edge : crossing_edges(kernel_, plan, crossing_))
      cost += edge.source == Source::keep ? 2 : 1;
    return cost;
  }

  const KernelSummary &kernel_;
  const Fusion fusion_;
  const Source crossing_;
  Plan &plan_;
  KernelSummary prefix_; ///< the ops placed so far
};

} // namespace

void partition(const KernelSummary &kernel, Fusion fusion, Source crossing, Plan &plan) {
  plan.edges.clear();
  if (plan.mapping == Mapping::row)
    return Partitioner(kernel, fusion, crossing, plan).run();
  plan.loops.assign(1, {});
  for (size_t op = 0; op < kernel.ops.size(); ++op)
    plan.loops.front().ops.push_back(static_cast<int>(op));
}

} // namespace tilewright::plan
