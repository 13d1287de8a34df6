#include "plan/choose.h"

#include <algorithm>
#include <iterator>

#include "plan/admit.h"
#include "plan/effects.h"
#include "plan/facts.h"
#include "plan/footprint.h"
#include "plan/partition.h"
#include "plan/plan_json.h"
#include "plan/safe_plan.h"

namespace tilewright::plan {

namespace {

// Where one way becomes better than another. To be set by measurement, per machine in time.
constexpr int packets_of_simple_loops = 4;
// With exp and the like: bodies are long, and one packet's values fill the registers beside the
// constants (of 12.4 thousand packets, two in a step take 1.1 times as long). Such loops read from
// the last cache as fast as they compute; those that read from memory prefetch (1.3 times as fast).
constexpr int packets_of_function_loops = 1;
// Where nothing is stored but what is kept, four packets in a step take 0.92 times as long.
constexpr int packets_of_kept_function_loops = 4;
// What the constants and the values of one packet of exp fill.
constexpr int64_t registers_of_functions = 12;
constexpr int64_t overlapped_from_packets = 2; ///< row length, in packets
constexpr int64_t aligned_from_bytes = 1024;   ///< row length
constexpr int prefetch_distance_bytes = 2048;
/// The last program's first loop runs twice.
constexpr int64_t overlapped_from_programs = 8;
// Rows this short wait for their reductions more than they compute. Four at once are best while no
// loop has two steps (0.8 times as long as one), but take three times as long to compile; two
// are up to this many packets (0.9 times). Beyond, their accumulators fill the registers.
constexpr int64_t together_up_to_packets = 28;
constexpr int programs_of_one_step = 4;
constexpr int programs_of_short_rows = 2;

class Chooser {
public:
  Chooser(const KernelSummary &kernel, const MachineSummary &machine, const Hints &hints,
          const PlanChoices &fixed)
      : kernel_(kernel), machine_(machine), hints_(hints), fixed_(fixed) {}

  Result<Plan> run() {
    choose_mapping();
    if (Status status = admit_mapping(kernel_, plan_.mapping); !status)
      return status.error();
    plan_.width = fixed_.width.value_or(default_width(kernel_, machine_));
    if (!is_power_of_two(plan_.width))
      return admit(kernel_, machine_, plan_).error();
    plan_.programs_per_step = fixed_.programs_per_step.value_or(1);
    plan_.task_programs = fixed_.task_programs.value_or(task_programs(kernel_, machine_, hints_));
    if (Status status = choose_loops(); !status)
      return status.error();
    fixed_loops_.assign(fixed_.loops.begin(), fixed_.loops.end());
    fixed_loops_.resize(plan_.loops.size());

    // Plain choices first: they are admitted whatever the others are, so each step can be tried.
    for (size_t loop = 0; loop < plan_.loops.size(); ++loop) {
      plan_.loops[loop].packets = default_packets(plan_.loops[loop]);
      plan_.loops[loop].tail = plain_tail(machine_);
    }
    choose_programs_per_step();
    choose_overlap();
    for (size_t loop = 0; loop < plan_.loops.size(); ++loop)
      complete_loop(loop, fixed_loops_[loop]);
    if (Status status = apply_choices_for_every_loop(); !status)
      return status.error();
    if (Status status = admit(kernel_, machine_, plan_); !status)
      return status.error();
    if (Status status = admit_safe_body(); !status)
      return status.error();
    return plan_;
  }

private:
  void choose_mapping() {
    plan_.guard = fixed_.guard.value_or(true);
    bool flat = admit_mapping(kernel_, Mapping::flat) && admit_mapping(kernel_, Mapping::row);
    plan_.mapping = fixed_.mapping.value_or(flat && plan_.guard ? Mapping::flat : Mapping::row);
  }

