// Reading tile IR from text: what comes back, and what is said when it does not parse.
#include <gtest/gtest.h>

#include "pipeline.h"

namespace tilewright {
namespace {

constexpr const char *copy = R"(
tile.kernel @copy(%x: !tile.view<const ?x65xf32>, %m: !tile.view<const ?xi1>,
                  %y: !tile.view<?x65xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x65xf32>
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x65xf32> -> !tile.tile<[c:65], f32>
    tile.store %v, %y[%row, @c] : !tile.tile<[c:65], f32>, !tile.view<?x65xf32>
  }
})";

std::string message_of(const std::string &text) {
  Result<TileModule> module = parse_tile(text, "k.tile");
  return module ? "" : module.error().message();
}

TEST(TileModule, KnowsItsKernel) {
  Result<TileModule> module = parse_tile(copy, "k.tile");
  ASSERT_TRUE(module) << module.error().message();
  EXPECT_EQ(module->kernel_name(), "copy");
  std::vector<Parameter> parameters = module->parameters();
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0].element, ElementType::f32);
  EXPECT_EQ(parameters[0].rank, 2);
  EXPECT_TRUE(parameters[0].read_only);
  EXPECT_EQ(parameters[1].element, ElementType::boolean);
  EXPECT_EQ(parameters[1].rank, 1);
  EXPECT_FALSE(parameters[2].read_only);
}

TEST(TileModule, TextRoundTrips) {
  Result<TileModule> module = parse_tile(copy, "k.tile");
  ASSERT_TRUE(module) << module.error().message();
  std::string text = module->text();
  Result<TileModule> again = parse_tile(text, "k.tile");
  ASSERT_TRUE(again) << again.error().message() << '\n' << text;
  EXPECT_EQ(again->text(), text);
}

TEST(TileModule, Moves) {
  Result<TileModule> module = parse_tile(copy, "k.tile");
  ASSERT_TRUE(module);
  TileModule moved = std::move(*module);
  EXPECT_EQ(moved.kernel_name(), "copy");
}

TEST(TileModule, SyntaxErrorsNameTheLine) {
  EXPECT_EQ(message_of("tile.kernel @k() {\n  tile.oops\n}"),
            "k.tile:2: custom op 'tile.oops' is unknown");
}

TEST(TileModule, VerifierErrorsNameTheLine) {
  EXPECT_EQ(message_of("tile.kernel @k(%x: !tile.view<3xf32>) {\n"
                       "  tile.axis @c = %x[1] : !tile.view<3xf32>\n}"),
            "k.tile:2: 'tile.axis' op takes dimension 1 of a view of rank 1");
}

TEST(TileModule, HoldsExactlyOneKernel) {
  EXPECT_EQ(message_of(""),
            "k.tile:1: the file holds no kernel; write tile.kernel @name(...) { ... }");
  EXPECT_EQ(message_of("tile.kernel @a() {}\ntile.kernel @b() {}"),
            "k.tile:2: the file holds a second kernel, @b after @a; keep one kernel per file");
  EXPECT_EQ(
      message_of("tile.kernel @a() {}\nfunc.func private @f()"),
      "k.tile:2: the file holds 'func.func' outside of the kernel; move it into the kernel or "
      "remove it");
}

} // namespace
} // namespace tilewright
