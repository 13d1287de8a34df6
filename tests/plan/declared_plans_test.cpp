#include "plan/declared_plans.h"

#include <set>

#include "plan/admit.h"
#include "plan/choose.h"
#include "plan/safe_plan.h"
#include "sample_kernels.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

TEST(DeclaredPlans, AreAdmittedDifferentAndBounded) {
  for (int64_t columns : {1, 7, 65, 1538})
    for (const KernelSummary &kernel : sample_kernels(columns))
      for (const MachineSummary &machine : {sse2_machine(), avx2_machine(), avx512_machine()}) {
        std::vector<Plan> plans = declared_plans(kernel, machine);
        ASSERT_FALSE(plans.empty());
        EXPECT_LE(plans.size(), max_declared_plans);
        EXPECT_EQ(plans.front(), safe_plan(kernel, machine));
        std::set<std::string> different;
        for (const Plan &plan : plans) {
          Status status = admit(kernel, machine, plan);
          EXPECT_TRUE(status) << status.error().message() << to_json(plan);
          different.insert(to_json(plan));
        }
        EXPECT_EQ(different.size(), plans.size());
      }
}

TEST(DeclaredPlans, CoverEveryChoice) {
  int flat = 0, unguarded = 0, kept = 0, reloaded = 0, aligned = 0, nontemporal = 0, peeled = 0,
      overlapped = 0, prefetching = 0, blocked = 0;
  std::set<int> widths, packets;
  for (const KernelSummary &kernel : {swiglu(65), rms_norm(65)})
    for (const Plan &plan : declared_plans(kernel, avx2_machine())) {
      widths.insert(plan.width);
      flat += plan.mapping == Mapping::flat;
      unguarded += !plan.guard;
      blocked += plan.programs_per_step > 1;
      for (const EdgePlan &edge : plan.edges) {
        kept += edge.source == Source::keep;
        reloaded += edge.source == Source::reload;
      }
      for (const LoopPlan &loop : plan.loops) {
        packets.insert(loop.packets);
        aligned += loop.align_stores;
        nontemporal += loop.nontemporal;
        peeled += loop.tail == Tail::peeled;
        overlapped += loop.tail == Tail::overlapped;
        prefetching += loop.prefetch_bytes > 0 || loop.prefetch_programs > 0;
      }
    }
  for (int count : {flat, unguarded, kept, reloaded, aligned, nontemporal, peeled, overlapped,
                    prefetching, blocked})
    EXPECT_GT(count, 0);
  EXPECT_GE(widths.size(), 4u);
  EXPECT_GE(packets.size(), 4u);
}

TEST(DeclaredPlans, AreChosenWhenTheyAreFixed) {
  for (const KernelSummary &kernel : sample_kernels(65))
    for (const Plan &plan : declared_plans(kernel, avx2_machine())) {
      Result<Plan> chosen = choose(kernel, avx2_machine(), {}, to_json(plan));
      ASSERT_TRUE(chosen) << chosen.error().message() << to_json(plan);
      EXPECT_EQ(to_json(*chosen), to_json(plan));
    }
}

TEST(DeclaredPlans, NoneWhenNoMappingFits) {
  KernelSummary kernel = rms_norm(65);
  kernel.ops[1].slots = 0;
  EXPECT_TRUE(declared_plans(kernel, avx2_machine()).empty());
}

TEST(RandomPlan, IsAdmittedAndAFunctionOfTheSeed) {
  for (int64_t columns : {7, 65})
    for (const KernelSummary &kernel : sample_kernels(columns)) {
      std::set<std::string> different;
      for (uint64_t seed = 0; seed < 100; ++seed) {
        Plan plan = random_plan(kernel, avx2_machine(), seed);
        Status status = admit(kernel, avx2_machine(), plan);
        EXPECT_TRUE(status) << status.error().message() << to_json(plan);
        EXPECT_EQ(plan, random_plan(kernel, avx2_machine(), seed));
        different.insert(to_json(plan));
      }
      if (kernel.ops.size() > 2) {
        EXPECT_GT(different.size(), 50u) << kernel.name;
      }
    }
}

} // namespace
} // namespace tilewright::plan
