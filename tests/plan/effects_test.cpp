#include "plan/effects.h"

#include "plan/facts.h"
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

// The halves of a row have no element in common, so one loop may hold all that is done to them.
TEST(Hazards, BlocksThatLieApartAreHarmless) {
  for (const KernelSummary &kernel : {rope(33), rope_in_place(33)}) {
    Plan plan = guarded(kernel);
    ASSERT_EQ(plan.loops.size(), 1u) << kernel.name;
    for (const Hazard &hazard : find_hazards(kernel, plan)) {
      int a = kernel.ops[hazard.first].view, b = kernel.ops[hazard.second].view;
      bool of_x = kernel.views[a].name == "x" || kernel.views[b].name == "x";
      EXPECT_TRUE(hazard.same_element_first || !of_x) << kernel.name;
    }
  }
}

TEST(Hazards, BlocksThatMeetInAnotherLaneAreNot) {
  for (int64_t origin : {1, 8, 32}) {
    KernelSummary kernel = rope(33);
    kernel.ops[7].block->origin.constant = origin;
    Plan plan;
    plan.loops = {{{0, 1, 2, 3, 4, 5, 6, 7}}};
    bool harmful = false;
    for (const Hazard &hazard : find_hazards(kernel, plan))
      harmful |= hazard.second == 7 && hazard.first <= 1 && !hazard.same_element_first;
    EXPECT_TRUE(harmful) << origin;
  }
}

TEST(Hazards, HalvesOfOneViewShareNoLoopWhereTheyMeet) {
  KernelSummary kernel = rope_in_place(33);
  kernel.ops[7].block->origin.constant = 32;
  EXPECT_GT(guarded(kernel).loops.size(), 1u);
}

// Of extents that only the launch knows: from h on lies apart from [0, h), from 1 on does not.
TEST(Hazards, BlocksLieApartByExtentsOfTheLaunch) {
  KernelSummary kernel = rope(dynamic_extent);
  Position &second = kernel.ops[1].block->origin;
  second = {0, {{extent_symbol(0, 1), 1}}};
  EXPECT_TRUE(intervals_apart(kernel, kernel.ops[1], kernel.ops[5]));
  EXPECT_TRUE(intervals_apart(kernel, kernel.ops[5], kernel.ops[1]));
  second.constant = -1;
  EXPECT_FALSE(intervals_apart(kernel, kernel.ops[1], kernel.ops[5]));
  second = {1, {}};
  EXPECT_FALSE(intervals_apart(kernel, kernel.ops[1], kernel.ops[5]));
  second = {0, {{-1, 1}}}; // by an index
  EXPECT_FALSE(intervals_apart(kernel, kernel.ops[1], kernel.ops[5]));
}

TEST(Hazards, SlicesOfRowsThatMayOverlapAreNotApart) {
  KernelSummary kernel = rope(33);
  for (ViewSummary &view : kernel.views)
    view.packed = false;
  auto harmless = [&] {
    for (const Hazard &hazard : find_hazards(kernel, guarded(kernel)))
      if (hazard.first == 1 && hazard.second == 5)
        return hazard.same_element_first;
    return false;
  };
  EXPECT_TRUE(harmless()); // along a unit stride of one row
  for (OpSummary &op : kernel.ops)
    if (op.view >= 0)
      op.indices[0] = std::nullopt;
  EXPECT_FALSE(harmless());
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