  Status choose_loops() {
    Source crossing = fixed_.every_edge.value_or(Source::recompute);
    if (fixed_.replaces_loops()) {
      plan_.loops.assign(fixed_.loops.size(), {});
      for (size_t i = 0; i < fixed_.loops.size(); ++i)
        plan_.loops[i].ops = *fixed_.loops[i].ops;
      if (Status status = admit_loops(kernel_, plan_); !status)
        return status;
    } else {
      partition(kernel_, Fusion::whole, crossing, plan_);
      if (!fixed_.edges && !flat())
        for (size_t loop = 0; loop < plan_.loops.size(); ++loop)
          separate_reductions(loop, crossing);
      if (fixed_.loops.size() > plan_.loops.size())
        return user_error("the fixed plan changes loop " + std::to_string(fixed_.loops.size() - 1) +
                          ", but the plan has " + std::to_string(plan_.loops.size()) +
                          "; give \"ops\" to choose the loops");
    }
    std::vector<EdgePlan> fixed = fixed_.edges.value_or(std::vector<EdgePlan>());
    bool exist = std::all_of(fixed.begin(), fixed.end(), [&](const EdgePlan &edge) {
      return edge.value >= 0 && edge.value < static_cast<int>(kernel_.ops.size()) &&
             edge.loop >= 0 && edge.loop < static_cast<int>(plan_.loops.size());
    });
    plan_.edges = exist ? crossing_edges(kernel_, plan_, crossing, fixed) : fixed;
    bool taken = std::any_of(plan_.edges.begin(), plan_.edges.end(),
                             [&](const EdgePlan &edge) { return edge.source == crossing; });
    if (fixed_.every_edge && !plan_.edges.empty() && !taken)
      return user_error("no tile that crosses loops can take \"source\":\"" + to_string(crossing) +
                        "\"");
    return {};
  }

  /// A loop of functions leaves too few registers for the accumulators of a reduction: they would
  /// be loaded and stored for every packet. Where the tile is kept for another loop anyway, a loop
  /// of its own takes the reduction's operands from there at no cost (0.85 times as long).
  void separate_reductions(size_t index, Source crossing) {
    const LoopPlan &loop = plan_.loops[index];
    if (!calls_functions(loop) ||
        accumulator_registers(loop) + registers_of_functions <= machine_.vector_registers)
      return;
    auto moves = [&](int op) {
      const OpSummary &summary = kernel_.ops[op];
      return summary.kind == OpKind::reduce &&
             std::all_of(summary.inputs.begin(), summary.inputs.end(),
                         [&](int input) { return is_kept(input); });
    };
    Plan split = plan_;
    LoopPlan reductions;
    std::copy_if(loop.ops.begin(), loop.ops.end(), std::back_inserter(reductions.ops), moves);
    std::erase_if(split.loops[index].ops, moves);
    if (reductions.ops.empty() || split.loops[index].ops.empty())
      return;
    split.loops.insert(split.loops.begin() + static_cast<int>(index) + 1, reductions);
    split.edges.clear();
    split.edges = crossing_edges(kernel_, split, crossing);
    if (admit_partition(kernel_, split))
      plan_ = split;
  }

  bool is_kept(int value) const {
    return std::any_of(plan_.edges.begin(), plan_.edges.end(), [&](const EdgePlan &edge) {
      return edge.value == value && edge.source == Source::keep;
    });
  }

  int64_t accumulator_registers(const LoopPlan &loop) const {
    int64_t registers = 0;
    for (int op : loop.ops) {
      const OpSummary &summary = kernel_.ops[op];
      if (summary.kind == OpKind::reduce)
        registers += summary.carried * summary.slots * summary.element_bytes;
    }
    return registers / machine_.register_bytes;
  }

  /// The next program's first loop hides behind this one's last: 1.1 to 1.3 times faster at any row
  /// length (measured from 65 to 65536 columns). Kernels that run in place, on equal
  /// views, must go on to do so.
  void choose_overlap() {
    plan_.overlap_programs = fixed_.overlap_programs.value_or(false);
    if (fixed_.overlap_programs || program_count(kernel_, hints_) < overlapped_from_programs)
      return;
    auto before = refuses_equal_views();
    plan_.overlap_programs = true;
    if (!admit(kernel_, machine_, plan_) || refuses_equal_views() > before)
      plan_.overlap_programs = false;
  }

