#include "plan/admit.h"

#include "plan/facts.h"
#include "plan/partition.h"
#include "plan/safe_plan.h"
#include "sample_kernels.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

using testing::HasSubstr;

std::string reason(const KernelSummary &kernel, const Plan &plan,
                   const MachineSummary &machine = avx2_machine()) {
  Status status = admit(kernel, machine, plan);
  return status ? "admitted" : status.error().message();
}

/// A guarded plan in the fewest loops, one packet per step, masked tails.
Plan fused(const KernelSummary &kernel, Mapping mapping = Mapping::row) {
  Plan plan;
  plan.mapping = mapping;
  partition(kernel, Fusion::whole, Source::reload, plan);
  return plan;
}

// Mappings

TEST(AdmitFlat, TakesElementwiseKernelsOverPackedViews) {
  for (const KernelSummary &kernel : {copy_kernel(65), swiglu(65), double_in_place(65)})
    EXPECT_EQ(reason(kernel, fused(kernel, Mapping::flat)), "admitted");
}

TEST(AdmitFlat, NamesWhatDoesNotFit) {
  EXPECT_EQ(reason(rms_norm(65), fused(rms_norm(65), Mapping::flat)),
            "kernel 'rms_norm': mapping flat does not fit: op 1 (reduce, line 11) is a reduction");
  EXPECT_THAT(reason(copy_column(), fused(copy_column(), Mapping::flat)),
              HasSubstr("op 0 (load, line 10) accesses a scalar"));

  KernelSummary gaps = copy_kernel(65);
  gaps.views[1].packed = false;
  EXPECT_THAT(reason(gaps, fused(gaps, Mapping::flat)),
              HasSubstr("op 1 (store, line 11) accesses y, which is not packed"));

  KernelSummary block = copy_kernel(65);
  block.ops[0].block = BlockSummary{};
  EXPECT_THAT(reason(block, fused(block, Mapping::flat)),
              HasSubstr("op 0 (load, line 10) spans a block of x"));

  SampleKernel broadcast("broadcast", 65);
  int x = broadcast.add_matrix("x"), bias = broadcast.add_vector("bias");
  int sum = broadcast.map({broadcast.load(x), broadcast.load(bias)});
  broadcast.store(broadcast.add_matrix("y"), sum);
  EXPECT_THAT(reason(broadcast.kernel, fused(broadcast.kernel, Mapping::flat)),
              HasSubstr("op 1 (load, line 11) is not indexed like the other loads and stores"));

  KernelSummary computed = copy_kernel(65);
  computed.ops[0].indices[0] = computed.ops[1].indices[0] = std::nullopt;
  EXPECT_THAT(reason(computed, fused(computed, Mapping::flat)),
              HasSubstr("is not indexed by all root indices in order and then by axes"));

  KernelSummary index = swiglu(65);
  index.ops[2].uses_index = true;
  EXPECT_THAT(reason(index, fused(index, Mapping::flat)),
              HasSubstr("op 2 (map, line 12) computes with a root index"));

  KernelSummary nothing = copy_kernel(65);
  nothing.ops.pop_back();
  EXPECT_THAT(reason(nothing, fused(nothing, Mapping::flat)), HasSubstr("nothing is stored"));

  KernelSummary two = copy_kernel(65);
  Plan plan = fused(two, Mapping::flat);
  plan.loops = {{{0}}, {{1}}};
  EXPECT_THAT(reason(two, plan), HasSubstr("mapping flat has one loop"));
}

TEST(AdmitRow, WalksExactlyOneAxis) {
  KernelSummary kernel = copy_kernel(65);
  kernel.axes.push_back({"d", 4, 0, 0});
  kernel.ops[0].axes = kernel.ops[1].axes = {2, 1};
  Plan plan;
  plan.loops = {{{0, 1}}};
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("mapping row does not fit: op 0 (load, line 10) walks more than one axis: "
                        "d, c"));
  kernel.ops[0].axes = {1};
  kernel.ops[1].axes = {2};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("walks axis d and others walk axis c"));
}

