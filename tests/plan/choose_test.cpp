#include "plan/choose.h"

#include "plan/admit.h"
#include "plan/footprint.h"
#include "sample_kernels.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

using testing::HasSubstr;

/// The launch that has `rows` rows of every view.
Hints rows_hint(const KernelSummary &kernel, int64_t rows) {
  Hints hints;
  for (const ViewSummary &view : kernel.views) {
    hints.launch_extents.push_back(view.extents);
    if (view.extents[0] == dynamic_extent)
      hints.launch_extents.back()[0] = rows;
  }
  return hints;
}

std::string chosen(const KernelSummary &kernel, int64_t rows, const std::string &fixed = "",
                   const MachineSummary &machine = avx2_machine()) {
  Result<Plan> plan = choose(kernel, machine, rows_hint(kernel, rows), fixed);
  return plan ? one_line(*plan, kernel) : plan.error().message();
}

TEST(Choose, Defaults) {
  EXPECT_EQ(chosen(swiglu(65), 17), "flat w8 [load load map store]x1 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17),
            "row w8 overlap [load reduce]x8 peeled [reload load map store]x4 overlapped");
  EXPECT_EQ(chosen(rms_norm(768), 129),
            "row w8 overlap [load reduce]x8 peeled [reload load map store]x4 peeled");
  EXPECT_EQ(chosen(rms_norm(1538), 257),
            "row w8 overlap [load reduce]x8 peeled [reload load map store]x4 overlapped aligned");
  EXPECT_EQ(chosen(masked_softmax(65), 17),
            "row w8 programs x2 [load load map reduce]x8 peeled [recompute reload reload map]x4 "
            "overlapped [kept reduce]x8 peeled [kept map store]x4 overlapped");
  EXPECT_EQ(chosen(copy_column(), 17), "row w1");
}

TEST(Choose, FollowsTheMachine) {
  EXPECT_EQ(chosen(rms_norm(65), 17, "", avx512_machine()),
            "row w16 overlap [load reduce]x4 masked [reload load map store]x4 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17, "", sse2_machine()),
            "row w4 overlap [load reduce]x16 peeled [reload load map store]x4 overlapped");
}

TEST(Choose, RunsShortRowsWithAChainOfReductionsTogether) {
  EXPECT_THAT(chosen(layer_norm(65), 17), HasSubstr("programs x4"));
  EXPECT_THAT(chosen(layer_norm(127), 17), HasSubstr("programs x4"));
  EXPECT_THAT(chosen(layer_norm(128), 17), HasSubstr("programs x2"));
  EXPECT_THAT(chosen(masked_softmax(65), 17), HasSubstr("programs x2"));
  EXPECT_THAT(chosen(layer_norm(225), 17), HasSubstr("overlap ["));
  EXPECT_THAT(chosen(layer_norm(65), 7), testing::StartsWith("row w8 [load"));
  EXPECT_THAT(chosen(rms_norm(65), 17), HasSubstr("overlap ["));
  EXPECT_THAT(chosen(layer_norm(65), 17, R"({"overlap_programs":true})"), HasSubstr("overlap ["));
}

TEST(Choose, AlignsStoresWhereMoreMovesWithTheProgramThanNot) {
  EXPECT_THAT(chosen(rms_norm(1538), 257), testing::EndsWith("overlapped aligned"));
  EXPECT_THAT(chosen(masked_softmax(1538), 257),
              testing::EndsWith("[kept map store]x4 overlapped"));
}

TEST(Choose, AsksForTheNextRowInALoopOfFunctions) {
  EXPECT_THAT(chosen(masked_softmax(4097), 1024),
              HasSubstr("[load load map reduce]x8 peeled [recompute reload reload map]x4 "
                        "overlapped prefetch +1 ["));
}

TEST(Choose, SeparatesReductionsFromFunctionsThatLeaveThemNoRegisters) {
  constexpr auto one_loop = "[recompute reload reload map reduce]x";
  EXPECT_THAT(chosen(masked_softmax(65), 17), testing::Not(HasSubstr(one_loop)));
  EXPECT_THAT(chosen(masked_softmax(65), 17, "", sse2_machine()),
              testing::Not(HasSubstr(one_loop)));
  EXPECT_THAT(chosen(masked_softmax(65), 17, "", avx512_machine()), HasSubstr(one_loop));
  // What is not kept for another loop stays.
  KernelSummary kernel = masked_softmax(65);
  kernel.ops[6].inputs = {2};
  EXPECT_THAT(chosen(kernel, 17), HasSubstr(one_loop));
}

