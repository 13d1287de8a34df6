// Misuse that C++ cannot see: the message, and the line it points at.
#include <gtest/gtest.h>

#include <stdexcept>

#include "recording_helpers.h"

namespace tilewright {
namespace {

namespace tw = tilewright;
using In = tw::View<const float, 2>;
using Out = tw::View<float, 2>;

/// Expects a user error with this text, `offset` lines below the call of tw::kernel.
template <typename Kernel>
void expect_error(const Kernel &kernel, const std::vector<Argument> &arguments, int offset,
                  const std::string &text) {
  Result<Recorded> recorded = record(kernel.source(), arguments);
  ASSERT_FALSE(recorded) << recorded->module.text();
  EXPECT_EQ(recorded.error().kind, ErrorKind::user);
  EXPECT_EQ(recorded.error().text, text);
  EXPECT_TRUE(recorded.error().where.file.ends_with("errors_test.cpp"));
  EXPECT_EQ(recorded.error().where.line, kernel.source().where.line + offset);
}

std::vector<Argument> matrices(int64_t rows, int64_t columns) {
  return {f32({rows, columns}), f32({rows, columns})};
}

TEST(ErrorsTest, OperandsOverOtherAxes) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    auto [s, d] = y.axes("s", "d");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load() * x(row, d).load());
  });
  expect_error(kernel, matrices(17, 65), 4,
               "a * b: the operands are over {c} and {d}, and neither has all axes of the other; "
               "axes match by identity, not by name or extent, so index both views with the same "
               "axes");
}

TEST(ErrorsTest, StoreOverAnAxisThatDoesNotSpan) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    auto [s, d] = y.axes("s", "d");
    for (auto &row : tw::parallel(r))
      y(row, d).store(x(row, c).load());
  });
  expect_error(kernel, matrices(17, 65), 4,
               "store: the tile is over {c}, but only {d} spans the destination, argument 2; axes "
               "match by identity, so span it with the tile's axes");
}

TEST(ErrorsTest, StoreOfATileToOneElement) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(0, 0).store(x(r, c).load());
  });
  expect_error(kernel, matrices(17, 65), 2,
               "store: the tile is over {r, c}, but no axis spans the destination, argument 2; "
               "axes match by identity, so span it with the tile's axes");
}

TEST(ErrorsTest, AxisOfAnotherExtent) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load());
  });
  expect_error(kernel, {f32({17, 65}), f32({17, 64})}, 3,
               "store: dimension 1 of argument 2 has extent 64, but axis 'c' has extent 65 "
               "(dimension 1 of argument 1); an axis spans, and its index selects in, dimensions "
               "of its own extent: pass arguments of matching shapes, or use another axis");
}

TEST(ErrorsTest, IndexInADimensionOfAnotherExtent) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(x(row, c).load());
  });
  expect_error(kernel, {f32({17, 65}), f32({18, 65})}, 3,
               "store: dimension 0 of argument 2 has extent 18, but axis 'r' has extent 17 "
               "(dimension 0 of argument 1); an axis spans, and its index selects in, dimensions "
               "of its own extent: pass arguments of matching shapes, or use another axis");
}

TEST(ErrorsTest, PositionOutsideTheView) {
  auto kernel = tw::kernel("f", [](In x, Out y) { y(0, 0).store(x(17, -1).load()); });
  expect_error(kernel, matrices(17, 65), 0,
               "load: dimension 0 of argument 1 has extent 17, so it has no position 17; index "
               "from 0 to the extent, exclusive");
}

TEST(ErrorsTest, OneAxisForTwoDimensions) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(r, c).store(x(r, r).load());
  });
  expect_error(kernel, matrices(17, 17), 2,
               "load: axis 'r' spans two dimensions of argument 1; use two axes");
}

TEST(ErrorsTest, ReductionOverAnAxisTheTileLacks) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(tw::sum(x(row, c).load(), r));
  });
  expect_error(kernel, matrices(17, 65), 3,
               "tw::sum: the operand is over {c}, not over axis 'r'; axes match by identity, so "
               "reduce over an axis that the tile was loaded with");
}

TEST(ErrorsTest, ReductionOfAScalar) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(0, 0).store(tw::prod(x(0, 0).load(), c));
  });
  expect_error(kernel, matrices(17, 65), 2,
               "tw::prod: the operand is over no axis, not over axis 'c'; axes match by identity, "
               "so reduce over an axis that the tile was loaded with");
}

TEST(ErrorsTest, ReductionOverAnAxisTwice) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(0, 0).store(tw::sum(x(r, c).load(), {r, c, r}));
  });
  expect_error(kernel, matrices(17, 65), 2,
               "tw::sum: axis 'r' is given twice; name each axis once");
}

TEST(ErrorsTest, LargestOfNothing) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      y(row, c).store(tw::max(x(row, c).load(), c));
  });
  expect_error(kernel, matrices(17, 0), 3,
               "tw::max: an empty axis has no largest element; give a seed: tw::max(x, axis, "
               "{.seed = ...})");
}

TEST(ErrorsTest, SeedThatIsATile) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(r, c).store(tw::sum(x(r, c).load(), c, {.seed = x(r, 0).load()}));
  });
  expect_error(kernel, matrices(17, 65), 2,
               "tw::sum: the seed is a tile over {r}; a seed is a scalar");
}