TEST(AdmitRow, RejectsOrderedFolds) {
  KernelSummary kernel = rms_norm(65);
  kernel.ops[1].slots = 0;
  EXPECT_THAT(reason(kernel, fused(kernel)),
              HasSubstr("op 1 (reduce, line 11) combines in a fixed order"));
}

TEST(AdmitRow, TakesProgramsOfScalarsOnly) {
  EXPECT_EQ(reason(copy_column(), fused(copy_column())), "admitted");
  EXPECT_TRUE(fused(copy_column()).loops.empty());
}

TEST(AdmitRow, NotesGathers) {
  KernelSummary kernel = copy_kernel(65);
  kernel.views[0].packed = false;
  kernel.views[0].unit_dim = -1;
  EXPECT_EQ(reason(kernel, fused(kernel)), "admitted");
  EXPECT_THAT(performance_notes(kernel, fused(kernel)),
              testing::ElementsAre("op 0 (load, line 10) gathers from x, whose stride along axis "
                                   "c is not known to be one"));
}

TEST(Notes, NameBlocksThatAreTested) {
  KernelSummary kernel = copy_kernel(65);
  kernel.ops[0].block = BlockSummary{{-1, {}}, true};
  EXPECT_THAT(
      performance_notes(kernel, fused(kernel)),
      testing::ElementsAre("op 0 (load, line 10) tests every packet: its block is not known "
                           "to lie inside of x when compiling"));
  kernel.ops[0].block->tested = false;
  EXPECT_THAT(performance_notes(kernel, fused(kernel)), testing::IsEmpty());
}

// Width and steps

TEST(AdmitSteps, WidthIsAPowerOfTwoOfFewRegisters) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  for (int width : {1, 2, 64}) {
    plan.width = width;
    EXPECT_EQ(reason(kernel, plan), "admitted") << width;
  }
  for (int width : {0, -8, 12, 128}) {
    plan.width = width;
    EXPECT_THAT(reason(kernel, plan), HasSubstr("not a power of two from 1 to 64")) << width;
  }
  plan.width = 64;
  EXPECT_THAT(reason(kernel, plan, sse2_machine()),
              HasSubstr("width 64 of 4-byte elements fills more than 8 registers of 16 bytes"));
}

TEST(AdmitSteps, ProgramsPerStep) {
  KernelSummary kernel = rms_norm(65);
  Plan plan = fused(kernel);
  plan.programs_per_step = 8;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.programs_per_step = 3;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("programs_per_step is 3"));
  plan.programs_per_step = 2;
  kernel.root_axes.clear();
  EXPECT_THAT(reason(kernel, plan), HasSubstr("needs more than one program"));
  Plan flat = fused(copy_kernel(65), Mapping::flat);
  flat.programs_per_step = 2;
  EXPECT_THAT(reason(copy_kernel(65), flat), HasSubstr("needs the row mapping"));
  Plan safe = safe_plan(copy_kernel(65), avx2_machine());
  safe.programs_per_step = 2;
  EXPECT_THAT(reason(copy_kernel(65), safe), HasSubstr("programs_per_step needs the guard"));
}

TEST(AdmitSteps, CodeSizeIsBounded) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  plan.width = 64;
  plan.programs_per_step = 4;
  plan.loops[0].packets = 4;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.loops[0].packets = 8;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 0 takes 256 registers per value"));
  plan.loops[0].packets = 32;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 0 has packets 32"));
  plan.loops[0].packets = 3;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 0 has packets 3"));
}

// Loops and order

TEST(AdmitLoops, PartitionTheOps) {
  KernelSummary kernel = rms_norm(65);
  Plan plan = fused(kernel);
  plan.loops = {{{0, 1}}, {{2, 3}}};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("op 4 (store, line 14) is in no loop"));
  plan.loops = {{{0, 1}}, {{1, 2, 3, 4}}};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("op 1 (reduce, line 11) is in two loops"));
  plan.loops = {{{1, 0}}, {{2, 3, 4}}};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 0 lists op 0 (load, line 10) out of order"));
  plan.loops = {{{0, 1}}, {{2, 3, 4, 9}}};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 1 holds op 9, which does not exist"));
  plan.loops = {{{0, 1}}, {}, {{2, 3, 4}}};
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 1 has no ops"));
  Plan scalar = fused(copy_column());
  scalar.loops = {{{0}}};
  EXPECT_THAT(reason(copy_column(), scalar),
              HasSubstr("loop 0 holds op 0 (load, line 10), which runs outside the loops"));
}

