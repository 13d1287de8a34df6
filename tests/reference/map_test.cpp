// Maps: scalar bodies over axis-matched operands.
#include <cmath>
#include <gmock/gmock.h>

#include "run_kernel.h"

namespace tilewright {
namespace {

using testing::ElementsAre;

/// y = f(x) for one-dimensional f32 arrays; `body` computes %r from %a.
std::string unary_kernel(const std::string &body) {
  return fill(R"(
tile.kernel @unary(%x: !tile.view<const ?xf32>, %y: !tile.view<?xf32>) {
  tile.axis @c = %x[0] : !tile.view<const ?xf32>
  %v = tile.load %x[@c] : !tile.view<const ?xf32> -> !tile.tile<[c:?], f32>
  %m = tile.map (%v) : (!tile.tile<[c:?], f32>) -> !tile.tile<[c:?], f32> {
  ^bb0(%a: f32):
    ${BODY}
    tile.yield %r : f32
  }
  tile.store %m, %y[@c] : !tile.tile<[c:?], f32>, !tile.view<?xf32>
})",
              {{"BODY", body}});
}

std::vector<float> apply(const std::string &body, std::vector<float> x) {
  std::vector<float> y(x.size(), -99.0f);
  run_kernel(unary_kernel(body), {view(x), view(y)});
  return y;
}

TEST(Map, ConstantsAndArithmetic) {
  auto y = apply("%two = arith.constant 2.0 : f32  %r = arith.mulf %a, %two : f32", {1, -0.0f, 3});
  EXPECT_THAT(y, ElementsAre(2, 0, 6));
  EXPECT_TRUE(std::signbit(y[1]));
}

TEST(Map, PredicatesComeFromTheOperation) {
  EXPECT_THAT(apply("%zero = arith.constant 0.0 : f32 "
                    "%less = arith.cmpf olt, %a, %zero : f32 "
                    "%r = arith.select %less, %zero, %a : f32",
                    {-2, 2, -0.5f}),
              ElementsAre(0, 2, 0));
  EXPECT_THAT(apply("%k = arith.fptosi %a : f32 to i32 "
                    "%one = arith.constant 1 : i32 "
                    "%more = arith.cmpi sgt, %k, %one : i32 "
                    "%r = arith.uitofp %more : i1 to f32",
                    {0, 1, 2, -5}),
              ElementsAre(0, 0, 1, 0));
}

TEST(Map, IntegerConstantsKeepTheirSign) {
  EXPECT_THAT(apply("%k = arith.constant -3 : i8 "
                    "%w = arith.extsi %k : i8 to i32 "
                    "%r = arith.sitofp %w : i32 to f32",
                    {0}),
              ElementsAre(-3));
  EXPECT_THAT(apply("%t = arith.constant true "
                    "%one = arith.constant 1.0 : f32 "
                    "%r = arith.select %t, %one, %a : f32",
                    {5}),
              ElementsAre(1));
}

TEST(Map, ExtentsAreScalars) {
  EXPECT_THAT(apply("%n = tile.extent @c : index "
                    "%k = arith.index_cast %n : index to i32 "
                    "%r = arith.sitofp %k : i32 to f32",
                    {0, 0, 0}),
              ElementsAre(3, 3, 3));
}

TEST(Map, FmaIsFusedAndMultiplyAddIsNot) {
  float x = 1.0f + 0x1p-12f;
  EXPECT_THAT(apply("%m = arith.constant -1.0 : f32 %r = math.fma %a, %a, %m : f32", {x}),
              ElementsAre(0x1p-11f + 0x1p-24f));
  EXPECT_THAT(apply("%m = arith.constant -1.0 : f32 %p = arith.mulf %a, %a : f32 "
                    "%r = arith.addf %p, %m : f32",
                    {x}),
              ElementsAre(0x1p-11f));
}

TEST(Map, OperandsMatchByAxisAndRepeatAlongOthers) {
  std::vector<float> rows = {10, 20}, columns = {1, 2, 3}, y(6, -1.0f);
  run_kernel(R"(
tile.kernel @outer(%a: !tile.view<const ?xf32>, %b: !tile.view<const ?xf32>,
                   %y: !tile.view<?x?xf32>) {
  tile.axis @r = %a[0] : !tile.view<const ?xf32>
  tile.axis @c = %b[0] : !tile.view<const ?xf32>
  %u = tile.load %a[@r] : !tile.view<const ?xf32> -> !tile.tile<[r:?], f32>
  %v = tile.load %b[@c] : !tile.view<const ?xf32> -> !tile.tile<[c:?], f32>
  %m = tile.map (%u, %v) : (!tile.tile<[r:?], f32>, !tile.tile<[c:?], f32>)
      -> !tile.tile<[c:?, r:?], f32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tile.yield %s : f32
  }
  tile.store %m, %y[@r, @c] : !tile.tile<[c:?, r:?], f32>, !tile.view<?x?xf32>
})",
             {view(rows), view(columns), view(y.data(), {2, 3})});
  EXPECT_THAT(y, ElementsAre(11, 12, 13, 21, 22, 23));
}

TEST(Map, NeedsNoOperandAndUsesOuterScalars) {
  std::vector<float> y(3, -1.0f);
  run_kernel(R"(
tile.kernel @fill(%y: !tile.view<?xf32>) {
  tile.axis @c = %y[0] : !tile.view<?xf32>
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.mulf %two, %three : f32
  %m = tile.map () : () -> !tile.tile<[c:?], f32> {
    %s = arith.addf %six, %two : f32
    tile.yield %s : f32
  }
  tile.store %m, %y[@c] : !tile.tile<[c:?], f32>, !tile.view<?xf32>
})",
             {view(y)});
  EXPECT_THAT(y, ElementsAre(8, 8, 8));
}

TEST(Map, UnknownOperationsAreAnInternalError) {
  std::vector<float> x = {1}, y = {0};
  Status status = evaluate(unary_kernel("%r, %e = math.sincos %a : f32"), {view(x), view(y)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "test.tile:7: internal error: the reference does not know 'math.sincos'");
}

TEST(Map, DoublePrecisionRoundsOnlyAtTheStore) {
  std::vector<float> x = {1.0f + 0x1p-12f}, y = {0};
  std::string text = unary_kernel("%m = arith.constant -1.0 : f32 %p = arith.mulf %a, %a : f32 "
                                  "%r = arith.addf %p, %m : f32");
  Result<TileModule> module = parse_tile(text, "test.tile");
  ASSERT_TRUE(module);
  std::vector<Argument> arguments = {view(x), view(y)};
  ASSERT_TRUE(evaluate_reference_in_double(*module, arguments));
  EXPECT_THAT(y, ElementsAre(0x1p-11f + 0x1p-24f));
}

} // namespace
} // namespace tilewright
