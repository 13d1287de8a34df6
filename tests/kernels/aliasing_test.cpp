// Arguments that overlap, in one program: every plan gives what the program's order of loads and
// stores says, by its guard and safe body or because it is right anyway.
#include <gtest/gtest.h>

#include "all_plans.h"
#include "kernels/registry.h"
#include "tilewright/tilewright.h"

namespace tilewright {
namespace {

namespace tw = tilewright;

// Either side of packets of 4, 8 and 16 lanes, and of two packets.
const std::vector<int64_t> distances = {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33};

/// Calls `body` on every distance, forwards and backwards, and on none.
template <typename Body>
void for_each_distance(const Body &body) {
  body(0);
  for (int64_t distance : distances) {
    body(distance);
    body(-distance);
    if (testing::Test::HasFailure())
      return;
  }
}

/// Two rows of `columns` elements in one array, the second `distance` elements behind the first.
struct Pair {
  Pair(int64_t columns, int64_t distance)
      : elements(columns + std::abs(distance)), first(std::max<int64_t>(0, -distance)),
        second(std::max<int64_t>(0, distance)), apart(std::abs(distance) >= columns) {}

  Guard guard() const { return apart ? Guard::holds : Guard::fails; }

  int64_t elements, first, second;
  bool apart;
};

// In place, each element is doubled once, by overlapped tails too.
TEST(Aliasing, output_shifted_against_input) {
  AllPlans plans(tw::kernel("doubled", [](tw::View<const float, 1> x, tw::View<float, 1> y) {
                   auto [i] = x.axes("i");
                   y(i).store(2 * x(i).load());
                 }).source());
  for (int64_t columns : {1, 7, 8, 20, 37})
    for_each_distance([&](int64_t distance) {
      Pair pair(columns, distance);
      plans.check(
          {{{pair.elements}}, {place(0, pair.first, {columns}), place(0, pair.second, {columns})}},
          distance == 0 ? Guard::holds : pair.guard());
    });
  EXPECT_GT(plans.safe_runs(), 0);
}

// One row of a kernel of the library: `moved` overlaps `fixed`, the others are elsewhere. Kernels
// with exp keep it rather than load again, so that many of their plans need no guard.
void check_library(const std::string &name, size_t fixed, size_t moved, int64_t columns,
                   double tolerance = 0) {
  const kernels::Entry &entry = *kernels::find(name);
  AllPlans plans(entry.source, tolerance);
  for_each_distance([&](int64_t distance) {
    Pair pair(columns, distance);
    Layout layout{{{pair.elements}}, {}};
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      Dimensions extents = kernels::extents(entry.parameters[i], 1, columns);
      if (i == fixed || i == moved) {
        layout.places.push_back(place(0, i == fixed ? pair.first : pair.second, extents));
      } else {
        layout.places.push_back(place(static_cast<int>(layout.arrays.size()), 0, extents));
        layout.arrays.push_back({columns, entry.parameters[i].output});
      }
    }
    const bool both_read = !entry.parameters[fixed].output && !entry.parameters[moved].output;
    plans.check(layout, both_read                        ? Guard::holds
                        : distance == 0 || tolerance > 0 ? Guard::either
                                                         : pair.guard());
  });
}

TEST(Aliasing, rms_norm_output_over_x) { check_library("rms_norm", 0, 2, 20); }
TEST(Aliasing, rms_norm_output_over_gamma) { check_library("rms_norm", 1, 2, 20); }
TEST(Aliasing, rms_norm_gamma_over_x) { check_library("rms_norm", 0, 1, 20); }
TEST(Aliasing, swiglu_output_over_b) { check_library("swiglu", 1, 2, 20, 5e-5); }
TEST(Aliasing, gelu_residual_output_over_r) { check_library("gelu_residual", 1, 2, 20, 5e-5); }
TEST(Aliasing, softmax_output_over_x) { check_library("softmax", 0, 1, 20, 5e-5); }

// All of them in one place, or each a little behind the one before.
TEST(Aliasing, rms_norm_all_arguments_overlap) {
  AllPlans plans(kernels::find("rms_norm")->source);
  for (int64_t distance : {0, 1, 7, 8, 9})
    plans.check({{{20 + 2 * distance}},
                 {place(0, 0, {1, 20}), place(0, distance, {20}), place(0, 2 * distance, {1, 20})}},
                distance == 0 ? Guard::either : Guard::fails);
}

KernelSource two_outputs() {
  return tw::kernel("two_outputs",
                    [](tw::View<const float, 1> x, tw::View<float, 1> y, tw::View<float, 1> z) {
                      auto [i] = x.axes("i");
                      auto v = x(i).load();
                      y(i).store(v + 1);
                      z(i).store(v * 3);
                    })
      .source();
}

// Where they overlap, the later store is what stays.
TEST(Aliasing, two_outputs_overlap) {
  AllPlans plans(two_outputs());
  for (int64_t columns : {9, 20})
    for_each_distance([&](int64_t distance) {
      Pair pair(columns, distance);
      plans.check({{{columns}, {pair.elements, true}},
                   {place(0, 0, {columns}), place(1, pair.first, {columns}),
                    place(1, pair.second, {columns})}},
                  distance == 0 ? Guard::either : pair.guard());
    });
}

TEST(Aliasing, two_outputs_overlap_and_the_input_too) {
  AllPlans plans(two_outputs());
  for_each_distance([&](int64_t distance) {
    Pair pair(20, distance);
    plans.check({{{pair.elements + 8}},
                 {place(0, 4, {20}), place(0, pair.first + 8, {20}), place(0, pair.second, {20})}},
                Guard::fails);
  });
}

// What is loaded after a store sees it; what was loaded before does not.
TEST(Aliasing, loads_before_and_after_a_store) {
  AllPlans plans(tw::kernel("reread", [](tw::View<const float, 1> x, tw::View<float, 1> y,
                                         tw::View<float, 1> z) {
                   auto [i] = x.axes("i");
                   auto before = x(i).load();
                   y(i).store(2 * before);
                   auto after = x(i).load();
                   z(i).store(before - 3 * after);
                 }).source());
  for (int64_t columns : {9, 20})
    for_each_distance([&](int64_t distance) {
      Pair pair(columns, distance);
      plans.check({{{pair.elements}, {columns, true}},
                   {place(0, pair.first, {columns}), place(0, pair.second, {columns}),
                    place(1, 0, {columns})}});
    });
}

TEST(Aliasing, one_view_is_read_written_and_read_again) {
  AllPlans plans(tw::kernel("in_and_out", [](tw::View<float, 1> x, tw::View<float, 1> y) {
                   auto [i] = x.axes("i");
                   auto before = x(i).load();
                   x(i).store(before + 1);
                   auto after = x(i).load();
                   y(i).store(before * after);
                 }).source());
  for (int64_t columns : {9, 20})
    for_each_distance([&](int64_t distance) {
      Pair pair(columns, distance);
      plans.check(
          {{{pair.elements}}, {place(0, pair.first, {columns}), place(0, pair.second, {columns})}});
    });
}

// A reduction's result stored into the row it was made from, and the row read once more.
TEST(Aliasing, scalar_store_into_the_row) {
  AllPlans plans(tw::kernel("sum_then_shift", [](tw::View<const float, 2> x, tw::View<float, 1> s,
                                                 tw::View<float, 2> y) {
                   auto [r, c] = x.axes("r", "c");
                   for (auto &row : tw::parallel(r)) {
                     auto v = x(row, c).load();
                     s(row).store(tw::sum(v, c));
                     y(row, c).store(v + x(row, c).load());
                   }
                 }).source());
  for (int64_t at : {0, 1, 8, 19})
    plans.check(
        {{{60}, {60, true}}, {place(0, 0, {3, 20}), {0, at, {3}, {20}}, place(1, 0, {3, 20})}});
}

// Row r of the output overlaps row r of the input, and no other.
void check_rows(const std::string &name, int64_t columns, double tolerance = 0) {
  const kernels::Entry &entry = *kernels::find(name);
  AllPlans plans(entry.source, tolerance);
  const int64_t rows = 5, stride = columns + 40;
  for_each_distance([&](int64_t distance) {
    Pair pair(columns, distance);
    Layout layout{{{rows * stride}}, {}};
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      Dimensions extents = kernels::extents(entry.parameters[i], rows, columns);
      if (i == 0) {
        layout.places.push_back({0, pair.first, extents, {stride, 1}});
      } else if (entry.parameters[i].output) {
        layout.places.push_back({0, pair.second, extents, {stride, 1}});
      } else {
        layout.places.push_back(place(static_cast<int>(layout.arrays.size()), 0, extents));
        layout.arrays.push_back({rows * columns});
      }
    }
    plans.check(layout, distance == 0 || tolerance > 0 ? Guard::either : pair.guard());
  });
}

TEST(Aliasing, rows_of_rms_norm) { check_rows("rms_norm", 20); }
TEST(Aliasing, rows_of_add) { check_rows("add", 17); }
TEST(Aliasing, rows_of_softmax) { check_rows("softmax", 9, 5e-5); }

} // namespace
} // namespace tilewright
