#include "plan/effects.h"

#include "plan/partition.h"
#include "sample_kernels.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

Plan guarded(const KernelSummary &kernel) {
  Plan plan;
  partition(kernel, Fusion::whole, Source::reload, plan);
  return plan;
}

TEST(ScalarPositions, AreTheFirstLoopThatStartsLater) {
  KernelSummary kernel = row_stats(65);
  Plan plan;
  plan.loops = {{{0, 1}}, {{3}}};
  EXPECT_EQ(scalar_positions(kernel, plan), (std::vector<int>{-1, -1, 1, -1, 2}));
  plan.loops = {{{0, 1, 3}}};
  EXPECT_EQ(scalar_positions(kernel, plan), (std::vector<int>{-1, -1, 1, -1, 1}));
}

TEST(GuardPairs, EqualViewsAreFineWhereLoadsComeFirst) {
  KernelSummary kernel = copy_kernel(65);
  EXPECT_EQ(guard_pairs(kernel, guarded(kernel)), (std::vector<GuardPair>{{1, 0, true}}));
}

TEST(GuardPairs, NoneWhenAllLoadsAreKeptBeforeTheStores) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan;
  plan.guard = false;
  partition(kernel, Fusion::in_program_order, Source::keep, plan);
  EXPECT_TRUE(find_hazards(kernel, plan).empty());
  EXPECT_TRUE(guard_pairs(kernel, plan).empty());
}

TEST(GuardPairs, NoneForOneViewInPlace) {
  KernelSummary kernel = double_in_place(65);
  ASSERT_EQ(find_hazards(kernel, guarded(kernel)).size(), 1u);
  EXPECT_TRUE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
  EXPECT_TRUE(guard_pairs(kernel, guarded(kernel)).empty());
}

TEST(GuardPairs, ALoopThatReloadsAfterAStoreNeedsDisjointViews) {
  // y = x; z = x / sum(x): x is read again after y was written.
  SampleKernel sample("twice", 65);
  int x = sample.add_matrix("x"), y = sample.add_matrix("y"), z = sample.add_matrix("z");
  int v = sample.load(x);
  sample.store(y, v);
  int sum = sample.reduce(v);
  sample.store(z, sample.map({v}, {sum}));
  Plan plan;
  plan.loops = {{{0, 1, 2}}, {{3, 4}}};
  plan.edges = {{0, 1, Source::reload}};
  EXPECT_EQ(guard_pairs(sample.kernel, plan),
            (std::vector<GuardPair>{{1, 0, false}, {2, 0, true}}));
  plan.edges = {{0, 1, Source::keep}};
  EXPECT_EQ(guard_pairs(sample.kernel, plan), (std::vector<GuardPair>{{1, 0, true}}));
}

TEST(GuardPairs, ALoadAfterAStoreOfOneLoopNeedsDisjointViews) {
  SampleKernel sample("after", 65);
  int x = sample.add_matrix("x"), y = sample.add_matrix("y"), z = sample.add_matrix("z");
  sample.store(y, sample.load(x));
  sample.store(z, sample.load(x));
  Plan plan;
  plan.loops = {{{0, 1, 2, 3}}};
  EXPECT_EQ(guard_pairs(sample.kernel, plan),
            (std::vector<GuardPair>{{1, 0, false}, {2, 0, true}, {2, 1, true}}));
}

TEST(Hazards, RowsOfOneViewMeetUnlessItIsPacked) {
  // x[r, c] and x[other, c]: with arbitrary strides the rows may overlap at a distance.
  KernelSummary kernel = copy_kernel(65);
  kernel.ops[0].indices[0] = std::nullopt;
  EXPECT_TRUE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
  kernel.views[0].packed = kernel.views[1].packed = false;
  EXPECT_FALSE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
  kernel.ops[0].indices[0] = ~0;
  EXPECT_TRUE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
  kernel.views[0].unit_dim = kernel.views[1].unit_dim = -1;
  EXPECT_FALSE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
}

TEST(Hazards, ElementsOfDifferentSizesNeverCount) {
  KernelSummary kernel = copy_kernel(65);
  kernel.views[0].element_bytes = 1;
  EXPECT_FALSE(find_hazards(kernel, guarded(kernel))[0].same_element_first);
}

} // namespace
} // namespace tilewright::plan
