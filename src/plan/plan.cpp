#include "plan/plan.h"

#include "plan/facts.h"

namespace tilewright::plan {

std::string to_string(Mapping mapping) { return mapping == Mapping::flat ? "flat" : "row"; }

std::string to_string(Tail tail) {
  switch (tail) {
  case Tail::masked:
    return "masked";
  case Tail::peeled:
    return "peeled";
  case Tail::overlapped:
    return "overlapped";
  }
  return "";
}

std::string to_string(Source source) {
  switch (source) {
  case Source::stream:
    return "stream";
  case Source::keep:
    return "keep";
  case Source::reload:
    return "reload";
  case Source::recompute:
    return "recompute";
  }
  return "";
}

namespace {

std::string op_name(int op, const KernelSummary *summary) {
  if (!summary)
    return std::to_string(op);
  return to_string(summary->ops[op].kind);
}

/// One letter: k, r, c.
std::string code_of(Source source) {
  return source == Source::keep ? "k" : source == Source::reload ? "r" : "c";
}

std::string loop_line(const Plan &plan, int loop, const KernelSummary *summary) {
  const LoopPlan &choices = plan.loops[loop];
  std::string line;
  for (const EdgePlan &edge : plan.edges) {
    if (edge.loop != loop || edge.source == Source::stream)
      continue;
    line += line.empty() ? "" : " ";
    if (summary)
      line += edge.source == Source::keep ? "kept" : to_string(edge.source);
    else
      line += code_of(edge.source) + std::to_string(edge.value);
  }
  for (int op : choices.ops)
    line += (line.empty() ? "" : " ") + op_name(op, summary);
  line = "[" + line + "]x" + std::to_string(choices.packets) + " " + to_string(choices.tail);
  if (choices.align_stores)
    line += " aligned";
  if (choices.nontemporal)
    line += " nontemporal";
  if (choices.prefetch_bytes)
    line += " prefetch " + std::to_string(choices.prefetch_bytes) + "B";
  if (choices.prefetch_programs)
    line += " prefetch +" + std::to_string(choices.prefetch_programs);
  return line;
}

std::string line_of(const Plan &plan, const KernelSummary *summary) {
  std::string line = to_string(plan.mapping) + " w" + std::to_string(plan.width);
  if (plan.programs_per_step > 1)
    line += " programs x" + std::to_string(plan.programs_per_step);
  if (plan.overlap_programs)
    line += " overlap";
  for (int loop = 0; loop < static_cast<int>(plan.loops.size()); ++loop)
    line += " " + loop_line(plan, loop, summary);
  if (!plan.guard)
    line += " unguarded";
  return line;
}

} // namespace

std::string one_line(const Plan &plan) { return line_of(plan, nullptr); }

std::string one_line(const Plan &plan, const KernelSummary &summary) {
  return line_of(plan, &summary);
}

} // namespace tilewright::plan
