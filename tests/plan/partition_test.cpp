#include "plan/partition.h"

#include "plan/admit.h"
#include "plan/safe_plan.h"
#include "sample_kernels.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

using Ops = std::vector<std::vector<int>>;

Ops loops_of(const Plan &plan) {
  Ops loops;
  for (const LoopPlan &loop : plan.loops)
    loops.push_back(loop.ops);
  return loops;
}

Plan cut(const KernelSummary &kernel, Source source = Source::reload) {
  Plan plan;
  partition(kernel, Fusion::whole, source, plan);
  return plan;
}

TEST(Partition, FusesUpToReductionsAndDelaysLoads) {
  Plan plan = cut(rms_norm(65));
  EXPECT_EQ(loops_of(plan), (Ops{{0, 1}, {2, 3, 4}}));
  EXPECT_EQ(plan.edges, (std::vector<EdgePlan>{{0, 1, Source::reload}}));
  EXPECT_EQ(loops_of(cut(swiglu(65))), (Ops{{0, 1, 2, 3}}));
}

TEST(Partition, KeepsMapsThatCross) {
  Plan plan = cut(masked_softmax(65));
  EXPECT_EQ(loops_of(plan), (Ops{{0, 1, 2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(plan.edges, (std::vector<EdgePlan>{{2, 1, Source::keep}, {4, 2, Source::keep}}));
}

TEST(Partition, RecomputesMapsThatTakeFewOperationsWhenAsked) {
  Plan plan = cut(masked_softmax(65), Source::recompute);
  EXPECT_EQ(plan.edges, (std::vector<EdgePlan>{{2, 1, Source::recompute},
                                               {0, 1, Source::reload},
                                               {1, 1, Source::reload},
                                               {4, 2, Source::keep}})); // exp
}

TEST(Partition, RecomputesEverythingWhenNothingCanBeKept) {
  KernelSummary kernel = masked_softmax(dynamic_extent);
  Plan plan = cut(kernel, Source::keep);
  for (const EdgePlan &edge : plan.edges)
    EXPECT_NE(edge.source, Source::keep);
  EXPECT_TRUE(admit_partition(kernel, plan));
}

TEST(Partition, KeepsLoadsWhenAsked) {
  EXPECT_EQ(cut(rms_norm(65), Source::keep).edges, (std::vector<EdgePlan>{{0, 1, Source::keep}}));
}

TEST(Partition, KeepsALoadWhoseViewIsOverwrittenBefore) {
  // x = 2 x, then z = x_before * sum(x_before): the second loop cannot read x again.
  SampleKernel sample("overwrite", 65);
  int x = sample.add_matrix("x"), z = sample.add_matrix("z");
  int v = sample.load(x);
  sample.store(x, sample.map({v}));
  int sum = sample.reduce(v);
  sample.store(z, sample.map({v}, {sum}));
  Plan plan = cut(sample.kernel);
  EXPECT_EQ(loops_of(plan), (Ops{{0, 1, 2, 3}, {4, 5}}));
  EXPECT_EQ(plan.edges, (std::vector<EdgePlan>{{0, 1, Source::keep}}));
}

TEST(Partition, StartsALoopAfterAScalarThatItUses) {
  SampleKernel sample("scaled", 65);
  int x = sample.add_matrix("x"), scales = sample.add_column("scales");
  int scale = sample.load_scalar(scales);
  int v = sample.load(x);
  sample.store(sample.add_matrix("y"), sample.map({v}, {scale}));
  EXPECT_EQ(loops_of(cut(sample.kernel)), (Ops{{1, 2, 3}}));
  EXPECT_TRUE(admit_partition(sample.kernel, cut(sample.kernel)));
}

TEST(SafePlan, SeparatesLoadsFromTheStoresThatFollow) {
  Plan plan = safe_plan(rms_norm(65), avx2_machine());
  EXPECT_EQ(loops_of(plan), (Ops{{0, 1, 2}, {3, 4}}));
  EXPECT_EQ(plan.edges, (std::vector<EdgePlan>{{0, 1, Source::keep}, {2, 1, Source::keep}}));
  EXPECT_FALSE(plan.guard);
  EXPECT_EQ(plan.width, 8);
}

TEST(SafePlan, IsAdmittedForEveryKernelMachineAndWidth) {
  for (int64_t columns : {1, 7, 8, 64, 65, 4097})
    for (const KernelSummary &kernel : sample_kernels(columns))
      for (const MachineSummary &machine : {sse2_machine(), avx2_machine(), avx512_machine()})
        for (int width : {0, 1, 2, 4, 8, 16, 32}) {
          Status status = admit(kernel, machine, safe_plan(kernel, machine, width));
          EXPECT_TRUE(status) << columns << " columns, width " << width << ": "
                              << status.error().message();
        }
}

TEST(SafePlan, TakesTheSlotsAsWidthWhenAMergeDoesNotCommute) {
  KernelSummary kernel = rms_norm(72);
  kernel.ops[1].commutes = false;
  Plan plan = safe_plan(kernel, avx2_machine());
  EXPECT_EQ(plan.width, 64);
  EXPECT_TRUE(admit(kernel, avx2_machine(), plan));
}

} // namespace
} // namespace tilewright::plan