  /// Overlap hides one reduction behind the program before; where another follows from it, short
  /// programs run together instead. With functions there is more to do meanwhile: two are enough.
  void choose_programs_per_step() {
    auto reduces = [&](const LoopPlan &loop) { return holds(kernel_, loop, OpKind::reduce); };
    bool chain = std::count_if(plan_.loops.begin(), plan_.loops.end(), reduces) > 1;
    if (fixed_.programs_per_step || fixed_.overlap_programs.value_or(false) || flat() || !chain ||
        program_count(kernel_, hints_) < overlapped_from_programs || extent() == dynamic_extent ||
        extent() > together_up_to_packets * plan_.width)
      return;
    bool functions = false, one_step = true;
    for (const LoopPlan &loop : plan_.loops) {
      functions |= calls_functions(loop);
      one_step &= !reduces(loop) || extent() < int64_t{2} * loop.packets * plan_.width;
    }
    auto before = refuses_equal_views();
    plan_.programs_per_step =
        one_step && !functions ? programs_of_one_step : programs_of_short_rows;
    if (!admit(kernel_, machine_, plan_) || refuses_equal_views() > before)
      plan_.programs_per_step = 1;
  }

  /// How many pairs of views send the launch to the safe body when they are equal.
  int64_t refuses_equal_views() const {
    std::vector<GuardPair> pairs = guard_pairs(kernel_, plan_);
    return std::count_if(pairs.begin(), pairs.end(), [&](const GuardPair &pair) {
      const ViewSummary &a = kernel_.views[pair.stored], &b = kernel_.views[pair.other];
      return !pair.same_element_first && a.element_bytes == b.element_bytes &&
             a.extents.size() == b.extents.size();
    });
  }

  Status user_error(const std::string &text) const {
    return Error{ErrorKind::user, "kernel '" + kernel_.name + "': " + text, {}};
  }

  bool flat() const { return plan_.mapping == Mapping::flat; }

  int64_t extent() const { return flat() ? elements_per_program(kernel_) : lane_extent(kernel_); }

  int default_packets(const LoopPlan &loop) const {
    bool reduces = holds(kernel_, loop, OpKind::reduce);
    bool functions = calls_functions(loop);
    bool commutes = std::all_of(loop.ops.begin(), loop.ops.end(),
                                [&](int op) { return kernel_.ops[op].commutes; });
    int packets = max_packets_of(kernel_, loop, plan_.width);
    if (!commutes)
      return packets;
    if (!reduces && functions)
      packets = std::min(packets, stores_of(kernel_, loop).empty() ? packets_of_kept_function_loops
                                                                   : packets_of_function_loops);
    else if (!reduces)
      packets = std::min(packets, packets_of_simple_loops);
    // A step that is longer than the row never runs.
    while (!flat() && extent() != dynamic_extent && packets > 1 &&
           int64_t{packets} * plan_.width > std::max<int64_t>(extent(), plan_.width))
      packets /= 2;
    return packets;
  }

  /// Makes the open choices of a loop around those that are fixed.
  void complete_loop(size_t index, const LoopChoices &fixed) {
    LoopPlan &loop = plan_.loops[index];
    fixed.apply(loop);
    bool nontemporal = fixed.nontemporal.value_or(false);
    if (nontemporal && !fixed.align_stores)
      loop.align_stores = true;
    if (nontemporal && !fixed.tail)
      loop.tail = nontemporal_tail();
    bool known = extent() != dynamic_extent;
    bool ragged = !known || extent() % plan_.width != 0 || flat();
    if (!fixed.tail && !nontemporal && ragged && known &&
        extent() >= overlapped_from_packets * plan_.width)
      try_on(loop, [](LoopPlan &trial) { trial.tail = Tail::overlapped; });

    bool streams_past_caches = leaves_caches() && stores_only(loop);
    if (!fixed.nontemporal && !fixed.align_stores && fixed.tail != Tail::overlapped &&
        streams_past_caches)
      try_on(loop, [&](LoopPlan &trial) {
        if (!fixed.tail)
          trial.tail = nontemporal_tail();
        trial.align_stores = trial.nontemporal = true;
      });
    bool open = !fixed.tail || *fixed.tail == Tail::overlapped;
    if (!fixed.align_stores && !loop.align_stores && open && ragged && !flat() &&
        extent() * widest_element_bytes(kernel_) >= aligned_from_bytes && aligning_pays(index))
      try_on(loop, [](LoopPlan &trial) {
        trial.tail = Tail::overlapped;
        trial.align_stores = true;
      });
    if (!fixed.prefetch_bytes && !fixed.prefetch_programs && prefetches(loop))
      complete_prefetch(index);
  }