TEST(AdmitLoops, InputsAndScalarsExistBeforeTheirUse) {
  KernelSummary kernel = rms_norm(65);
  Plan plan = fused(kernel);
  plan.loops = {{{0, 1, 2, 3, 4}}};
  plan.edges.clear();
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 3 (map, line 13) uses the result of op 1 (reduce, line 11), which does "
                        "not exist before loop 0"));
  plan.loops = {{{1}}, {{0, 2, 3, 4}}};
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 1 (reduce, line 11) is in loop 0, but its input op 0 (load, line 10) "
                        "is made in loop 1"));
}

TEST(AdmitLoops, ScalarAccessesWaitForTheirReductions) {
  KernelSummary kernel = row_stats(65);
  Plan plan = fused(kernel);
  EXPECT_EQ(reason(kernel, plan), "admitted");
  EXPECT_EQ(plan.loops.size(), 1u);

  // The store of op 2 would run before loop 1, which makes its value.
  SampleKernel late("late", 65);
  int v = late.load(late.add_matrix("x"));
  int sum = late.reduce(v);
  late.store_scalar(late.add_column("sums"), {sum});
  late.reduce(late.load(late.add_matrix("z")));
  plan.loops = {{{3, 4}}, {{0, 1}}};
  plan.edges.clear();
  EXPECT_THAT(reason(late.kernel, plan),
              HasSubstr("op 2 (store, line 12) uses the result of op 1 (reduce, line 11), which "
                        "does not exist before loop 0"));
}

TEST(AdmitEffects, SharedLoopsNeedTheGuard) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.guard = false;
  EXPECT_EQ(reason(kernel, plan),
            "kernel 'copy': op 0 (load, line 10) and op 1 (store, line 11) are not run in order, "
            "and x and y may overlap: that needs the guard");
  plan.loops = {{{0}}, {{1}}};
  plan.edges = {{0, 1, Source::reload}};
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 0 (load, line 10), reloaded in loop 1, and op 1"));
  plan.edges = {{0, 1, Source::keep}};
  EXPECT_EQ(reason(kernel, plan), "admitted");
}

TEST(AdmitEffects, OneViewIsReadAndWrittenElementByElement) {
  KernelSummary kernel = double_in_place(65);
  Plan plan = fused(kernel);
  plan.guard = false;
  EXPECT_EQ(reason(kernel, plan), "admitted"); // the same element first, on any addresses
  plan.guard = true;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  kernel.views[0].packed = false;
  kernel.ops[0].indices[0] = std::nullopt;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 0 (load, line 10) and op 2 (store, line 12) are not run in order, and "
                        "both access x"));
}

TEST(AdmitEffects, ALoadOfWhatWasStoredComesInALaterLoop) {
  SampleKernel sample("again", 65);
  int x = sample.add_matrix("x"), y = sample.add_matrix("y"), z = sample.add_matrix("z");
  sample.store(y, sample.load(x));
  sample.store(z, sample.load(y));
  Plan plan;
  plan.loops = {{{0, 1, 2, 3}}};
  EXPECT_THAT(reason(sample.kernel, plan), HasSubstr("both access y"));
  plan.loops = {{{0, 1}}, {{2, 3}}};
  EXPECT_EQ(reason(sample.kernel, plan), "admitted");
}

// Edges

