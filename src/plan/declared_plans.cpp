#include "plan/declared_plans.h"

#include <algorithm>
#include <random>

#include "plan/admit.h"
#include "plan/facts.h"
#include "plan/partition.h"
#include "plan/safe_plan.h"

namespace tilewright::plan {

namespace {

constexpr int random_tries = 100;

/// Collects plans that are admitted, with a safe body where they are guarded, each once.
class Collector {
public:
  Collector(const KernelSummary &kernel, const MachineSummary &machine)
      : kernel_(kernel), machine_(machine) {}

  bool admitted(const Plan &plan) const {
    if (!admit(kernel_, machine_, plan))
      return false;
    return !plan.guard || admit(kernel_, machine_, safe_plan(kernel_, machine_, plan.width));
  }

  void add(const Plan &plan) {
    if (plans_.size() >= max_declared_plans || !admitted(plan))
      return;
    if (std::find(plans_.begin(), plans_.end(), plan) == plans_.end())
      plans_.push_back(plan);
  }

  /// Adds the plan with a change in every loop where that is admitted, if there is one.
  template <typename Change>
  void add_variant(Plan plan, Change change) {
    for (LoopPlan &loop : plan.loops) {
      LoopPlan before = loop;
      change(loop);
      if (!admitted(plan))
        loop = before;
    }
    add(plan);
  }

  std::vector<Plan> take() { return std::move(plans_); }

private:
  const KernelSummary &kernel_;
  const MachineSummary &machine_;
  std::vector<Plan> plans_;
};

/// The cut of the ops that a family of plans shares.
struct Family {
  Mapping mapping;
  bool guard;
  Fusion fusion;
  Source crossing;
};

constexpr Family families[] = {
    {Mapping::flat, true, Fusion::whole, Source::reload},
    {Mapping::row, true, Fusion::whole, Source::reload},
    {Mapping::row, true, Fusion::whole, Source::recompute},
    {Mapping::row, true, Fusion::whole, Source::keep},
    {Mapping::row, false, Fusion::in_program_order, Source::keep},
    {Mapping::row, false, Fusion::whole, Source::reload},
};

constexpr int all_packets[] = {1, 2, 4, 8, 16};
constexpr Tail all_tails[] = {Tail::masked, Tail::peeled, Tail::overlapped};

Plan start_plan(const KernelSummary &kernel, const Family &family, int width) {
  Plan plan;
  plan.mapping = family.mapping;
  plan.guard = family.guard;
  plan.width = width;
  partition(kernel, family.fusion, family.crossing, plan);
  for (LoopPlan &loop : plan.loops) {
    bool commutes = std::all_of(loop.ops.begin(), loop.ops.end(),
                                [&](int op) { return kernel.ops[op].commutes; });
    loop.packets = commutes ? 1 : max_packets_of(kernel, loop, width);
  }
  return plan;
}

/// Widths from half to four registers; one lane too.
std::vector<int> widths(const KernelSummary &kernel, const MachineSummary &machine) {
  int width = default_width(kernel, machine);
  std::vector<int> all = {width, width / 2, 2 * width, 4 * width, 1};
  std::erase_if(all, [](int one) { return one < 1 || one > 64; });
  return all;
}

void add_variants(Collector &collector, const Plan &base) {
  auto align = [](LoopPlan &loop) {
    loop.tail = Tail::overlapped;
    loop.align_stores = true;
  };
  collector.add_variant(base, align);
  for (Tail tail : {Tail::masked, Tail::peeled})
    collector.add_variant(base, [&](LoopPlan &loop) {
      loop.tail = tail;
      loop.align_stores = true;
      loop.nontemporal = tail == Tail::masked;
    });
  collector.add_variant(base, [&](LoopPlan &loop) {
    align(loop);
    loop.packets = 4;
  });
  collector.add_variant(base, [](LoopPlan &loop) { loop.prefetch_bytes = 512; });
  collector.add_variant(base, [](LoopPlan &loop) { loop.prefetch_programs = 1; });
  Plan overlapped = base;
  overlapped.overlap_programs = true;
  collector.add(overlapped);
  collector.add_variant(overlapped, align);
  collector.add_variant(overlapped, [](LoopPlan &loop) { loop.packets = 2; });
  for (int programs : {2, 4}) {
    Plan blocked = base;
    blocked.programs_per_step = programs;
    collector.add(blocked);
    collector.add_variant(blocked, [](LoopPlan &loop) { loop.packets = 2; });
    collector.add_variant(blocked, [](LoopPlan &loop) { loop.tail = Tail::overlapped; });
  }
}

} // namespace

std::vector<Plan> declared_plans(const KernelSummary &kernel, const MachineSummary &machine) {
  Collector collector(kernel, machine);
  collector.add(safe_plan(kernel, machine));
  for (const Family &family : families) {
    if (!admit_mapping(kernel, family.mapping))
      continue;
    for (int width : widths(kernel, machine)) {
      Plan base = start_plan(kernel, family, width);
      collector.add(base);
      add_variants(collector, base);
      for (Tail tail : all_tails)
        for (int packets : all_packets) {
          Plan plan = base;
          // A loop that cannot take one of the two keeps what it had.
          collector.add_variant(plan, [&](LoopPlan &loop) { loop.packets = packets; });
          for (LoopPlan &loop : plan.loops)
            loop.packets = packets;
          collector.add_variant(plan, [&](LoopPlan &loop) { loop.tail = tail; });
        }
    }
  }
  return collector.take();
}

namespace {

class RandomPlans {
public:
  RandomPlans(const KernelSummary &kernel, const MachineSummary &machine, uint64_t seed)
      : kernel_(kernel), collector_(kernel, machine), machine_(machine), random_(seed) {}

