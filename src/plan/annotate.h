// A plan as an attribute of its kernel: a dictionary with the keys of the JSON form.
//
//     tile.kernel @copy(...) attributes {tile.plan = {mapping = "row", width = 8 : i64, ...}}
#pragma once

#include <optional>

#include "plan/plan.h"
#include "tile/tile.h"

namespace tilewright::plan {

inline constexpr llvm::StringLiteral plan_attribute = tile::TileDialect::plan_attr_name;
/// The plan of the safe body, where the plan has a guard.
inline constexpr llvm::StringLiteral safe_plan_attribute = "tile.safe_plan";

/// Writes the plan to the kernel's attribute of that name.
void annotate(tile::KernelOp kernel, const Plan &plan, llvm::StringRef attribute = plan_attribute);

/// The plan in the kernel's attribute of that name; none, with an error at the kernel, when the
/// attribute is there and is no plan; none when it is not there.
std::optional<Plan> read_plan(tile::KernelOp kernel, llvm::StringRef attribute = plan_attribute);

} // namespace tilewright::plan
