#include "plan/footprint.h"

#include <algorithm>

#include "plan/facts.h"

namespace tilewright::plan {

namespace {

constexpr int64_t guessed_programs = 1024;
constexpr double bytes_per_nanosecond = 10;      ///< of one core, in its caches
constexpr double simple_ops_per_nanosecond = 25; ///< element operations: 8 lanes, 3 GHz
constexpr double task_nanoseconds = 20'000;
constexpr int64_t tasks_per_worker = 8;

/// An extent as the launch has it; `unknown` where nobody knows.
int64_t extent_at_launch(const KernelSummary &kernel, const Hints &hints, int view, int dim,
                         int64_t unknown) {
  if (view < 0)
    return unknown;
  if (view < static_cast<int>(hints.launch_extents.size()) &&
      dim < static_cast<int>(hints.launch_extents[view].size()))
    return hints.launch_extents[view][dim];
  int64_t extent = kernel.views[view].extents[dim];
  return extent == dynamic_extent ? unknown : extent;
}

int64_t axis_at_launch(const KernelSummary &kernel, const Hints &hints, int axis) {
  const AxisSummary &summary = kernel.axes[axis];
  if (summary.extent != dynamic_extent)
    return summary.extent;
  return extent_at_launch(kernel, hints, summary.view, summary.dim, guessed_programs);
}

/// The most positions of a dimension that a program touches: all, unless every access is of a block
/// of known length.
int64_t touched_extent(const KernelSummary &kernel, int view, int dim, int64_t extent) {
  int64_t touched = 0;
  std::vector<const OpSummary *> blocks; // each interval once
  for (const OpSummary &op : kernel.ops) {
    if (!is_access(op) || op.view != view)
      continue;
    if (!op.block || lane_dimension(op) != dim)
      return extent;
    int64_t length = kernel.axes[op.axes.front()].extent;
    const std::map<int, int64_t> &factors = op.block->origin.factors;
    bool moves = !factors.empty() && factors.begin()->first < 0; // from program to program
    if (length == dynamic_extent || moves)
      return extent;
    bool counted = std::any_of(blocks.begin(), blocks.end(), [&](const OpSummary *other) {
      return other->block->origin == op.block->origin && other->axes == op.axes;
    });
    if (!counted)
      touched += length;
    blocks.push_back(&op);
  }
  return std::min(extent, touched);
}

double simple_operations(const OpCounts &counts) {
  return counts.simple + 4.0 * counts.divide + 4.0 * counts.square_root + 16.0 * counts.function;
}

} // namespace

int64_t program_count(const KernelSummary &kernel, const Hints &hints) {
  if (hints.expected_programs > 0)
    return hints.expected_programs;
  int64_t programs = 1;
  for (int axis : kernel.root_axes)
    programs *= axis_at_launch(kernel, hints, axis);
  return std::max<int64_t>(1, programs);
}

int64_t footprint_bytes(const KernelSummary &kernel, const Hints &hints) {
  int64_t total = 0;
  int64_t programs = program_count(kernel, hints);
  for (int view = 0; view < static_cast<int>(kernel.views.size()); ++view) {
    const ViewSummary &summary = kernel.views[view];
    if (!summary.loaded && !summary.stored)
      continue;
    int64_t bytes = summary.element_bytes;
    for (int dim = 0; dim < static_cast<int>(summary.extents.size()); ++dim)
      bytes *=
          touched_extent(kernel, view, dim, extent_at_launch(kernel, hints, view, dim, programs));
    total += bytes;
  }
  return total;
}

int64_t task_programs(const KernelSummary &kernel, const MachineSummary &machine,
                      const Hints &hints) {
  int64_t programs = program_count(kernel, hints);
  if (machine.workers <= 1 || programs <= 1)
    return 0;
  double operations = 0;
  for (const OpSummary &op : kernel.ops) {
    double elements = 1;
    for (int axis : op.axes)
      elements *= static_cast<double>(axis_at_launch(kernel, hints, axis));
    operations += elements * simple_operations(op.counts);
  }
  double bytes =
      static_cast<double>(footprint_bytes(kernel, hints)) / static_cast<double>(programs);
  double nanoseconds =
      std::max({1.0, bytes / bytes_per_nanosecond, operations / simple_ops_per_nanosecond});
  auto grain = static_cast<int64_t>(task_nanoseconds / nanoseconds) + 1;
  if (programs < 2 * grain)
    return 0;
  return std::max(grain, programs / (tasks_per_worker * machine.workers));
}

} // namespace tilewright::plan