  Plan draw() {
    for (int i = 0; i < random_tries; ++i) {
      Plan plan = draw_loops();
      if (!admit_partition(kernel_, plan))
        continue;
      if (plan.overlap_programs && !collector_.admitted(plan))
        plan.overlap_programs = false;
      // What one loop cannot take is drawn again, a few times.
      for (LoopPlan &loop : plan.loops) {
        for (int j = 0; j < 16; ++j) {
          LoopPlan before = loop;
          draw_choices(loop);
          if (collector_.admitted(plan))
            break;
          loop = before;
        }
      }
      if (collector_.admitted(plan))
        return plan;
    }
    return safe_plan(kernel_, machine_);
  }

private:
  uint64_t below(uint64_t bound) { return random_() % bound; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  template <typename T, size_t n>
  T pick(const T (&all)[n]) {
    return all[below(n)];
  }

  Plan draw_loops() {
    std::vector<int> all_widths = widths(kernel_, machine_);
    Plan plan = start_plan(kernel_, pick(families), all_widths[below(all_widths.size())]);
    if (plan.mapping == Mapping::row) {
      cut_loops(plan);
      plan.edges = crossing_edges(kernel_, plan, pick({Source::reload, Source::recompute}));
      for (EdgePlan &edge : plan.edges)
        if (edge.source != Source::recompute && chance(40))
          edge.source = Source::keep;
      if (chance(30))
        plan.programs_per_step = pick({2, 4});
      else
        plan.overlap_programs = chance(50);
    }
    if (chance(50))
      plan.task_programs = static_cast<int64_t>(1 + below(40));
    return plan;
  }

  /// Cuts some loops in two; any cut of ascending ops keeps the order of what they depend on.
  void cut_loops(Plan &plan) {
    std::vector<LoopPlan> loops;
    for (const LoopPlan &loop : plan.loops) {
      LoopPlan left = loop;
      if (loop.ops.size() > 1 && chance(30)) {
        auto middle = loop.ops.begin() + static_cast<int64_t>(1 + below(loop.ops.size() - 1));
        left.ops.assign(loop.ops.begin(), middle);
        LoopPlan right = loop;
        right.ops.assign(middle, loop.ops.end());
        loops.push_back(left);
        loops.push_back(right);
      } else {
        loops.push_back(left);
      }
    }
    plan.loops = loops;
  }

  void draw_choices(LoopPlan &loop) {
    loop.packets = pick(all_packets);
    loop.tail = pick(all_tails);
    loop.align_stores = chance(40);
    loop.nontemporal = loop.align_stores && loop.tail != Tail::overlapped && chance(50);
    loop.prefetch_bytes = chance(20) ? 256 : 0;
    loop.prefetch_programs = !loop.prefetch_bytes && chance(20) ? 1 : 0;
  }

  const KernelSummary &kernel_;
  Collector collector_;
  const MachineSummary &machine_;
  std::mt19937_64 random_;
};

} // namespace

Plan random_plan(const KernelSummary &kernel, const MachineSummary &machine, uint64_t seed) {
  return RandomPlans(kernel, machine, seed).draw();
}

} // namespace tilewright::plan
