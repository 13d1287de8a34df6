// The passes of simplify keep every bit: the reference gives the same outputs for a kernel as it
// was recorded, with the canonical grouping set, and for the same kernel simplified. Contraction is
// the one exception; with it, the passes after it keep every bit too. Any NaN is like any other.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "kernels/registry.h"
#include "simplify/simplify.h"
#include "tile/module.h"

namespace tilewright {
namespace {

/// Row-major storage for one parameter.
struct Tensor {
  std::vector<std::byte> bytes;
  Argument argument;
};

/// Normal numbers with some special ones between them; masks for bool.
Tensor make_input(ElementType type, const Dimensions &extents, bool special, std::mt19937 &random) {
  Tensor tensor;
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  tensor.bytes.resize(static_cast<size_t>(count * byte_size(type)));
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float specials[] = {
      -0.0f, 0.0f, 1e-40f, 3e38f, -infinity, infinity, std::numeric_limits<float>::quiet_NaN()};
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < count; ++i) {
    if (type == ElementType::boolean) {
      tensor.bytes[static_cast<size_t>(i)] = static_cast<std::byte>(random() % 2);
      continue;
    }
    float value = special && random() % 16 == 0 ? specials[random() % 7] : normal(random);
    std::memcpy(tensor.bytes.data() + i * 4, &value, 4);
  }
  tensor.argument = {tensor.bytes.data(), type, extents, row_major_strides(extents), false};
  return tensor;
}

/// Which NaN a result is depends on the order of operands.
void make_nans_alike(Tensor &tensor) {
  if (tensor.argument.type != ElementType::f32)
    return;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (size_t at = 0; at < tensor.bytes.size(); at += sizeof nan) {
    float value;
    std::memcpy(&value, tensor.bytes.data() + at, sizeof value);
    if (std::isnan(value))
      std::memcpy(tensor.bytes.data() + at, &nan, sizeof nan);
  }
}

/// The bytes of all arguments after the reference ran the recorded kernel and these passes.
template <typename... Passes>
std::vector<std::vector<std::byte>> evaluate(const kernels::Entry &entry, int64_t rows,
                                             int64_t columns, bool special, bool contract,
                                             Passes... passes) {
  std::mt19937 random(7);
  std::vector<Tensor> tensors;
  std::vector<Argument> arguments;
  columns = kernels::fitting_columns(entry, columns);
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    tensors.push_back(make_input(entry.source.parameters[i].element,
                                 kernels::extents(entry.parameters[i], rows, columns), special,
                                 random));
    arguments.push_back(tensors.back().argument);
  }
  KernelSource source = entry.source;
  source.contract = contract;
  Result<Recorded> recorded = record(source, arguments);
  EXPECT_TRUE(recorded) << recorded.error().message();
  mlir::ModuleOp module = *recorded->module.content().module;
  EXPECT_TRUE((mlir::succeeded(passes(module)) && ...));
  // A bool is a byte in tile IR.
  for (Argument &argument : arguments)
    if (argument.type == ElementType::boolean)
      argument.type = ElementType::i8;
  Status status = evaluate_reference(recorded->module, arguments);
  EXPECT_TRUE(status) << status.error().message();
  std::vector<std::vector<std::byte>> results;
  for (Tensor &tensor : tensors) {
    make_nans_alike(tensor);
    results.push_back(std::move(tensor.bytes));
  }
  return results;
}

class SameBitsTest : public testing::TestWithParam<std::string> {};

TEST_P(SameBitsTest, SimplifiedIsAsRecorded) {
  const kernels::Entry &entry = *kernels::find(GetParam());
  for (auto [rows, columns] : {std::pair{3, 65}, {2, 64}, {2, 1}, {1, 130}})
    for (bool special : {false, true}) {
      auto expected = evaluate(entry, rows, columns, special, false, simplify::set_grouping);
      auto simplified =
          evaluate(entry, rows, columns, special, false, simplify::expand_functions,
                   simplify::merge_maps, simplify::contract, simplify::fold_scalars,
                   simplify::prove_blocks, simplify::relax_extrema, simplify::bound_arguments,
                   simplify::set_grouping, simplify::drop_dead);
      EXPECT_EQ(expected, simplified) << rows << " x " << columns << (special ? " special" : "");
    }
}

TEST_P(SameBitsTest, OnlyContractionChangesBits) {
  const kernels::Entry &entry = *kernels::find(GetParam());
  auto contracted = evaluate(entry, 3, 65, true, true, simplify::expand_functions,
                             simplify::merge_maps, simplify::contract, simplify::set_grouping);
  auto simplified =
      evaluate(entry, 3, 65, true, true, simplify::expand_functions, simplify::merge_maps,
               simplify::contract, simplify::fold_scalars, simplify::relax_extrema,
               simplify::bound_arguments, simplify::set_grouping, simplify::drop_dead);
  EXPECT_EQ(contracted, simplified);
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const kernels::Entry &entry : kernels::all())
    names.push_back(entry.name());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, SameBitsTest, testing::ValuesIn(kernel_names()),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace tilewright