  /// The last loop that reads a row asks for the same elements of the next program's row, so that
  /// memory is read while it writes; a kernel of one loop asks for those a distance ahead. Asking
  /// in both loops, or in the first alone, costs 1.1 to 1.4 times as much (measured at 1024 x
  /// 4097).
  ///
  /// Where programs overlap, the first loop reads the next row all the while; only the memory
  /// behind the caches is asked earlier (asking for less costs 1.0 to 1.1 times as much). A loop of
  /// functions has the time to ask for the whole row before: then the first loop need not wait (0.8
  /// times as long).
  void complete_prefetch(size_t index) {
    LoopPlan &loop = plan_.loops[index];
    auto reloads = [&](int op, size_t other) {
      return std::any_of(plan_.edges.begin(), plan_.edges.end(), [&](const EdgePlan &edge) {
        return edge.value == op && edge.source == Source::reload &&
               edge.loop == static_cast<int>(other);
      });
    };
    if (plan_.overlap_programs) {
      if (!leaves_caches())
        return;
      auto computes_for_long = [&](size_t other) {
        if (!calls_functions(plan_.loops[other]))
          return false;
        for (int op = 0; op < static_cast<int>(kernel_.ops.size()); ++op)
          if (moves_with_the_program(kernel_.ops[op]) && reloads(op, other))
            return true;
        return false;
      };
      bool another = false;
      for (size_t other = 1; other < plan_.loops.size(); ++other)
        another |= computes_for_long(other);
      if (index > 0 && computes_for_long(index))
        try_on(loop, [](LoopPlan &trial) { trial.prefetch_programs = 1; });
      else if (index == 0 && !another)
        try_on(loop, [](LoopPlan &trial) { trial.prefetch_bytes = prefetch_distance_bytes; });
      return;
    }
    bool last_reader = false, only_reader = false;
    for (int op = 0; op < static_cast<int>(kernel_.ops.size()); ++op) {
      if (!moves_with_the_program(kernel_.ops[op]))
        continue;
      bool later = false;
      for (size_t other = index + 1; other < plan_.loops.size(); ++other)
        later |= reloads(op, other);
      last_reader |= reloads(op, index) && !later;
      only_reader |= std::find(loop.ops.begin(), loop.ops.end(), op) != loop.ops.end() && !later;
    }
    if (last_reader && !flat() && !kernel_.root_axes.empty())
      try_on(loop, [&](LoopPlan &trial) { trial.prefetch_programs = plan_.programs_per_step; });
    else if (only_reader)
      try_on(loop, [](LoopPlan &trial) { trial.prefetch_bytes = prefetch_distance_bytes; });
  }

  bool moves_with_the_program(const OpSummary &op) const {
    return op.kind == OpKind::load &&
           (flat() || std::any_of(op.indices.begin(), op.indices.end(),
                                  [](std::optional<int> by) { return by && *by < 0; }));
  }

  /// What moves with the program is on the store's grid where its layout is the store's; what does
  /// not move, and what is kept, starts on a grid of its own, which the loop then leaves (where
  /// both are as many, aligned loops take 1.03 times as long).
  bool aligning_pays(size_t index) const {
    int moving = 0, fixed = 0;
    auto count = [&](int op) {
      if (is_access(kernel_.ops[op]) && !is_scalar_access(kernel_.ops[op]))
        ++(moves_with_the_program(kernel_.ops[op]) || kernel_.ops[op].kind == OpKind::store
               ? moving
               : fixed);
    };
    for (int op : plan_.loops[index].ops)
      count(op);
    for (const EdgePlan &edge : plan_.edges) {
      if (edge.loop != static_cast<int>(index))
        continue;
      if (edge.source == Source::reload)
        count(edge.value);
      fixed += edge.source == Source::keep;
    }
    return moving > fixed;
  }

  /// Whether the kernel never reads the views that this loop stores to.
  bool stores_only(const LoopPlan &loop) const {
    std::vector<int> stores = stores_of(kernel_, loop);
    return std::none_of(stores.begin(), stores.end(),
                        [&](int op) { return kernel_.views[kernel_.ops[op].view].loaded; });
  }

