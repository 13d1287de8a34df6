// The standard library records, and its tile IR says what the kernel does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/registry.h"
#include "recording_helpers.h"

namespace tilewright {
namespace {

std::vector<Argument> arguments_for(const kernels::Entry &entry, int64_t rows, int64_t columns) {
  std::vector<Argument> arguments;
  columns = kernels::fitting_columns(entry, columns);
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    arguments.push_back(shaped(entry.source.parameters[i].element,
                               kernels::extents(entry.parameters[i], rows, columns)));
  return arguments;
}

class KernelsTest : public testing::TestWithParam<std::string> {};

TEST_P(KernelsTest, RecordsForManyShapesWithDynamicRows) {
  const kernels::Entry &entry = *kernels::find(GetParam());
  ASSERT_EQ(entry.parameters.size(), entry.source.parameters.size());
  for (auto [rows, columns] : {std::pair{17, 65}, {1, 1}, {0, 16}, {1024, 4097}}) {
    Result<Recorded> recorded = record(entry.source, arguments_for(entry, rows, columns));
    ASSERT_TRUE(recorded) << recorded.error().message();
    for (size_t i = 0; i < entry.parameters.size(); ++i)
      for (size_t dim = 0; dim < recorded->dynamic[i].size(); ++dim)
        EXPECT_EQ(recorded->dynamic[i][dim], entry.parameters[i].shape[2 * dim] == 'R');
  }
}

TEST_P(KernelsTest, TextReadsBackAsTheSameText) {
  const kernels::Entry &entry = *kernels::find(GetParam());
  std::string text = recorded_text(entry.source, arguments_for(entry, 17, 65));
  Result<TileModule> parsed = parse_tile(text, "recorded");
  ASSERT_TRUE(parsed) << parsed.error().message();
  EXPECT_EQ(parsed->text(), text);
}

TEST_P(KernelsTest, OutputsAreWhatTheKernelMayWrite) {
  const kernels::Entry &entry = *kernels::find(GetParam());
  for (size_t i = 0; i < entry.parameters.size(); ++i)
    EXPECT_EQ(entry.parameters[i].output, !entry.source.parameters[i].read_only);
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const kernels::Entry &entry : kernels::all())
    names.push_back(entry.name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, KernelsTest, testing::ValuesIn(kernel_names()),
                         [](const auto &info) { return info.param; });

TEST(RegistryTest, IsInAlphabeticalOrder) {
  std::vector<std::string> names = kernel_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(kernels::find("no such kernel"), nullptr);
}

TEST(RegistryTest, RmsNormAsRecorded) {
  const kernels::Entry &entry = *kernels::find("rms_norm");
  EXPECT_EQ(
      recorded_text(entry.source, arguments_for(entry, 17, 65)),
      R"(tile.kernel @rms_norm(%arg0: !tile.view<const packed ?x65xf32>, %arg1: !tile.view<const packed 65xf32>, %arg2: !tile.view<packed ?x65xf32>) {
  tile.axis @r = %arg0[0] : !tile.view<const packed ?x65xf32>
  tile.axis @c = %arg0[1] : !tile.view<const packed ?x65xf32>
  tile.parallel (%r) over [@r] {
    %0 = tile.load %arg0[%r, @c] : !tile.view<const packed ?x65xf32> -> !tile.tile<[c:65], f32>
    %1 = tile.extent @c : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.sitofp %2 : i64 to f32
    %4 = tile.map(%0) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%arg3: f32):
      %12 = arith.mulf %arg3, %arg3 : f32
      tile.yield %12 : f32
    }
    %cst = arith.constant -0.000000e+00 : f32
    %5 = tile.reduce(%4) over [@c] seed(%cst) identity [-0.000000e+00 : f32] unordered : (!tile.tile<[c:65], f32>), (f32) -> (f32) step {
    ^bb0(%arg3: f32, %arg4: f32):
      %12 = arith.addf %arg3, %arg4 : f32
      tile.yield %12 : f32
    } merge {
    ^bb0(%arg3: f32, %arg4: f32):
      %12 = arith.addf %arg3, %arg4 : f32
      tile.yield %12 : f32
    }
    %6 = arith.divf %5, %3 : f32
    %7 = tile.load %arg1[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
    %cst_0 = arith.constant 9.99999997E-7 : f32
    %8 = arith.addf %6, %cst_0 : f32
    %9 = math.rsqrt %8 : f32
    %10 = tile.map(%0) : (!tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%arg3: f32):
      %12 = arith.mulf %arg3, %9 : f32
      tile.yield %12 : f32
    }
    %11 = tile.map(%10, %7) : (!tile.tile<[c:65], f32>, !tile.tile<[c:65], f32>) -> !tile.tile<[c:65], f32> {
    ^bb0(%arg3: f32, %arg4: f32):
      %12 = arith.mulf %arg3, %arg4 : f32
      tile.yield %12 : f32
    }
    tile.store %11, %arg2[%r, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
}
)");
}

} // namespace
} // namespace tilewright