TEST(AdmitEdges, NamesWhatIsWrong) {
  KernelSummary kernel = masked_softmax(65);
  Plan plan = fused(kernel);
  ASSERT_EQ(reason(kernel, plan), "admitted");
  std::vector<EdgePlan> edges = plan.edges;
  auto with = [&](std::vector<EdgePlan> more) {
    plan.edges = edges;
    plan.edges.insert(plan.edges.end(), more.begin(), more.end());
    return reason(kernel, plan);
  };
  EXPECT_EQ(with({{0, 0, Source::stream}}), "admitted");
  EXPECT_THAT(with({{0, 0, Source::keep}}),
              HasSubstr("op 0 (load, line 10) streams within loop 0; it is not kept there"));
  EXPECT_THAT(with({{0, 1, Source::reload}}), HasSubstr("loop 1 does not use op 0"));
  EXPECT_THAT(with({{2, 1, Source::keep}}),
              HasSubstr("op 2 (map, line 12) has two edges to loop 1"));
  EXPECT_THAT(with({{0, 7, Source::keep}}), HasSubstr("names loop 7, which does not exist"));
  EXPECT_THAT(with({{70, 0, Source::keep}}), HasSubstr("names op 70, which does not exist"));
  plan.edges = edges;
  plan.edges[0].source = Source::reload;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 2 (map, line 12) cannot be reloaded in loop 1: it is not a load"));
  plan.edges.clear();
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 2 (map, line 12) cannot stream from loop 0 to loop 1"));
}

TEST(AdmitEdges, KeepingNeedsAKnownExtent) {
  KernelSummary kernel = rms_norm(dynamic_extent);
  Plan plan = fused(kernel);
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.edges[0].source = Source::keep;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 0 (load, line 10) cannot be kept for loop 1: the extent of the lane "
                        "axis is known only at launch"));
}

TEST(AdmitEdges, RecomputedMapsHaveTheirInputs) {
  KernelSummary kernel = masked_softmax(65);
  Plan plan = fused(kernel);
  plan.edges = {{2, 1, Source::recompute},
                {0, 1, Source::reload},
                {1, 1, Source::keep},
                {4, 2, Source::keep}};
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.edges[1].source = Source::recompute;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 0 (load, line 10) cannot be recomputed in loop 1: it is not a map"));
  plan.edges.erase(plan.edges.begin() + 1);
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("op 2 (map, line 12) cannot be recomputed in loop 1: its input op 0 (load, "
                        "line 10) is not kept, reloaded or recomputed there"));
}

// Overlapped programs

TEST(AdmitOverlap, NeedsAFirstLoopOfItsOwnAndALastWithoutReductions) {
  auto overlapped = [](const KernelSummary &kernel) {
    Plan plan = fused(kernel);
    plan.overlap_programs = true;
    return plan;
  };
  KernelSummary kernel = rms_norm(65);
  Plan plan = overlapped(kernel);
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.programs_per_step = 2;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("overlap_programs needs programs_per_step 1"));
  plan = overlapped(kernel);
  plan.edges[0].source = Source::keep;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("a first loop of which nothing is kept; op 0 (load, line 10) is"));
  plan = overlapped(kernel);
  kernel.ops[1].commutes = false;
  plan.loops[0].packets = 8;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("merges that commute in the first loop; that of op 1 (reduce, line 11)"));
  kernel = rms_norm(65);
  kernel.root_axes.clear();
  EXPECT_THAT(reason(kernel, plan), HasSubstr("overlap_programs needs"));

  EXPECT_THAT(reason(copy_kernel(65), overlapped(copy_kernel(65))), HasSubstr("two loops"));
  Plan flat = overlapped(copy_kernel(65));
  flat.mapping = Mapping::flat;
  EXPECT_THAT(reason(copy_kernel(65), flat), HasSubstr("overlap_programs needs the row mapping"));

  SampleKernel ends("ends with a reduction", 65);
  int x = ends.add_matrix("x"), sums = ends.add_column("sums");
  int v = ends.load(x);
  int sum = ends.reduce(v);
  ends.store_scalar(sums, {ends.reduce(ends.map({v}, {sum}))});
  EXPECT_THAT(reason(ends.kernel, overlapped(ends.kernel)),
              HasSubstr("a last loop without reductions"));

  SampleKernel stores("stores first", 65);
  x = stores.add_matrix("x");
  int y = stores.add_matrix("y"), z = stores.add_matrix("z");
  v = stores.load(x);
  stores.store(y, v);
  stores.store(z, stores.map({v}, {stores.reduce(v)}));
  EXPECT_THAT(reason(stores.kernel, overlapped(stores.kernel)),
              HasSubstr("a first loop that stores nothing; it holds op 1 (store, line 11)"));

  SampleKernel scaled("scaled", 65);
  x = scaled.add_matrix("x"), y = scaled.add_matrix("y");
  int scale = scaled.load_scalar(scaled.add_column("scale"));
  v = scaled.load(x);
  sum = scaled.reduce(scaled.map({v}, {scale}));
  scaled.store(y, scaled.map({v}, {sum}));
  EXPECT_THAT(reason(scaled.kernel, overlapped(scaled.kernel)),
              HasSubstr("a first loop without scalars of the program; op 2 (map, line 12) uses op "
                        "0 (load, line 10)"));

  SampleKernel before("stores a scalar before", 65);
  x = before.add_matrix("x"), y = before.add_matrix("y");
  before.store_scalar(before.add_column("zero"), {});
  v = before.load(x);
  before.store(y, before.map({v}, {before.reduce(v)}));
  EXPECT_THAT(reason(before.kernel, overlapped(before.kernel)),
              HasSubstr("no store before the first loop; there is op 0 (store, line 10)"));
}