  /// Few packets are masked beside a loop that leaves the caches, so that what counts is the length
  /// of their code.
  Tail nontemporal_tail() const { return machine_.masked_stores ? Tail::masked : Tail::peeled; }

  /// Keeps the change if the whole plan is admitted with it.
  template <typename Change>
  bool try_on(LoopPlan &loop, Change change) {
    LoopPlan before = loop;
    change(loop);
    if (admit(kernel_, machine_, plan_))
      return true;
    loop = before;
    return false;
  }

  /// One choice at a time: loops that cannot take it go on without it.
  Status apply_choices_for_every_loop() {
    const LoopChoices &all = fixed_.every_loop;
    if (Status status = apply_to_loops(all, &LoopChoices::packets, "packets"); !status)
      return status;
    if (Status status = apply_to_loops(all, &LoopChoices::tail, "tail"); !status)
      return status;
    if (Status status = apply_to_loops(all, &LoopChoices::align_stores, "align_stores"); !status)
      return status;
    if (Status status = apply_to_loops(all, &LoopChoices::nontemporal, "nontemporal"); !status)
      return status;
    if (Status status = apply_to_loops(all, &LoopChoices::prefetch_bytes, "prefetch_bytes");
        !status)
      return status;
    return apply_to_loops(all, &LoopChoices::prefetch_programs, "prefetch_programs");
  }

  template <typename Choice>
  Status apply_to_loops(const LoopChoices &all, std::optional<Choice> LoopChoices::*choice,
                        const std::string &name) {
    if (!(all.*choice) || plan_.loops.empty())
      return {};
    bool taken = false;
    Status first_error;
    for (size_t index = 0; index < plan_.loops.size(); ++index) {
      LoopChoices fixed = fixed_loops_[index];
      if (!(fixed.*choice))
        fixed.*choice = all.*choice;
      LoopPlan before = plan_.loops[index];
      LoopPlan &loop = plan_.loops[index];
      loop = {};
      loop.ops = before.ops;
      loop.packets = default_packets(loop);
      loop.tail = plain_tail(machine_);
      complete_loop(index, fixed);
      Status status = admit(kernel_, machine_, plan_);
      if (status) {
        fixed_loops_[index] = fixed;
        taken = true;
      } else {
        plan_.loops[index] = before;
        if (first_error)
          first_error = status;
      }
    }
    if (taken)
      return {};
    return Error{ErrorKind::user,
                 first_error.error().text + " (no loop can take the fixed \"" + name + "\")",
                 {}};
  }

  Status admit_safe_body() const {
    if (!plan_.guard || guard_pairs(kernel_, plan_).empty())
      return {};
    Status status = admit(kernel_, machine_, safe_plan(kernel_, machine_, plan_.width));
    if (status)
      return {};
    return Error{ErrorKind::user,
                 status.error().text + " (in the safe body, which runs when views overlap)",
                 {}};
  }

  bool calls_functions(const LoopPlan &loop) const {
    return std::any_of(loop.ops.begin(), loop.ops.end(),
                       [&](int op) { return kernel_.ops[op].counts.function > 0; });
  }

  /// The last level is shared: a launch that fills a quarter of it streams through it.
  bool leaves_caches() const { return footprint() > machine_.last_level_bytes / 4; }

  bool prefetches(const LoopPlan &loop) const {
    return calls_functions(loop) ? leaves_caches() : footprint() > machine_.l2_bytes;
  }

  int64_t footprint() const { return footprint_bytes(kernel_, hints_); }

  const KernelSummary &kernel_;
  const MachineSummary &machine_;
  const Hints &hints_;
  const PlanChoices &fixed_;
  Plan plan_;
  std::vector<LoopChoices> fixed_loops_; ///< what is fixed for each loop of plan_
};

} // namespace

Result<Plan> choose(const KernelSummary &kernel, const MachineSummary &machine, const Hints &hints,
                    const std::string &fixed_json) {
  Result<PlanChoices> fixed = parse_choices(fixed_json);
  if (!fixed)
    return fixed.error();
  Result<Plan> chosen = Chooser(kernel, machine, hints, *fixed).run();
  if (chosen || !fixed_json.empty())
    return chosen;
  Plan safe = safe_plan(kernel, machine);
  return admit(kernel, machine, safe) ? Result<Plan>(safe) : chosen;
}

} // namespace tilewright::plan
