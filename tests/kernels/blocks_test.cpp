// Blocks of a dimension under every plan: shifts that leave the view at either end, windows that
// move with the program, halves of a row, and what overlaps.
#include <gtest/gtest.h>

#include <limits>

#include "all_plans.h"
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright {
namespace {

namespace tw = tilewright;

constexpr int64_t most = std::numeric_limits<int64_t>::max();
constexpr int64_t least = std::numeric_limits<int64_t>::min();

// Either side of packets of 4, 8 and 16 lanes, and far outside.
const std::vector<int64_t> origins = {0, 1, -1, 8, -7, 17, -40, most - 2, least, most};

// y[r, i] = 2 * x[r, i + origin], or a fill where there is no such element.
TEST(Blocks, loads_that_leave_the_view) {
  for (int64_t origin : origins) {
    AllPlans plans(tw::kernel("shifted", [&](tw::View<const float, 2> x, tw::View<float, 2> y) {
                     auto [r, c] = y.axes("r", "c");
                     for (auto &row : tw::parallel(r))
                       y(row, c).store(2 * x(row, c.at(origin, tw::fill(3))).load());
                   }).source());
    plans.limit_plans(4);
    for (auto [of_x, of_y] :
         {std::pair<int64_t, int64_t>{20, 20}, {1, 9}, {37, 16}, {0, 5}, {8, 0}})
      plans.check(
          {{{3 * of_x}, {3 * of_y, true}}, {place(0, 0, {3, of_x}), place(1, 0, {3, of_y})}});
    if (HasFailure())
      return;
  }
}

// y[r, i + origin] = x[r, i], where there is such an element; the others of y stay.
TEST(Blocks, stores_that_leave_the_view) {
  for (int64_t origin : origins) {
    AllPlans plans(tw::kernel("scattered", [&](tw::View<const float, 2> x, tw::View<float, 2> y) {
                     auto [r, c] = x.axes("r", "c");
                     for (auto &row : tw::parallel(r))
                       y(row, c.at(origin)).store(2 * x(row, c).load());
                   }).source());
    plans.limit_plans(4);
    for (auto [of_x, of_y] :
         {std::pair<int64_t, int64_t>{20, 20}, {9, 1}, {16, 37}, {5, 0}, {0, 8}})
      plans.check({{{3 * of_x}, {3 * of_y}}, {place(0, 0, {3, of_x}), place(1, 0, {3, of_y})}});
    if (HasFailure())
      return;
  }
}

// What is not known when compiling: the same, of dynamic extents.
TEST(Blocks, extents_of_the_launch) {
  AllPlans sums(
      tw::kernel("shifted_sum",
                 [](tw::View<const float, 2> x, tw::View<const float, 2> w, tw::View<float, 1> y) {
                   auto [r, c] = w.axes("r", "c");
                   for (auto &row : tw::parallel(r)) {
                     auto around = x(row, c.at(c.extent() - 3, tw::fill(1))).load() * 2 +
                                   x(row, c.at(-1)).load();
                     y(row).store(tw::sum(around * w(row, c).load(), c));
                   }
                 },
                 {.shapes = {{tw::dynamic, tw::dynamic}, {tw::dynamic, tw::dynamic}}})
          .source());
  sums.limit_plans(12);
  for (auto [of_x, of_w] :
       {std::pair<int64_t, int64_t>{20, 20}, {40, 20}, {4, 33}, {33, 4}, {1, 1}})
    sums.check({{{5 * of_x}, {5 * of_w}, {5, true}},
                {place(0, 0, {5, of_x}), place(1, 0, {5, of_w}), place(2, 0, {5})}});
}

// What a kernel assumes of extents that only the launch knows, the launch has to keep.
TEST(Blocks, assumptions_of_the_launch) {
  auto kernel =
      tw::kernel("second_halves",
                 [](tw::View<const float, 2> x, tw::View<const float, 2> w, tw::View<float, 1> y) {
                   auto [r, h] = w.axes("r", "h");
                   for (auto &row : tw::parallel(r)) {
                     auto half = x(row, h.at(h.extent(), tw::assume)).load();
                     y(row).store(tw::sum(half * w(row, h).load(), h));
                   }
                 },
                 {.shapes = {{tw::dynamic, tw::dynamic}, {tw::dynamic, tw::dynamic}}});
  AllPlans plans(kernel.source());
  plans.limit_plans(8);
  for (int64_t half : {1, 7, 8, 20})
    plans.check({{{10 * half}, {5 * half}, {5, true}},
                 {place(0, 0, {5, 2 * half}), place(1, 0, {5, half}), place(2, 0, {5})}});

  tw::Device device({.workers = 1});
  tw::Buffer<float> x({3, 9}), w({3, 5}), y({3});
  Status status = kernel(device, x, w, y);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::user);
  EXPECT_EQ(status.error().text,
            "launch of second_halves: dimension 1 of argument 1 has extent 9, but a block of axis "
            "h that is assumed to lie inside takes positions 5 to 9 of it; pass arguments of "
            "matching shapes");
  EXPECT_TRUE(kernel(device, x, tw::Buffer<float>({3, 4}), y));
}

// Windows of one long row, each program's its own; the first and the last leave it. The third's
// origins are 0, the largest number, -2, the largest but two, ...
TEST(Blocks, windows_that_move_with_the_program) {
  AllPlans plans(tw::kernel("windows", [](tw::View<const float, 1> x, tw::View<float, 2> y) {
                   auto [r, c] = y.axes("r", "c");
                   for (auto &row : tw::parallel(r)) {
                     auto v = x(c.at(5 * row - 2, tw::fill(-1))).load() * x(c.at(row)).load();
                     y(row, c).store(v + x(c.at(row * most, tw::fill(4))).load());
                   }
                 }).source());
  for (int64_t columns : {1, 5, 8, 11, 21})
    plans.check({{{30}, {6 * columns, true}}, {place(0, 0, {30}), place(1, 0, {6, columns})}});
}

// Along a dimension of another stride, where packets gather and scatter.
TEST(Blocks, dimensions_without_unit_stride) {
  AllPlans plans(tw::kernel("columns", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
                   auto [c, r] = y.axes("c", "r");
                   for (auto &column : tw::parallel(r)) {
                     auto v = x(c.at(-2, tw::fill(7)), column).load();
                     y(c.at(1), column).store(v + x(c.at(3), column).load());
                   }
                 }).source());
  for (int64_t rows : {1, 4, 9, 18})
    plans.check({{{3 * rows}, {3 * rows}}, {place(0, 0, {rows, 3}), place(1, 0, {rows, 3})}});
}