TEST(AdmitOverlap, NextRowsAreApartInPackedViewsOnly) {
  SampleKernel in_place("in place", 65);
  int x = in_place.add_matrix("x");
  int v = in_place.load(x);
  in_place.store(x, in_place.map({v}, {in_place.reduce(v)}));
  Plan plan = fused(in_place.kernel);
  plan.overlap_programs = true;
  EXPECT_EQ(reason(in_place.kernel, plan), "admitted");
  in_place.kernel.views[x].packed = false;
  EXPECT_THAT(reason(in_place.kernel, plan), HasSubstr("both access x"));
}

// Reductions

TEST(AdmitReductions, StepsDivideTheSlots) {
  KernelSummary kernel = rms_norm(257);
  Plan plan = fused(kernel);
  for (int packets : {1, 2, 8}) {
    plan.loops[0].packets = packets;
    EXPECT_EQ(reason(kernel, plan), "admitted");
  }
  plan.loops[0].packets = 16;
  EXPECT_THAT(
      reason(kernel, plan),
      HasSubstr("loop 0 steps over 128 elements, which do not divide the 64 slots of op 1"));
  kernel.ops[1].slots = 4;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("loop 0 has width 8, more than the 4 slots of op 1 (reduce, line 11)"));
}

TEST(AdmitReductions, SlotsOfAMergeThatDoesNotCommuteStayInPlace) {
  KernelSummary kernel = rms_norm(65);
  kernel.ops[1].commutes = false;
  Plan plan = fused(kernel);
  EXPECT_THAT(reason(kernel, plan), HasSubstr("loop 0 would end with rotated slots"));
  plan.loops[0].packets = 8;
  EXPECT_EQ(reason(kernel, plan), "admitted"); // 65 = 64 + 1
  kernel = rms_norm(72);
  kernel.ops[1].commutes = false;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("op 1 (reduce, line 11) has a merge that does not"));
  plan.width = 64;
  plan.loops[0].packets = plan.loops[1].packets = 1;
  EXPECT_EQ(reason(kernel, plan), "admitted");
}

// Tails and stores

