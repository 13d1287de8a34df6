// Views of any strides and offsets: each element is read and written where it is and nothing else
// is touched.
#include <gtest/gtest.h>

#include "all_plans.h"
#include "kernels/registry.h"

namespace tilewright {
namespace {

/// A view of R x C elements in an array of its own that it begins and ends with.
struct Shaped {
  Dimensions strides;
  int64_t offset = 0;
  int64_t elements = 0;
};

Shaped packed(int64_t rows, int64_t columns) { return {{columns, 1}, 0, rows * columns}; }
Shaped spaced(int64_t rows, int64_t columns) {
  return {{columns + 3, 1}, 0, (rows - 1) * (columns + 3) + columns};
}
Shaped odd_offset(int64_t rows, int64_t columns) {
  return {{columns + 1, 1}, 3, rows * (columns + 1) + 5};
}
Shaped rows_backwards(int64_t rows, int64_t columns) {
  return {{-columns, 1}, (rows - 1) * columns, rows * columns};
}
Shaped columns_backwards(int64_t rows, int64_t columns) {
  return {{columns, -1}, columns - 1, rows * columns};
}
Shaped every_second(int64_t rows, int64_t columns) {
  return {{2 * columns, 2}, 0, 2 * rows * columns - 1};
}
Shaped transposed(int64_t rows, int64_t columns) { return {{1, rows}, 0, rows * columns}; }
Shaped one_row(int64_t, int64_t columns) { return {{0, 1}, 0, columns}; }
Shaped one_column(int64_t rows, int64_t) { return {{1, 0}, 0, rows}; }

using Shaping = Shaped (*)(int64_t, int64_t);

/// Kernels over R x C views, the first an input and the last an output, and vectors of C.
Layout layout_of(const kernels::Entry &entry, int64_t rows, int64_t columns, Shaping input,
                 Shaping output) {
  Layout layout;
  for (const kernels::ParameterRole &role : entry.parameters) {
    Dimensions extents = kernels::extents(role, rows, columns);
    int array = static_cast<int>(layout.arrays.size());
    if (extents.size() == 1) {
      layout.arrays.push_back({extents[0], role.output});
      layout.places.push_back(place(array, 0, extents));
      continue;
    }
    Shaped shaped = role.output ? output(rows, columns) : input(rows, columns);
    layout.arrays.push_back({shaped.elements, role.output});
    layout.places.push_back({array, shaped.offset, extents, shaped.strides});
  }
  return layout;
}

struct StrideCase {
  const char *name;
  Shaping input, output;
};

const StrideCase stride_cases[] = {
    {"spaced", spaced, spaced},
    {"odd_offsets", odd_offset, odd_offset},
    {"rows_backwards", rows_backwards, rows_backwards},
    {"columns_backwards", columns_backwards, columns_backwards},
    {"every_second", every_second, every_second},
    {"transposed_input", transposed, packed},
    {"transposed_output", spaced, transposed},
    {"one_row_for_all", one_row, packed},
    {"one_column_for_all", one_column, spaced},
};

class Strides : public testing::TestWithParam<StrideCase> {};

void check_strides(const std::string &kernel, const StrideCase &one, int64_t columns,
                   double tolerance = 0) {
  const kernels::Entry &entry = *kernels::find(kernel);
  AllPlans plans(entry.source, tolerance);
  plans.limit_plans(6);
  for (int64_t rows : {1, 5})
    plans.check(layout_of(entry, rows, columns, one.input, one.output), Guard::holds);
}

TEST_P(Strides, rms_norm) { check_strides("rms_norm", GetParam(), 20); }
TEST_P(Strides, add) { check_strides("add", GetParam(), 17); }
TEST_P(Strides, softmax) { check_strides("softmax", GetParam(), 9, 5e-5); }

INSTANTIATE_TEST_SUITE_P(Of, Strides, testing::ValuesIn(stride_cases),
                         [](const auto &info) { return std::string(info.param.name); });

// Columns of one wide buffer, such as a fused projection: no guard fails.
TEST(Strides, disjoint_slices_of_one_buffer_take_the_fast_body) {
  const kernels::Entry &rms_norm = *kernels::find("rms_norm");
  AllPlans plans(rms_norm.source);
  const int64_t rows = 7, columns = 20, stride = 3 * columns;
  for (auto [x, y] : {std::pair<int64_t, int64_t>(0, 1), {1, 0}, {2, 0}, {1, 2}})
    plans.check({{{rows * stride}, {columns}},
                 {{0, x * columns, {rows, columns}, {stride, 1}},
                  place(1, 0, {columns}),
                  {0, y * columns, {rows, columns}, {stride, 1}}}},
                Guard::holds);
  EXPECT_EQ(plans.safe_runs(), 0);

  const kernels::Entry &add = *kernels::find("add");
  AllPlans sums(add.source);
  sums.limit_plans(6);
  for (int64_t width : {1, 3, 8, 17})
    sums.check({{{5 * 3 * width}},
                {{0, 0, {5, width}, {3 * width, 1}},
                 {0, 2 * width, {5, width}, {3 * width, 1}},
                 {0, width, {5, width}, {3 * width, 1}}}},
               Guard::holds);
  EXPECT_EQ(sums.safe_runs(), 0);
}

// A dimension of one element is never stepped along.
TEST(Strides, extents_of_one_carry_any_stride) {
  AllPlans rms_norm(kernels::find("rms_norm")->source);
  rms_norm.limit_plans(6);
  for (int64_t stride : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{123456789}, int64_t{1} << 50,
                         -(int64_t{1} << 50)})
    rms_norm.check(
        {{{20}, {20}, {20, true}},
         {{0, 0, {1, 20}, {stride, 1}}, place(1, 0, {20}), {2, 0, {1, 20}, {-stride, 1}}}},
        Guard::either);
  AllPlans add(kernels::find("add")->source);
  add.limit_plans(6);
  for (int64_t stride : {0, -1, 5, 1 << 20})
    add.check({{{5}, {5}, {5, true}},
               {{0, 0, {5, 1}, {1, stride}}, {1, 0, {5, 1}, {1, -stride}}, {2, 0, {5, 1}, {1, 7}}}},
              Guard::either);
}

TEST(Strides, no_element_is_no_access) {
  AllPlans rms_norm(kernels::find("rms_norm")->source);
  rms_norm.check(
      {{{0}, {20}, {0}}, {place(0, 0, {0, 20}), place(1, 0, {20}), place(2, 0, {0, 20})}});
  rms_norm.check({{{0}, {0}, {0}}, {place(0, 0, {3, 0}), place(1, 0, {0}), place(2, 0, {3, 0})}});
}

} // namespace
} // namespace tilewright