TEST(Choose, LoopsWithFunctionsPrefetchFromMemoryAlone) {
  EXPECT_EQ(chosen(swiglu(768), 129), "flat w8 [load load map store]x1 overlapped");
  EXPECT_EQ(chosen(swiglu(4097), 1024),
            "flat w8 [load load map store]x1 masked aligned nontemporal prefetch 2048B");
}

TEST(Choose, BypassesTheCachesWhenTheFootprintLeavesThem) {
  MachineSummary machine = avx2_machine();
  machine.last_level_bytes = 16 << 20;
  EXPECT_THAT(chosen(rms_norm(4097), 1024, "", machine), HasSubstr("nontemporal"));
  EXPECT_THAT(chosen(rms_norm(4097), 100, "", machine), testing::Not(HasSubstr("nontemporal")));
  EXPECT_THAT(chosen(double_in_place(4097), 10000, "", machine),
              testing::Not(HasSubstr("nontemporal")));
}

TEST(Choose, OverlapsProgramsThatAreMany) {
  EXPECT_THAT(chosen(rms_norm(65), 7), testing::Not(HasSubstr("overlap [")));
  EXPECT_THAT(chosen(rms_norm(65), 8), HasSubstr("overlap ["));
  EXPECT_THAT(chosen(rms_norm(65), 8, R"({"overlap_programs":false})"),
              testing::Not(HasSubstr("overlap [")));
  // Rows that are known to be apart only in a packed view: in place, that is on equal views, the
  // kernel would have to run its safe body.
  KernelSummary strided = rms_norm(65);
  for (ViewSummary &view : strided.views)
    view.packed = false;
  EXPECT_THAT(chosen(strided, 8), testing::Not(HasSubstr("overlap [")));
}

TEST(Choose, AsksMemoryEarlyForTheNextRow) {
  MachineSummary machine = avx2_machine();
  machine.last_level_bytes = 16 << 20;
  EXPECT_THAT(chosen(rms_norm(4097), 1024, "", machine),
              testing::StartsWith("row w8 overlap [load reduce]x8 peeled prefetch 2048B ["));
  EXPECT_THAT(chosen(rms_norm(4097), 1024, R"({"overlap_programs":false})", machine),
              testing::EndsWith("prefetch +1"));
}

TEST(Choose, CompletesAroundFixedChoices) {
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"width":16})"),
            "row w16 overlap [load reduce]x4 peeled [reload load map store]x4 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"width":16,"packets":2})"),
            "row w16 overlap [load reduce]x2 peeled [reload load map store]x2 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"source":"keep"})"),
            "row w8 [load reduce]x8 peeled [kept load map store]x4 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"tail":"masked"})"),
            "row w8 overlap [load reduce]x8 masked [reload load map store]x4 masked");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"loops":[{},{"nontemporal":true}]})"),
            "row w8 overlap [load reduce]x8 peeled [reload load map store]x4 masked aligned "
            "nontemporal");
  EXPECT_EQ(chosen(swiglu(65), 17, R"({"mapping":"row"})"),
            "row w8 [load load map store]x1 overlapped");
  EXPECT_EQ(chosen(swiglu(65), 17, R"({"guard":false})"),
            "row w8 [load load map]x4 peeled [kept store]x4 peeled unguarded");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"loops":[{"ops":[0,1,2]},{"ops":[3,4]}]})"),
            "row w8 overlap [load reduce load]x8 peeled [reload reload map store]x4 overlapped");
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"edges":[{"value":0,"loop":1,"source":"keep"}]})"),
            "row w8 [load reduce]x8 peeled [kept load map store]x4 overlapped");
}

TEST(Choose, AChoiceForAllLoopsHoldsWhereItCan) {
  EXPECT_EQ(chosen(rms_norm(65), 17, R"({"tail":"overlapped","align_stores":true})"),
            "row w8 overlap [load reduce]x8 peeled [reload load map store]x4 overlapped aligned");
  EXPECT_THAT(chosen(row_stats(65), 17, R"({"tail":"overlapped"})"),
              HasSubstr("loop 0 has an overlapped tail, which cannot repeat the elements of a "
                        "reduction (no loop can take the fixed \"tail\")"));
}

