// What recording makes of the language beyond the standard library's kernels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording_helpers.h"

namespace tilewright {
namespace {

namespace tw = tilewright;
using testing::HasSubstr;
using testing::Not;
using Marks = std::vector<std::vector<bool>>;

Marks dynamic_marks(const KernelSource &source, const std::vector<Argument> &arguments) {
  Result<Recorded> recorded = record(source, arguments);
  EXPECT_TRUE(recorded) << recorded.error().message();
  return recorded ? recorded->dynamic : Marks();
}

TEST(RecordTest, EveryDimensionThatSharesARootAxisIsDynamic) {
  auto kernel = tw::kernel(
      "f", [](tw::View<const float, 2> x, tw::View<const float, 1> bias, tw::View<float, 2> y) {
        auto [r, c] = x.axes("r", "c");
        for (auto &row : tw::parallel(r))
          y(c, row).store(x(row, c).load() + bias(row).load());
      });
  EXPECT_EQ(dynamic_marks(kernel.source(), {f32({17, 65}), f32({17}), f32({65, 17})}),
            (Marks{{true, false}, {true}, {false, true}}));
}

TEST(RecordTest, SeveralRootAxesAreDynamic) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &[i, j] : tw::parallel(r, c))
      y(i, j).store(2 * x(i, j).load());
  });
  std::vector<Argument> arguments = {f32({17, 65}), f32({17, 65})};
  EXPECT_EQ(dynamic_marks(kernel.source(), arguments), (Marks{{true, true}, {true, true}}));
  EXPECT_THAT(recorded_text(kernel.source(), arguments),
              HasSubstr("tile.parallel (%r, %c) over [@r, @c]"));
}

TEST(RecordTest, FixedMakesARootAxisStatic) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load() * static_cast<float>(r.fixed()));
  });
  std::vector<Argument> arguments = {f32({17, 65}), f32({17, 65})};
  EXPECT_EQ(dynamic_marks(kernel.source(), arguments), (Marks{{false, false}, {false, false}}));
  EXPECT_THAT(recorded_text(kernel.source(), arguments),
              HasSubstr("arith.constant 1.700000e+01 : f32"));
}

TEST(RecordTest, ShapeRequestsOverrideTheDefault) {
  auto body = [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load());
  };
  auto kernel =
      tw::kernel("f", body, {.shapes = {{tw::fixed, tw::automatic}, {tw::automatic, tw::dynamic}}});
  EXPECT_EQ(dynamic_marks(kernel.source(), {f32({17, 65}), f32({17, 65})}),
            (Marks{{false, true}, {false, true}}));
}

TEST(RecordTest, StridesDecideUnitDimensionAndPacking) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load());
  });
  Argument slice = f32({17, 65}), transposed = f32({17, 65});
  slice.strides = {100, 1};
  transposed.strides = {1, 17};
  std::string text = recorded_text(kernel.source(), {slice, transposed});
  EXPECT_THAT(text, HasSubstr("(%arg0: !tile.view<const ?x65xf32>,"));
  EXPECT_THAT(text, HasSubstr("%arg1: !tile.view<?x65xf32, unit = 0>)"));
}

TEST(RecordTest, ContractIsTheKernels) {
  auto body = [](tw::View<const float, 1> x, tw::View<float, 1> y) {
    auto [i] = x.axes("i");
    y(i).store(x(i).load());
  };
  std::vector<Argument> arguments = {f32({65}), f32({65})};
  EXPECT_THAT(recorded_text(tw::kernel("f", body).source(), arguments), Not(HasSubstr("contract")));
  EXPECT_THAT(recorded_text(tw::kernel("f", body, {.contract = false}).source(), arguments),
              HasSubstr("attributes {contract = false}"));
}

TEST(RecordTest, MasksAreBytesInMemory) {
  auto kernel = tw::kernel("f", [](tw::View<const bool, 1> mask, tw::View<bool, 1> y) {
    auto [i] = mask.axes("i");
    y(i).store(!mask(i).load());
  });
  std::string text = recorded_text(
      kernel.source(), {shaped(ElementType::boolean, {65}), shaped(ElementType::boolean, {65})});
  EXPECT_THAT(text, HasSubstr("!tile.view<const packed 65xi8> -> !tile.tile<[i:65], i8>"));
  EXPECT_THAT(text, HasSubstr("arith.cmpi ne, %arg2, %c0_i8 : i8"));
  EXPECT_THAT(text, HasSubstr("arith.xori"));
  EXPECT_THAT(text, HasSubstr("arith.extui %arg2 : i1 to i8"));
}