TEST(ErrorsTest, TileOfAProgramUsedAfterItsLoop) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    auto last = x(0, c).load();
    for (auto &row : tw::parallel(r))
      last = x(row, c).load();
    y(0, c).store(last);
  });
  expect_error(kernel, matrices(17, 65), 5,
               "store: an operand was made inside a parallel loop that has ended, where each "
               "program had its own; store it to a view inside the loop and load it here");
}

TEST(ErrorsTest, IndexUsedAfterItsLoop) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    auto loop = tw::parallel(r);
    tw::Index *kept = nullptr;
    for (auto &row : loop)
      kept = &row;
    y(*kept, c).store(x(0, c).load());
  });
  expect_error(kernel, matrices(17, 65), 6,
               "store: the index along axis 'r' is used after its parallel loop; use it inside the "
               "loop");
}

TEST(ErrorsTest, AxisRunOverTwice) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r))
      for (auto &again : tw::parallel(r))
        y(row, c).store(x(again, c).load());
  });
  expect_error(kernel, matrices(17, 65), 3,
               "tw::parallel: axis 'r' is already being run over; name each axis once among a loop "
               "and the loops around it");
}

TEST(ErrorsTest, ConstantThatDoesNotFit) {
  auto kernel = tw::kernel("f", [](tw::View<const int8_t, 1> x, tw::View<int8_t, 1> y) {
    auto [i] = x.axes("i");
    y(i).store(x(i).load() + 300);
  });
  expect_error(kernel, {shaped(ElementType::i8, {65}), shaped(ElementType::i8, {65})}, 2,
               "a constant does not fit the tile's element type, i8; tw::cast the tile to a wider "
               "type");
}

TEST(ErrorsTest, TileKeptFromAnotherRecording) {
  static std::optional<tw::Tile<float>> kept;
  auto first = tw::kernel("f", [](In x, Out y) {
    kept = x(0, 0).load();
    y(0, 0).store(*kept);
  });
  auto second = tw::kernel("g", [](In, Out y) { y(0, 0).store(*kept + 1); });
  ASSERT_TRUE(record(first.source(), matrices(17, 65)));
  expect_error(second, matrices(17, 65), 0,
               "a + b: an operand was made outside this recording; load or compute it inside the "
               "kernel's lambda");
}

TEST(ErrorsTest, UseOutsideARecordingFailsTheNextOne) {
  static std::optional<tw::Axis> kept;
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    kept = c;
    y(r, c).store(x(r, c).load());
  });
  ASSERT_TRUE(record(kernel.source(), matrices(17, 65)));
  EXPECT_EQ(kept->fixed(), 1);
  Result<Recorded> recorded = record(kernel.source(), matrices(17, 65));
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().text,
            "views, axes and tiles mean something only while the lambda of their kernel is "
            "recorded; use them inside the lambda and keep none beyond it");
  EXPECT_EQ(recorded.error().where.line, __LINE__ - 6);
  EXPECT_TRUE(record(kernel.source(), matrices(17, 65)));
}

TEST(ErrorsTest, TheFirstErrorCounts) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    auto broken = tw::sum(x(0, c).load(), r);
    for (auto &row : tw::parallel(r))
      y(row, c).store(tw::exp(broken * broken) + tw::max(broken, c) + r.extent());
  });
  expect_error(kernel, matrices(17, 65), 2,
               "tw::sum: the operand is over {c}, not over axis 'r'; axes match by identity, so "
               "reduce over an axis that the tile was loaded with");
}

TEST(ErrorsTest, ExceptionOfTheLambda) {
  auto kernel = tw::kernel("f", [](In x, Out) {
    auto [r, c] = x.axes("r", "c");
    for ([[maybe_unused]] auto &row : tw::parallel(r))
      throw std::runtime_error("no");
  });
  expect_error(kernel, matrices(17, 65), 0,
               "kernel 'f': its lambda threw an exception 'no'; a lambda that is being recorded "
               "must return");
}

TEST(ErrorsTest, ExtentThatIsFixedAndDynamic) {
  auto kernel = tw::kernel("f",
                           [](In x, Out y) {
                             auto [r, c] = x.axes("r", "c");
                             y(r, c).store(x(r, c).load());
                           },
                           {.shapes = {{tw::dynamic}, {tw::fixed}}});
  Result<Recorded> recorded = record(kernel.source(), matrices(17, 65));
  ASSERT_FALSE(recorded);
  EXPECT_EQ(recorded.error().text,
            "tw::kernel: the extent of dimension 0 of argument 1 is asked to be both fixed and "
            "dynamic (dimensions that share an axis share its extent); drop one of tw::dynamic, "
            "tw::fixed and Axis::fixed()");
}

TEST(ErrorsTest, ArgumentsThatDoNotSuitTheParameters) {
  auto kernel = tw::kernel("f", [](In x, Out y) {
    auto [r, c] = x.axes("r", "c");
    y(r, c).store(x(r, c).load());
  });
  expect_error(kernel, {f32({17, 65})}, 0, "kernel 'f': takes 2 arguments, not 1");
  expect_error(kernel, {f32({17, 65}), shaped(ElementType::f64, {17, 65})}, 0,
               "kernel 'f': argument 2 holds f64, its parameter f32; pass elements of the "
               "parameter's type");
  expect_error(kernel, {f32({17}), f32({17, 65})}, 0,
               "kernel 'f': argument 1 has rank 1, its parameter 2; pass an extent and a stride "
               "per dimension");
}

} // namespace
} // namespace tilewright
