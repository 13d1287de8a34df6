#include "plan/plan.h"

#include "plan/safe_plan.h"
#include "sample_kernels.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

using testing::HasSubstr;

Plan two_loops() {
  Plan plan;
  plan.width = 16;
  plan.programs_per_step = 2;
  plan.guard = false;
  plan.task_programs = 12;
  plan.loops = {{{0, 1}, 8, Tail::peeled, false, false, 0, 1},
                {{2, 3, 4}, 4, Tail::overlapped, true, true, 2048, 0}};
  plan.overlap_programs = true;
  plan.edges = {{0, 1, Source::reload}, {1, 1, Source::keep}, {2, 1, Source::recompute}};
  return plan;
}

std::string error_of(const std::string &json, const Plan &base = two_loops()) {
  Result<Plan> plan = from_json(json, base);
  return plan ? "" : plan.error().message();
}

TEST(PlanJson, RoundTrips) {
  Plan flat;
  flat.mapping = Mapping::flat;
  for (const Plan &plan : {two_loops(), flat, Plan()}) {
    Result<Plan> read = from_json(to_json(plan));
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, plan) << to_json(plan);
  }
}

TEST(PlanJson, OverlaysSingleKeys) {
  Result<Plan> plan = from_json(R"({"width":32,"guard":true})", two_loops());
  ASSERT_TRUE(plan);
  Plan expected = two_loops();
  expected.width = 32;
  expected.guard = true;
  EXPECT_EQ(*plan, expected);
  EXPECT_EQ(*from_json("", two_loops()), two_loops());
}

TEST(PlanJson, EntriesWithoutOpsChangeTheLoopsOfTheBase) {
  Result<Plan> plan = from_json(R"({"loops":[{},{"tail":"masked","packets":2}]})", two_loops());
  ASSERT_TRUE(plan);
  Plan expected = two_loops();
  expected.loops[1].tail = Tail::masked;
  expected.loops[1].packets = 2;
  EXPECT_EQ(*plan, expected);
}

TEST(PlanJson, EntriesWithOpsReplaceTheLoopsAndDropTheirEdges) {
  Result<Plan> plan = from_json(R"({"loops":[{"ops":[0,1,2,3,4],"packets":2}]})", two_loops());
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->loops.size(), 1u);
  EXPECT_EQ(plan->loops[0], (LoopPlan{{0, 1, 2, 3, 4}, 2}));
  EXPECT_TRUE(plan->edges.empty());
}

TEST(PlanJson, KeysAtTheTopLevelApplyToAllLoopsAndEdges) {
  Result<Plan> plan = from_json(
      R"({"packets":1,"tail":"masked","align_stores":false,"nontemporal":false,
          "prefetch_bytes":64,"prefetch_programs":0,"source":"keep",
          "loops":[{"packets":2}]})",
      two_loops());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->loops[0], (LoopPlan{{0, 1}, 2, Tail::masked, false, false, 64, 0}));
  EXPECT_EQ(plan->loops[1], (LoopPlan{{2, 3, 4}, 1, Tail::masked, false, false, 64, 0}));
  for (const EdgePlan &edge : plan->edges)
    EXPECT_EQ(edge.source, Source::keep);
}

TEST(PlanJson, NamesWhatIsWrong) {
  EXPECT_THAT(error_of("{width:16}"), HasSubstr("not valid JSON: {width:16}"));
  EXPECT_THAT(error_of("[1]"), HasSubstr("the plan is [1], not a JSON object"));
  EXPECT_THAT(error_of(R"({"widht":16})"),
              HasSubstr("the plan has no key \"widht\"; its keys are mapping, width,"));
  EXPECT_THAT(error_of(R"({"width":"16"})"),
              HasSubstr("the plan has \"16\" for \"width\", which takes an integer"));
  EXPECT_THAT(error_of(R"({"width":100000000000})"), HasSubstr("of a sensible size"));
  EXPECT_THAT(error_of(R"({"guard":1})"), HasSubstr("takes true or false"));
  EXPECT_THAT(error_of(R"({"mapping":"lane"})"),
              HasSubstr("the plan has \"lane\" for \"mapping\", which takes one of \"flat\", "
                        "\"row\""));
  EXPECT_THAT(error_of(R"({"loops":[{"tial":"masked"}]})"),
              HasSubstr("loop 0 of the plan has no key \"tial\""));
  EXPECT_THAT(error_of(R"({"loops":{}})"), HasSubstr("takes a list"));
  EXPECT_THAT(error_of(R"({"loops":[{"ops":[0]},{"packets":1}]})"),
              HasSubstr("either all loops of the plan have \"ops\" or none"));
  EXPECT_THAT(error_of(R"({"loops":[{},{},{"packets":1}]})"),
              HasSubstr("changes loop 2, but there are 2"));
  EXPECT_THAT(error_of(R"({"edges":[{"value":0,"loop":1}]})"),
              HasSubstr("edge 0 of the plan needs \"value\", \"loop\" and \"source\""));
  EXPECT_THAT(error_of(R"({"edges":[{"value":0,"loop":1,"source":"guess"}]})"),
              HasSubstr("edge 0 of the plan has \"guess\" for \"source\""));
}

TEST(OneLine, NamesOpsByNumberOrKind) {
  EXPECT_EQ(one_line(two_loops()), "row w16 programs x2 overlap [0 1]x8 peeled prefetch +1 [r0 k1 "
                                   "c2 2 3 4]x4 overlapped aligned "
                                   "nontemporal prefetch 2048B unguarded");
  KernelSummary kernel = rms_norm(65);
  EXPECT_EQ(one_line(safe_plan(kernel, avx2_machine()), kernel),
            "row w8 [load reduce load]x1 peeled [kept kept map store]x1 peeled unguarded");
}

} // namespace
} // namespace tilewright::plan
