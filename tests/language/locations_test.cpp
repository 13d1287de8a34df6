// Every operation carries the line of the user's source that it comes from.
#include <gtest/gtest.h>

#include "recording_helpers.h"
#include "tile/module.h"

namespace tilewright {
namespace {

namespace tw = tilewright;

TEST(LocationsTest, OperationsCarryTheirLine) {
  int first = __LINE__ + 1;
  auto kernel = tw::kernel("located", [](tw::View<const float, 2> x, tw::View<float, 2> y) {
    auto [r, c] = x.axes("r", "c");
    for (auto &row : tw::parallel(r)) {
      auto v = x(row, c).load();
      auto w = v * 2;
      auto total = tw::sum(w, c);
      auto scaled = tw::exp(w) / total;
      y(row, c).store(scaled);
    }
  });
  Result<Recorded> recorded =
      record(kernel.source(), std::vector<Argument>{f32({17, 65}), f32({17, 65})});
  ASSERT_TRUE(recorded) << recorded.error().message();

  std::vector<std::pair<std::string, int>> lines;
  recorded->module.content().module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    auto location = llvm::dyn_cast<mlir::FileLineColLoc>(op->getLoc());
    if (llvm::isa<mlir::ModuleOp>(op))
      return;
    ASSERT_TRUE(location) << op->getName().getStringRef().str();
    EXPECT_TRUE(location.getFilename().getValue().ends_with("locations_test.cpp"));
    if (op->getDialect()->getNamespace() == "tile" && !llvm::isa<tile::YieldOp>(op))
      lines.emplace_back(op->getName().stripDialect().str(),
                         static_cast<int>(location.getLine()) - first);
  });
  std::vector<std::pair<std::string, int>> expected = {
      {"kernel", 0}, {"axis", 1},   {"axis", 1}, {"parallel", 2}, {"load", 3},
      {"map", 4},    {"reduce", 5}, {"map", 6},  {"map", 6},      {"store", 7}};
  EXPECT_EQ(lines, expected);
}

} // namespace
} // namespace tilewright