// All of one array: x and y the same rows, or shifted against each other.
TEST(Blocks, halves_in_place_and_overlapping) {
  const kernels::Entry &rope = *kernels::find("rope");
  AllPlans plans(rope.source);
  plans.limit_plans(10);
  for (int64_t columns : {2, 14, 16, 34, 42}) {
    const int64_t half = columns / 2, rows = 3, stride = columns + 40;
    for (int64_t distance : {0, 1, -1, 8, -8, 3, 33})
      plans.check({{{rows * stride + 80}, {rows * half}, {rows * half}},
                   {{0, 40, {rows, columns}, {stride, 1}},
                    place(1, 0, {rows, half}),
                    place(2, 0, {rows, half}),
                    {0, 40 + distance, {rows, columns}, {stride, 1}}}});
    // Packed rows, where overlapped programs may be in place too.
    plans.check({{{9 * columns}, {9 * half}, {9 * half}},
                 {place(0, 0, {9, columns}), place(1, 0, {9, half}), place(2, 0, {9, half}),
                  place(0, 0, {9, columns})}},
                Guard::holds);
    // Cosines in the memory of the output.
    plans.check({{{columns}, {columns}, {columns}},
                 {place(0, 0, {1, columns}), place(1, 0, {1, half}), place(2, 0, {1, half}),
                  place(1, 0, {1, columns})}});
    if (HasFailure())
      return;
  }
  EXPECT_GT(plans.safe_runs(), 0);
}

TEST(Blocks, halves_of_one_view) {
  AllPlans swapped(tw::kernel("swapped", [](tw::View<float, 2> x, tw::View<const float, 1> half) {
                     auto [r, c] = x.axes("r", "c");
                     auto [h] = half.axes("h");
                     for (auto &row : tw::parallel(r)) {
                       auto a = x(row, h.at(0)).load(), b = x(row, h.at(h.extent())).load();
                       x(row, h.at(0)).store(b - a);
                       x(row, h.at(h.extent())).store(a);
                     }
                   }).source());
  for (int64_t half : {1, 7, 8, 9, 16, 21, 40})
    swapped.check({{{10 * half}, {half}}, {place(0, 0, {5, 2 * half}), place(1, 0, {half})}});
}

// A shift within one view: each element is read before it is written, in any lane.
TEST(Blocks, shifts_of_one_view) {
  for (int64_t distance : {1, -1, -7, 8, 20, -20}) {
    AllPlans plans(tw::kernel("moved", [&](tw::View<float, 2> x) {
                     auto [r, c] = x.axes("r", "c");
                     for (auto &row : tw::parallel(r))
                       x(row, c.at(distance)).store(2 * x(row, c).load());
                   }).source());
    plans.limit_plans(5);
    for (int64_t columns : {1, 8, 20, 33})
      plans.check({{{3 * columns}}, {place(0, 0, {3, columns})}});
    if (HasFailure())
      return;
  }
}

TEST(Blocks, rope_of_any_length) {
  const kernels::Entry &rope = *kernels::find("rope");
  AllPlans plans(rope.source);
  for (int64_t rows : {1, 3, 17})
    for (int64_t columns : {0, 2, 6, 8, 10, 16, 30, 32, 34, 66})
      plans.check(
          {{{rows * columns}, {rows * columns / 2}, {rows * columns / 2}, {rows * columns, true}},
           {place(0, 0, {rows, columns}), place(1, 0, {rows, columns / 2}),
            place(2, 0, {rows, columns / 2}), place(3, 0, {rows, columns})}},
          Guard::holds);
}

} // namespace
} // namespace tilewright
