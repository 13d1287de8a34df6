#include "plan/facts.h"

#include <algorithm>
#include <limits>

namespace tilewright::plan {

int64_t round_down_to_power_of_two(int64_t value) {
  int64_t power = 1;
  while (power * 2 <= value)
    power *= 2;
  return power;
}

bool is_access(const OpSummary &op) { return op.kind == OpKind::load || op.kind == OpKind::store; }

bool is_scalar_access(const OpSummary &op) { return is_access(op) && op.axes.empty(); }

std::optional<int> lane_axis(const KernelSummary &kernel) {
  std::optional<int> axis;
  for (const OpSummary &op : kernel.ops) {
    if (is_scalar_access(op))
      continue;
    if (op.axes.size() != 1 || (axis && *axis != op.axes.front()))
      return {};
    axis = op.axes.front();
  }
  return axis;
}

int64_t lane_extent(const KernelSummary &kernel) {
  std::optional<int> axis = lane_axis(kernel);
  return axis ? kernel.axes[*axis].extent : dynamic_extent;
}

int64_t elements_per_program(const KernelSummary &kernel) {
  int64_t elements = 1;
  if (kernel.ops.empty())
    return elements;
  for (int axis : kernel.ops.front().axes) {
    if (kernel.axes[axis].extent == dynamic_extent)
      return dynamic_extent;
    elements *= kernel.axes[axis].extent;
  }
  return elements;
}

int lane_dimension(const OpSummary &access) {
  for (size_t dim = 0; dim < access.indices.size(); ++dim)
    if (access.indices[dim] && *access.indices[dim] >= 0)
      return static_cast<int>(dim);
  return -1;
}

bool is_consecutive(const KernelSummary &kernel, const OpSummary &access) {
  int dim = lane_dimension(access);
  return dim >= 0 && kernel.views[access.view].unit_dim == dim;
}

Position origin_of(const OpSummary &access) {
  return access.block ? access.block->origin : Position();
}

namespace {

/// The extent of an axis.
Position length_of(const KernelSummary &kernel, int axis) {
  const AxisSummary &summary = kernel.axes[axis];
  Position length;
  if (summary.extent != dynamic_extent)
    length.constant = summary.extent;
  else
    length.factors[extent_symbol(summary.view, summary.dim)] = 1;
  return length;
}

/// Whether to - from - length is never negative, and so small (an extent at most, which leaves room
/// for the lengths) that positions do not wrap around into each other.
bool reaches(const Position &from, const Position &length, const Position &to) {
  Position rest = to;
  bool fits = true;
  auto subtract = [&](int64_t &number, int64_t value) {
    fits &= !__builtin_sub_overflow(number, value, &number);
  };
  for (const Position *part : {&from, &length}) {
    subtract(rest.constant, part->constant);
    for (auto [symbol, factor] : part->factors)
      subtract(rest.factors[symbol], factor);
  }
  int64_t extents = 0;
  for (auto [symbol, factor] : rest.factors) {
    bool harmless = factor == 0 || (symbol >= 0 && factor == 1);
    fits &= harmless;
    extents += harmless ? factor : 0;
  }
  constexpr int64_t largest = std::numeric_limits<int64_t>::max() / 4;
  return fits && extents <= 1 && rest.constant >= 0 && rest.constant <= largest;
}

} // namespace

bool intervals_apart(const KernelSummary &kernel, const OpSummary &a, const OpSummary &b) {
  if (a.axes.size() != 1 || b.axes.size() != 1)
    return false;
  Position from_a = origin_of(a), from_b = origin_of(b);
  return reaches(from_a, length_of(kernel, a.axes.front()), from_b) ||
         reaches(from_b, length_of(kernel, b.axes.front()), from_a);
}

int64_t nontemporal_unit(int64_t width, int64_t element_bytes) {
  constexpr int64_t line_bytes = 64;
  return std::max(width, line_bytes / element_bytes);
}

int widest_element_bytes(const KernelSummary &kernel) {
  int widest = 1;
  for (const OpSummary &op : kernel.ops)
    if (!is_scalar_access(op))
      widest = std::max(widest, op.element_bytes);
  return widest;
}

std::vector<int> loops_of_ops(const KernelSummary &kernel, const Plan &plan) {
  std::vector<int> loops(kernel.ops.size(), -1);
  for (size_t loop = 0; loop < plan.loops.size(); ++loop)
    for (int op : plan.loops[loop].ops)
      if (op >= 0 && op < static_cast<int>(loops.size()))
        loops[op] = static_cast<int>(loop);
  return loops;
}

bool holds(const KernelSummary &kernel, const LoopPlan &loop, OpKind kind) {
  return std::any_of(loop.ops.begin(), loop.ops.end(),
                     [&](int op) { return kernel.ops[op].kind == kind; });
}

std::vector<int> stores_of(const KernelSummary &kernel, const LoopPlan &loop) {
  std::vector<int> stores;
  for (int op : loop.ops)
    if (kernel.ops[op].kind == OpKind::store)
      stores.push_back(op);
  return stores;
}

Source source_of(const Plan &plan, int value, int loop) {
  for (const EdgePlan &edge : plan.edges)
    if (edge.value == value && edge.loop == loop)
      return edge.source;
  return Source::stream;
}

bool takes(const KernelSummary &kernel, const Plan &plan, int loop, int op, int value) {
  const std::vector<int> &inputs = kernel.ops[op].inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&](int input) {
    return input == value || (source_of(plan, input, loop) == Source::recompute &&
                              takes(kernel, plan, loop, input, value));
  });
}

int64_t registers_per_packet(const KernelSummary &kernel, const MachineSummary &machine,
                             int64_t width) {
  int64_t bytes = width * widest_element_bytes(kernel);
  return std::max<int64_t>(1, (bytes + machine.register_bytes - 1) / machine.register_bytes);
}

std::string to_string(OpKind kind) {
  switch (kind) {
  case OpKind::load:
    return "load";
  case OpKind::store:
    return "store";
  case OpKind::map:
    return "map";
  case OpKind::reduce:
    return "reduce";
  }
  return "";
}

std::string describe(const KernelSummary &kernel, int op) {
  std::string text = "op " + std::to_string(op);
  if (op < 0 || op >= static_cast<int>(kernel.ops.size()))
    return text;
  text += " (" + to_string(kernel.ops[op].kind);
  if (kernel.ops[op].line > 0)
    text += ", line " + std::to_string(kernel.ops[op].line);
  return text + ")";
}

std::string name_of_view(const KernelSummary &kernel, int view) {
  const std::string &name = kernel.views[view].name;
  return name.empty() ? "argument " + std::to_string(view) : name;
}

} // namespace tilewright::plan
