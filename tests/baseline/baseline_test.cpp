#include "baseline/baseline_case.h"

#include <cmath>
#include <gtest/gtest.h>
#include <ostream>
#include <set>

void PrintTo(const tw_baseline_entry &entry, std::ostream *out) {
  *out << entry.family << " " << entry.variant;
}

namespace tilewright {
namespace {

std::span<const tw_baseline_entry> entries() {
  std::size_t count = 0;
  const tw_baseline_entry *entries = tw_baseline_entries(&count);
  return {entries, count};
}

/// Runs one kernel on NaN-filled outputs and says what is wrong, if anything.
std::string run(const tw_baseline_entry &entry, BaselineCase &problem) {
  problem.fill_output_nan();
  tw_baseline_call call = problem.call();
  entry.run(&call);
  return problem.check();
}

/// The kernels of some families. The plain loops are compiled with -Ofast, which promises nothing
/// about infinities, NaN and overflow; `exact` leaves them out.
std::vector<tw_baseline_entry> kernels_of(std::set<std::string> families, bool exact) {
  std::vector<tw_baseline_entry> kernels;
  for (const tw_baseline_entry &entry : entries())
    if (families.contains(entry.family) && !(exact && std::string(entry.variant) == "c"))
      kernels.push_back(entry);
  return kernels;
}

class BaselineTest : public ::testing::TestWithParam<tw_baseline_entry> {
protected:
  void SetUp() override {
    if (!tw_cpu_supports(GetParam().requires_))
      GTEST_SKIP() << "this CPU lacks " << GetParam().requires_;
  }
  std::string family() const { return GetParam().family; }
};
class ElementwiseBaselineTest : public BaselineTest {};
class LayerNormBaselineTest : public BaselineTest {};
class SoftmaxBaselineTest : public BaselineTest {};

TEST_P(BaselineTest, AgreesWithTheOracle) {
  std::vector<oracle::Shape> shapes{{17, 65}, {17, 66},   {3, 7},    {5, 9},   {5, 10},
                                    {1, 2},   {129, 768}, {2, 1538}, {7, 500}, {3, 4098}};
  if (family() != "rope")
    shapes.insert(shapes.end(), {{3, 4097}, {5, 511}, {4, 333}, {2, 9001}});
  for (oracle::Shape shape : shapes)
    for (Placement placement :
         {Placement::padded, Placement::ends_at_page, Placement::begins_at_page}) {
      if (family() == "rope" && shape.cols % 2 == 1)
        continue;
      BaselineCase problem(family(), shape, placement);
      EXPECT_EQ(run(GetParam(), problem), "") << problem.title() << " at " << int(placement);
    }
}

TEST_P(BaselineTest, EveryNarrowShape) {
  for (std::int64_t rows = 1; rows <= 9; ++rows)
    for (std::int64_t cols = 1; cols <= 70; ++cols) {
      if (family() == "rope" && cols % 2 == 1)
        continue;
      BaselineCase problem(family(), {rows, cols}, Placement::ends_at_page);
      ASSERT_EQ(run(GetParam(), problem), "") << problem.title();
    }
}

// Most last-level caches are small enough for non-temporal stores here.
TEST_P(BaselineTest, FootprintBeyondTheCaches) {
  BaselineCase problem(family(), {601, family() == "rope" ? 4098 : 4097}, Placement::ends_at_page);
  EXPECT_EQ(run(GetParam(), problem), "");
}

TEST_P(BaselineTest, NoElementsIsNoWork) {
  for (oracle::Shape shape : {oracle::Shape{0, 64}, oracle::Shape{4, 0}, oracle::Shape{0, 0}}) {
    BaselineCase problem(family(), shape);
    EXPECT_EQ(run(GetParam(), problem), "");
  }
}

TEST_P(ElementwiseBaselineTest, LargeMagnitudes) {
  BaselineCase problem(family(), {5, 130});
  auto x = problem.input(0);
  const float values[] = {-80, 80, -87.5f, 88.5f, -200, 200, -1e10f, 1e10f, 1e-20f, -1e-20f, 0};
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = values[i % std::size(values)];
  problem.inputs_changed();
  EXPECT_EQ(run(GetParam(), problem), "");
}

// exp of these, or of their negatives, is near the largest number, where its power of two is not
// one.
TEST_P(ElementwiseBaselineTest, ExpNearTheLargestNumber) {
  BaselineCase problem(family(), {5, 130});
  auto x = problem.input(0);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = (i % 2 == 0 ? 1.0f : -1.0f) * (88.6f + 0.2f * float(i) / float(x.size()));
  problem.inputs_changed();
  EXPECT_EQ(run(GetParam(), problem), "");
}

TEST_P(ElementwiseBaselineTest, InfinitiesAndNaN) {
  for (float value : {-INFINITY, INFINITY, NAN, -1e30f, 1e30f})
    for (std::size_t at : {std::size_t(0), std::size_t(70), std::size_t(5 * 66 - 1)}) {
      BaselineCase problem(family(), {5, 66});
      problem.input(0)[at] = value;
      if (family() == "masked_softmax")
        problem.mask()[at] = 1;
      problem.inputs_changed();
      EXPECT_EQ(run(GetParam(), problem), "") << value << " at " << at;
    }
}

TEST_P(LayerNormBaselineTest, MeanFarFromZeroAndFromTheFirstElement) {
  for (std::int64_t cols : {5, 65, 400})
    for (float first : {1e3f, -1e5f, 0.0f})
      for (float offset : {0.0f, 50.0f}) {
        BaselineCase problem(family(), {6, cols});
        for (float &x : problem.input(0))
          x += offset;
        for (std::int64_t r = 0; r < 6; ++r)
          problem.input(0)[std::size_t(r * cols)] = first;
        problem.inputs_changed();
        EXPECT_EQ(run(GetParam(), problem), "") << cols << " " << first << " " << offset;
      }
}

TEST_P(LayerNormBaselineTest, ConstantRows) {
  BaselineCase problem(family(), {6, 77});
  for (float &x : problem.input(0))
    x = 3.5f;
  problem.inputs_changed();
  EXPECT_EQ(run(GetParam(), problem), "");
}

TEST_P(SoftmaxBaselineTest, FullyMaskedRowsAreZeros) {
  for (std::int64_t cols : {1, 7, 8, 9, 65, 300, 768, 3000}) {
    BaselineCase problem(family(), {7, cols});
    for (std::int64_t row : {0, 3, 6})
      for (std::int64_t c = 0; c < cols; ++c)
        problem.mask()[std::size_t(row * cols + c)] = 0;
    problem.inputs_changed();
    EXPECT_EQ(run(GetParam(), problem), "") << cols;
    EXPECT_EQ(problem.output()[std::size_t(3 * cols)], 0);
  }
}

TEST_P(SoftmaxBaselineTest, MaskedScoresDoNotMatter) {
  if (std::string(GetParam().variant) == "c")
    GTEST_SKIP() << "-Ofast promises nothing about NaN";
  BaselineCase problem(family(), {6, 77});
  const float values[] = {NAN, INFINITY, -INFINITY, 3e38f};
  for (std::size_t i = 0; i < problem.mask().size(); ++i)
    if (!problem.mask()[i])
      problem.input(0)[i] = values[i % 4];
  problem.inputs_changed();
  EXPECT_EQ(run(GetParam(), problem), "");
}

std::string name_of(const ::testing::TestParamInfo<tw_baseline_entry> &info) {
  return std::string(info.param.family) + "_" + info.param.variant;
}

INSTANTIATE_TEST_SUITE_P(Kernels, BaselineTest,
                         ::testing::ValuesIn(entries().begin(), entries().end()), name_of);
INSTANTIATE_TEST_SUITE_P(
    Kernels, ElementwiseBaselineTest,
    ::testing::ValuesIn(kernels_of({"masked_softmax", "swiglu", "gelu_residual"}, true)), name_of);
INSTANTIATE_TEST_SUITE_P(Kernels, LayerNormBaselineTest,
                         ::testing::ValuesIn(kernels_of({"layer_norm"}, false)), name_of);
INSTANTIATE_TEST_SUITE_P(Kernels, SoftmaxBaselineTest,
                         ::testing::ValuesIn(kernels_of({"masked_softmax"}, false)), name_of);

TEST(BaselineTable, NamesEachKernelOnce) {
  std::set<std::string> names, families;
  for (const tw_baseline_entry &entry : entries()) {
    EXPECT_TRUE(names.insert(std::string(entry.family) + entry.variant).second);
    families.insert(entry.family);
  }
  for (const char *family : baseline_families())
    EXPECT_TRUE(families.contains(family)) << family;
  EXPECT_EQ(families.size(), baseline_families().size());
}

} // namespace
} // namespace tilewright
