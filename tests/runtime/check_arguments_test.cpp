// The message of every reason to refuse a launch.
#include "runtime/check_arguments.h"

#include <gtest/gtest.h>

#include <limits>

#include "tilewright/buffer.h"

namespace tilewright::runtime {
namespace {

constexpr int64_t largest = std::numeric_limits<int64_t>::max();

const std::vector<Parameter> parameters = {{ElementType::f32, 2, true},
                                           {ElementType::f32, 1, false}};

class CheckArguments : public testing::Test {
protected:
  /// The message for these two arguments; empty when they pass.
  std::string message() const {
    Status status = check_arguments("k", parameters, arguments);
    return status ? "" : status.error().message();
  }

  Buffer<float> x{Dimensions{3, 4}};
  Buffer<float> y{Dimensions{4}};
  std::vector<Argument> arguments{x.as_argument(), y.as_argument()};
};

TEST_F(CheckArguments, passes_what_fits) { EXPECT_EQ(message(), ""); }

TEST_F(CheckArguments, passes_const_memory_for_a_const_view) {
  arguments[0].read_only = true;
  EXPECT_EQ(message(), "");
}

TEST_F(CheckArguments, count) {
  arguments.pop_back();
  EXPECT_EQ(message(), "launch of k: it takes 2 arguments and got 1");
}

TEST_F(CheckArguments, element_type) {
  arguments[1].type = ElementType::f64;
  EXPECT_EQ(message(),
            "launch of k: argument 2 has elements of type f64, but the kernel's view has f32; pass "
            "f32 elements");
}

TEST_F(CheckArguments, rank) {
  arguments[0].extents = {12};
  EXPECT_EQ(message(),
            "launch of k: argument 1 has rank 1, but the kernel's view has rank 2; pass one extent "
            "per dimension of the view");
}

TEST_F(CheckArguments, number_of_strides) {
  arguments[0].strides = {1};
  EXPECT_EQ(message(),
            "launch of k: argument 1 has 2 extents and 1 strides; give one stride per extent");
}

TEST_F(CheckArguments, writing_const_memory) {
  arguments[1].read_only = true;
  EXPECT_EQ(message(),
            "launch of k: argument 2 is const, but the kernel writes through that view; pass "
            "writable memory, or declare the view const in the kernel");
}

TEST_F(CheckArguments, negative_extent) {
  arguments[0].extents = {3, -4};
  EXPECT_EQ(message(),
            "launch of k: dimension 1 of argument 1 has the negative extent -4; extents count "
            "elements");
}

TEST_F(CheckArguments, null_pointer) {
  arguments[0].data = nullptr;
  EXPECT_EQ(message(), "launch of k: argument 1 is a null pointer; pass memory for its elements");
}

TEST_F(CheckArguments, null_pointer_without_elements_passes) {
  arguments[0].data = nullptr;
  arguments[0].extents = {3, 0};
  EXPECT_EQ(message(), "");
}

TEST_F(CheckArguments, misaligned_pointer) {
  arguments[1].data = static_cast<char *>(arguments[1].data) + 2;
  EXPECT_EQ(message(),
            "launch of k: argument 2 begins at an address that is not a multiple of 4, the size of "
            "f32; copy it to aligned memory");
}

TEST_F(CheckArguments, range_beyond_the_address_space) {
  arguments[0].extents = {largest / 2, 4};
  arguments[0].strides = {4, 1};
  EXPECT_EQ(message(),
            "launch of k: argument 1 reaches beyond the address space: extents "
            "[4611686018427387903, 4] with strides [4, 1]; check their order and units (elements, "
            "not bytes)");
}

TEST_F(CheckArguments, ranges_that_overflow_in_any_way) {
  const std::vector<Dimensions> strides = {
      {largest, 1}, {-largest - 1, 1}, {largest / 4, 1}, {1, -largest / 8}, {largest / 5, 1}};
  for (const Dimensions &these : strides) {
    arguments[0].strides = these;
    EXPECT_NE(message(), "") << these[0] << ", " << these[1];
  }
}

TEST_F(CheckArguments, zero_strides_pass_with_huge_extents) {
  arguments[0].extents = {largest, 4};
  arguments[0].strides = {0, 1};
  EXPECT_EQ(message(), "");
}

TEST_F(CheckArguments, negative_strides_pass) {
  arguments[0].data = &x(2, 3);
  arguments[0].strides = {-4, -1};
  EXPECT_EQ(message(), "");
}

std::string extents_message(const ExtentCheck &check) {
  Buffer<float> x({3, 4});
  Buffer<float> y({5});
  const std::vector<Argument> arguments{x.as_argument(), y.as_argument()};
  Status status = check_extents("k", std::span(&check, 1), arguments);
  return status ? "" : status.error().message();
}

TEST(CheckExtents, equal_extents) {
  EXPECT_EQ(extents_message({.view = 1, .dim = 0, .other_view = 0, .other_dim = 1, .axis = "c"}),
            "launch of k: dimension 0 of argument 2 has extent 5, but axis c spans it, so it must "
            "be 4, the extent of dimension 1 of argument 1");
  EXPECT_EQ(extents_message({.view = 0, .dim = 0, .other_view = 0, .other_dim = 0, .axis = "c"}),
            "");
}

TEST(CheckExtents, exact_extent) {
  EXPECT_EQ(extents_message({.view = 0, .dim = 1, .exact = 8, .axis = ""}),
            "launch of k: dimension 1 of argument 1 has extent 4, but must be 8");
  EXPECT_EQ(extents_message({.view = 0, .dim = 1, .exact = 4, .axis = ""}), "");
}

TEST(CheckExtents, least_extent) {
  EXPECT_EQ(extents_message({.view = 1, .dim = 0, .at_least = 6, .axis = "n"}),
            "launch of k: dimension 0 of argument 2 has extent 5, but axis n spans it, so it must "
            "be at least 6");
  EXPECT_EQ(extents_message({.view = 1, .dim = 0, .at_least = 5, .axis = "n"}), "");
}

/// What is said of a block of 3 positions of 5, from constant + terms on.
std::string block_message(int64_t constant, std::vector<BlockCheck::Term> terms = {}) {
  BlockCheck block{.constant = constant, .terms = std::move(terms)}; // as long as x has rows
  return extents_message({.view = 1, .dim = 0, .block = block, .axis = "h"});
}

TEST(CheckExtents, a_block_that_is_assumed_inside) {
  EXPECT_EQ(block_message(0), "");
  EXPECT_EQ(block_message(2), "");
  EXPECT_EQ(
      block_message(3),
      "launch of k: dimension 0 of argument 2 has extent 5, but a block of axis h that is "
      "assumed to lie inside takes positions 3 to 5 of it; pass arguments of matching shapes");
  EXPECT_NE(block_message(-1), "");
  EXPECT_NE(block_message(largest).find("takes positions 9223372036854775807 to above 2^63 of it"),
            std::string::npos);
}

TEST(CheckExtents, a_block_from_extents_and_indices_on) {
  BlockCheck::Term rows{.factor = 1, .view = 0, .dim = 0, .index = false}; // 3
  EXPECT_NE(block_message(0, {rows}), "");
  EXPECT_EQ(block_message(-3, {rows}), "");
  BlockCheck::Term index = rows; // 0, 1 and 2
  index.index = true;
  EXPECT_EQ(block_message(0, {index}), "");
  EXPECT_NE(block_message(1, {index}), "");
  index.factor = -1;
  EXPECT_NE(block_message(1, {index}), "");
  EXPECT_EQ(block_message(2, {index}), "");
  index.factor = std::numeric_limits<int64_t>::min();
  EXPECT_NE(block_message(2, {index, index, index}), "");
}

TEST(CheckExtents, a_block_of_no_points_is_inside) {
  Buffer<float> x({0, 4}), y({5});
  const std::vector<Argument> arguments{x.as_argument(), y.as_argument()};
  ExtentCheck check{
      .view = 1, .dim = 0, .block = BlockCheck{.constant = 9, .terms = {}}, .axis = "h"};
  EXPECT_TRUE(check_extents("k", std::span(&check, 1), arguments));
  // Nor is one of a program that does not exist.
  check.block = BlockCheck{.axis_view = 0,
                           .axis_dim = 1,
                           .constant = 9,
                           .terms = {{.factor = 1, .view = 0, .dim = 0, .index = true}}};
  EXPECT_TRUE(check_extents("k", std::span(&check, 1), arguments));
}

} // namespace
} // namespace tilewright::runtime
