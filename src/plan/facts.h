// Small questions about a summary or a plan that several parts of the planner ask.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

constexpr bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

/// The largest power of two that is no greater than `value` (>= 1).
int64_t round_down_to_power_of_two(int64_t value);

/// Loads and stores without axes run once per program, outside the loops.
bool is_scalar_access(const OpSummary &op);
bool is_access(const OpSummary &op);

/// The axis that every tile op walks, and alone; none when there is no tile op or they differ.
std::optional<int> lane_axis(const KernelSummary &kernel);

/// The extent of the lane axis; dynamic_extent when it is known only at launch or there is none.
int64_t lane_extent(const KernelSummary &kernel);

/// The number of elements of one program in the flat mapping, where known.
int64_t elements_per_program(const KernelSummary &kernel);

/// The view dimension that `access` spans with its only axis; -1 for a scalar access.
int lane_dimension(const OpSummary &access);

/// Whether a packet of this access is consecutive in memory.
bool is_consecutive(const KernelSummary &kernel, const OpSummary &access);

/// Where an access starts along its lane dimension.
Position origin_of(const OpSummary &access);

/// Whether the intervals of two accesses, of one program and along dimensions of equal extent, have
/// no position in common.
bool intervals_apart(const KernelSummary &kernel, const OpSummary &a, const OpSummary &b);

/// The elements of a step that nontemporal stores of `element_bytes` start at a multiple of: a
/// cache line, or a packet if that is longer.
int64_t nontemporal_unit(int64_t width, int64_t element_bytes);

/// Bytes of the widest element any op computes; at least 1.
int widest_element_bytes(const KernelSummary &kernel);

/// Per op the loop that holds it; -1 for ops in no loop. Ignores ops that do not exist.
std::vector<int> loops_of_ops(const KernelSummary &kernel, const Plan &plan);

bool holds(const KernelSummary &kernel, const LoopPlan &loop, OpKind kind);

/// The stores of a loop, in order.
std::vector<int> stores_of(const KernelSummary &kernel, const LoopPlan &loop);

/// How `loop` gets the tile of op `value`.
Source source_of(const Plan &plan, int value, int loop);

/// Whether `op` of `loop` takes the tile of op `value`, directly or for an input that the loop
/// computes again.
bool takes(const KernelSummary &kernel, const Plan &plan, int loop, int op, int value);

/// Vector registers that one packet of the widest element takes.
int64_t registers_per_packet(const KernelSummary &kernel, const MachineSummary &machine,
                             int64_t width);

/// "op 3 (store, line 12)".
std::string describe(const KernelSummary &kernel, int op);
std::string name_of_view(const KernelSummary &kernel, int view);
std::string to_string(OpKind kind);

} // namespace tilewright::plan
