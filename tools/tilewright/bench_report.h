// Printing measured cases.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench_case.h"

namespace tilewright::cli {

/// The case under the documented names; what does not apply is null.
nlohmann::ordered_json as_json(const BenchRow &row);

/// All cases for people, numbers to the right.
std::string table(const std::vector<BenchRow> &rows);

} // namespace tilewright::cli
