// Small tables, read by a number in each lane.
#pragma once

#include <cstdint>

#include "native/math/lanes.h"
#include "native/target.h"

namespace tilewright::native {

/// table[number mod 8] in every lane. `number` is an i32 or a vector of them. Where `target` picks
/// lanes of a register by numbers, the table is in one; else in memory.
mlir::Value look_up(Lanes &lanes, const Target &target, const int32_t (&table)[8],
                    mlir::Value number);

/// table[number mod 4] in every lane, for f32: one instruction from AVX on, and selects elsewhere.
mlir::Value look_up(Lanes &lanes, const Target &target, const float (&table)[4],
                    mlir::Value number);

} // namespace tilewright::native