TEST(Choose, AFixedChoiceThatIsNotAdmittedIsTheUsersError) {
  KernelSummary kernel = rms_norm(65);
  EXPECT_THAT(chosen(kernel, 17, R"({"loops":[{"tail":"overlapped"}]})"),
              HasSubstr("kernel 'rms_norm': loop 0 has an overlapped tail"));
  EXPECT_THAT(chosen(kernel, 17, R"({"width":24})"), HasSubstr("width is 24, not a power of two"));
  EXPECT_THAT(chosen(kernel, 17, R"({"width":0})"), HasSubstr("width is 0, not a power of two"));
  EXPECT_THAT(chosen(kernel, 17, R"({"mapping":"flat"})"), HasSubstr("is a reduction"));
  EXPECT_THAT(chosen(kernel, 17, R"({"packets":32})"), HasSubstr("has packets 32"));
  EXPECT_THAT(chosen(kernel, 17, R"({"loops":[{"ops":[0]},{"ops":[]}]})"),
              HasSubstr("loop 1 has no ops"));
  EXPECT_THAT(chosen(kernel, 17, R"({"loops":[{"ops":[0,1,2,3,4]}]})"),
              HasSubstr("which does not exist before loop 0"));
  EXPECT_THAT(chosen(kernel, 17, R"({"loops":[{},{},{"packets":1}]})"),
              HasSubstr("changes loop 2, but the plan has 2"));
  EXPECT_THAT(chosen(masked_softmax(65), 17, R"({"source":"reload"})"),
              HasSubstr("no tile that crosses loops can take \"source\":\"reload\""));
  Result<Plan> unknown = choose(kernel, avx2_machine(), {}, R"({"speed":"fast"})");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::user);
}

TEST(Choose, SaysWhenTheSafeBodyIsTheObstacle) {
  EXPECT_THAT(chosen(copy_kernel(dynamic_extent), 17, R"({"mapping":"row"})"),
              HasSubstr("known only at launch (in the safe body, which runs when views overlap)"));
}

TEST(Choose, IsAlwaysAdmitted) {
  for (int64_t columns : {1, 2, 7, 8, 9, 16, 17, 64, 65, 768, 1538, 4097})
    for (const KernelSummary &kernel : sample_kernels(columns))
      for (const MachineSummary &machine : {sse2_machine(), avx2_machine(), avx512_machine()})
        for (int64_t rows : {0, 1, 17, 1024, 100000}) {
          Result<Plan> plan = choose(kernel, machine, rows_hint(kernel, rows));
          ASSERT_TRUE(plan) << plan.error().message();
          EXPECT_TRUE(admit(kernel, machine, *plan));
        }
}

TEST(TaskGrain, SharesOnlyLaunchesThatAreLongEnough) {
  KernelSummary kernel = rms_norm(4096);
  MachineSummary machine = avx2_machine();
  EXPECT_EQ(task_programs(kernel, machine, rows_hint(kernel, 1024)), 0); // one worker
  machine.workers = 8;
  EXPECT_EQ(task_programs(kernel, machine, rows_hint(kernel, 1)), 0);
  int64_t grain = task_programs(kernel, machine, rows_hint(kernel, 1024));
  EXPECT_GT(grain, 1);
  EXPECT_LE(grain, 1024 / 8);
  EXPECT_EQ(task_programs(rms_norm(65), machine, rows_hint(rms_norm(65), 17)), 0);
}

TEST(Footprint, CountsViewsAtTheLaunchsExtents) {
  KernelSummary kernel = rms_norm(65);
  EXPECT_EQ(footprint_bytes(kernel, rows_hint(kernel, 17)), 4 * (17 * 65 + 65 + 17 * 65));
  EXPECT_EQ(program_count(kernel, rows_hint(kernel, 17)), 17);
  Hints expected;
  expected.expected_programs = 100;
  EXPECT_EQ(footprint_bytes(kernel, expected), 4 * (2 * 100 * 65 + 65));
}

TEST(Footprint, CountsTheBlocksThatAreTouched) {
  KernelSummary kernel = rope(33);
  EXPECT_EQ(footprint_bytes(kernel, rows_hint(kernel, 17)), 4 * 17 * (66 + 33 + 33 + 66));
  kernel.ops[1].block->origin.constant = 0; // the first half of x alone
  EXPECT_EQ(footprint_bytes(kernel, rows_hint(kernel, 17)), 4 * 17 * (33 + 33 + 33 + 66));
  kernel.ops[1].block->origin.factors = {{-1, 1}}; // another one for every program
  EXPECT_EQ(footprint_bytes(kernel, rows_hint(kernel, 17)), 4 * 17 * (66 + 33 + 33 + 66));
}

TEST(Choose, RopeIsOneLoop) {
  EXPECT_EQ(chosen(rope(33), 17), "row w8 [load load load load map store map store]x4 overlapped");
}

} // namespace
} // namespace tilewright::plan
