// What a user fixed of a plan: the JSON text with every choice optional.
#pragma once

#include <optional>

#include "plan/plan.h"

namespace tilewright::plan {

/// Choices of one loop; those without a value are open.
struct LoopChoices {
  std::optional<std::vector<int>> ops;
  std::optional<int> packets;
  std::optional<Tail> tail;
  std::optional<bool> align_stores;
  std::optional<bool> nontemporal;
  std::optional<int> prefetch_bytes;
  std::optional<int> prefetch_programs;

  void apply(LoopPlan &loop) const;
  bool empty() const;
};

/// Choices of a plan; those without a value are open.
struct PlanChoices {
  std::optional<Mapping> mapping;
  std::optional<int> width;
  std::optional<int> programs_per_step;
  std::optional<bool> guard;
  std::optional<bool> overlap_programs;
  std::optional<int64_t> task_programs;
  std::vector<LoopChoices> loops; ///< all with `ops`, or none
  std::optional<std::vector<EdgePlan>> edges;
  LoopChoices every_loop; ///< the loops' choices at the top level; without ops
  std::optional<Source> every_edge;

  bool replaces_loops() const { return !loops.empty() && loops.front().ops.has_value(); }
};

/// Reads the text (empty: nothing is fixed); a user error names an unknown key or value.
Result<PlanChoices> parse_choices(const std::string &text);

} // namespace tilewright::plan