TEST(AdmitTails, Overlapped) {
  KernelSummary kernel = rms_norm(65);
  Plan plan = fused(kernel);
  plan.loops[1].tail = Tail::overlapped;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.loops[0].tail = Tail::overlapped;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("loop 0 has an overlapped tail, which cannot repeat the elements of a "
                        "reduction"));
  plan.loops[0].tail = Tail::masked;
  plan.edges[0].source = Source::keep;
  EXPECT_EQ(reason(kernel, plan), "admitted");

  KernelSummary narrow = copy_kernel(7);
  Plan short_row = fused(narrow);
  short_row.loops[0].tail = Tail::overlapped;
  EXPECT_THAT(reason(narrow, short_row), HasSubstr("needs 8 elements; there are 7"));
  short_row.width = 4;
  EXPECT_EQ(reason(narrow, short_row), "admitted");
  EXPECT_THAT(reason(copy_kernel(dynamic_extent), short_row),
              HasSubstr("needs an extent that is known when compiling"));
  KernelSummary in_place = double_in_place(65);
  Plan unguarded = fused(in_place);
  unguarded.guard = false;
  unguarded.loops[0].tail = Tail::overlapped;
  EXPECT_THAT(reason(in_place, unguarded), HasSubstr("overlapped tail, which needs the guard"));
}

TEST(AdmitTails, AlignedStores) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  plan.loops[0].align_stores = true;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  EXPECT_EQ(reason(copy_kernel(3), plan), "admitted");
  plan.loops[0].tail = Tail::overlapped;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  EXPECT_THAT(
      reason(copy_kernel(15), plan),
      HasSubstr("loop 0 has align_stores, which needs 16 elements where the tail is overlapped; "
                "there are 15"));
  plan.programs_per_step = 2;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("cannot align several programs at once"));
  plan.programs_per_step = 1;
  kernel.views[1].unit_dim = 0;
  kernel.views[1].packed = false;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("needs unit stride in op 1 (store, line 11)"));
  SampleKernel no_store("load_only", 65);
  no_store.load(no_store.add_matrix("x"));
  Plan loads;
  loads.loops = {{{0}, 1, Tail::overlapped, true}};
  EXPECT_THAT(reason(no_store.kernel, loads), HasSubstr("align_stores, which needs a store"));
}

TEST(AdmitTails, AlignedStoresMoveTheFirstPacket) {
  KernelSummary kernel = rms_norm(65);
  Plan plan = fused(kernel);
  plan.edges[0].source = Source::keep;
  plan.loops[0].align_stores = true;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("loop 0 has align_stores, which cannot move the elements of a reduction to "
                        "other slots"));
  plan.loops[0].align_stores = false;
  plan.loops[1].align_stores = true;
  EXPECT_EQ(reason(kernel, plan), "admitted");
}

TEST(AdmitTails, NontemporalStores) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  plan.loops[0].nontemporal = true;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("loop 0 has nontemporal stores, which need align_stores"));
  plan.loops[0].align_stores = true;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.loops[0].tail = Tail::overlapped;
  EXPECT_THAT(reason(kernel, plan),
              HasSubstr("loop 0 has nontemporal stores, which need a tail that stores no element "
                        "twice"));
  plan.loops[0].tail = Tail::masked;
  kernel.ops[1].block = BlockSummary{};
  EXPECT_EQ(reason(kernel, plan), "admitted");
  kernel.ops[1].block->tested = true;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("need all lanes; op 1 (store, line 11) is not known "
                                              "to stay inside of y"));
  plan.loops[0].nontemporal = false;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.loops[0].nontemporal = true;
  kernel.ops[1].block.reset();
  plan.width = 4;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("need packets of whole registers; 16 bytes are not"));
}

TEST(AdmitPrefetch, OneDistanceThatIsNotNegative) {
  KernelSummary kernel = copy_kernel(65);
  Plan plan = fused(kernel);
  plan.loops[0].prefetch_programs = 1;
  EXPECT_EQ(reason(kernel, plan), "admitted");
  plan.loops[0].prefetch_bytes = 64;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("both prefetch_bytes and prefetch_programs"));
  plan.loops[0].prefetch_programs = -1;
  EXPECT_THAT(reason(kernel, plan), HasSubstr("negative prefetch distance"));
  Plan flat = fused(kernel, Mapping::flat);
  flat.loops[0].prefetch_programs = 1;
  EXPECT_THAT(reason(kernel, flat), HasSubstr("prefetch_programs, which needs the row mapping"));
}

} // namespace
} // namespace tilewright::plan