TEST(RecordTest, ReductionsTakeASeedAndAnOrder) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 1> y) {
    auto [r, c] = x.axes("r", "c");
    auto all = tw::sum(x(r, c).load(), {c, r}, {.seed = 2.5f, .order = tw::fold_left});
    auto rows = tw::max(x(r, c).load(), c, {.seed = all});
    y(r).store(rows);
  });
  std::string text = recorded_text(kernel.source(), {f32({17, 65}), f32({17})});
  EXPECT_THAT(text, HasSubstr("arith.constant 2.500000e+00"));
  EXPECT_THAT(text, HasSubstr("over [@r, @c]"));
  EXPECT_THAT(text, HasSubstr("identity [-0.000000e+00 : f32] fold_left"));
  EXPECT_THAT(text, HasSubstr("identity [0xFF800000 : f32] unordered"));
  EXPECT_THAT(text, HasSubstr("-> (!tile.tile<[r:17], f32>) step"));
}

TEST(RecordTest, SumsOfSmallIntegersAre32BitsWide) {
  auto kernel = tw::kernel("f", [](tw::View<const int8_t, 1> x, tw::View<int32_t, 0> y) {
    auto [i] = x.axes("i");
    y().store(tw::sum(x(i).load(), i));
  });
  std::string text =
      recorded_text(kernel.source(), {shaped(ElementType::i8, {65}), shaped(ElementType::i32, {})});
  EXPECT_THAT(text, HasSubstr("arith.extsi"));
  EXPECT_THAT(text, HasSubstr("arith.addi"));
  EXPECT_THAT(text, HasSubstr("!tile.view<packed i32>"));
}

TEST(RecordTest, IntegerDivisionCannotTrap) {
  auto kernel = tw::kernel("f", [](tw::View<const int, 1> a, tw::View<const unsigned, 1> b,
                                   tw::View<int, 1> y, tw::View<unsigned, 1> z) {
    auto [i] = a.axes("i");
    auto v = a(i).load();
    auto u = b(i).load();
    y(i).store(v / (v - 1) + v % 3);
    z(i).store(u / 7u % u);
  });
  std::string text = recorded_text(
      kernel.source(), {shaped(ElementType::i32, {65}), shaped(ElementType::u32, {65}),
                        shaped(ElementType::i32, {65}), shaped(ElementType::u32, {65})});
  for (const char *op :
       {"arith.divsi", "arith.remsi", "arith.divui", "arith.remui", "arith.select"})
    EXPECT_THAT(text, HasSubstr(op));
}

TEST(RecordTest, ConversionsSaturate) {
  auto kernel = tw::kernel("f", [](tw::View<const double, 1> x, tw::View<int8_t, 1> y) {
    auto [i] = x.axes("i");
    y(i).store(tw::cast<int8_t>(x(i).load()));
  });
  std::string text = recorded_text(kernel.source(),
                                   {shaped(ElementType::f64, {65}), shaped(ElementType::i8, {65})});
  EXPECT_THAT(text, HasSubstr("arith.constant 1.280000e+02 : f64"));
  EXPECT_THAT(text, HasSubstr("arith.constant 127 : i8"));
  EXPECT_THAT(text, HasSubstr("arith.fptosi"));
}

TEST(RecordTest, AxesOfOneNameStayApart) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 1> x, tw::View<float, 1> y) {
    auto [i] = x.axes("i");
    auto [j] = y.axes("i");
    y(j).store(tw::sum(x(i).load(), i));
  });
  std::string text = recorded_text(kernel.source(), {f32({65}), f32({65})});
  EXPECT_THAT(text, HasSubstr("tile.axis @i = %arg0[0]"));
  EXPECT_THAT(text, HasSubstr("tile.axis @i_2 = %arg1[0]"));
}

TEST(RecordTest, ALoopThatIsLeftEarlyIsClosed) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 1> x, tw::View<float, 1> y) {
    auto [i] = x.axes("i");
    for (auto &one : tw::parallel(i)) {
      y(one).store(x(one).load());
      break;
    }
    y(0).store(1);
  });
  EXPECT_THAT(recorded_text(kernel.source(), {f32({65}), f32({65})}),
              HasSubstr("  }\n  %cst = arith.constant 1.000000e+00 : f32"));
}

TEST(RecordTest, IndicesAndExtentsAreScalars) {
  auto kernel = tw::kernel("f", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load() + tw::cast<float>(row) * tw::cast<float>(r.extent()));
  });
  std::string text = recorded_text(kernel.source(), {f32({17, 65}), f32({17, 65})});
  EXPECT_THAT(text, HasSubstr("arith.index_cast %r : index to i64"));
  EXPECT_THAT(text, HasSubstr("tile.extent @r : index"));
}

} // namespace
} // namespace tilewright
