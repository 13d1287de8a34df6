// Random plans: the only file of the fuzzer that sees MLIR.
#include <algorithm>

#include "check.h"
#include "native/target.h"
#include "plan/declared_plans.h"
#include "plan/extract.h"
#include "tile/module.h"

namespace tilewright::fuzz {

std::vector<std::string> random_plans(const std::string &simplified, const std::string &isa,
                                      uint64_t seed, int count) {
  Result<TileModule> module = parse_tile(simplified, "simplified");
  Result<native::Target> target = native::named(isa);
  plan::KernelSummary summary;
  if (!module || !target || mlir::failed(plan::extract(module->content().kernel(), summary)))
    return {};
  plan::MachineSummary machine = native::machine_summary(*target, 1);
  if (plan::declared_plans(summary, machine).empty())
    return {};
  std::vector<std::string> plans;
  for (int i = 0; i < count; ++i) {
    std::string json = plan::to_json(plan::random_plan(summary, machine, seed + i));
    if (std::find(plans.begin(), plans.end(), json) == plans.end())
      plans.push_back(json);
  }
  return plans;
}

std::vector<std::string> runnable_isas() {
  std::vector<std::string> isas;
  for (const char *isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"}) {
    Result<native::Target> target = native::named(isa);
    if (target && native::runs_here(*target))
      isas.emplace_back(isa);
  }
  return isas;
}

} // namespace tilewright::fuzz
