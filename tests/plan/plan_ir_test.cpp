// extract and annotate: tile IR to a summary, a plan to an attribute and back.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "plan/annotate.h"
#include "plan/extract.h"
#include "plan/safe_plan.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char *rms_norm = R"(
tile.kernel @rms_norm(%x: !tile.view<const ?x65xf32>, %gamma: !tile.view<const packed 65xf32>,
                      %y: !tile.view<packed ?x65xf32>, %sums: !tile.view<packed ?xf32>) {
  tile.axis @r = %x[0] : !tile.view<const ?x65xf32>
  tile.axis @c = %x[1] : !tile.view<const ?x65xf32>
  %zero = arith.constant 0.0 : f32
  tile.parallel (%row) over [@r] {
    %v = tile.load %x[%row, @c] : !tile.view<const ?x65xf32> -> !tile.tile<[c:65], f32>
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [-0.0 : f32] unordered
        grouping <slots = 64> : (!tile.tile<[c:65], f32>), (f32) -> (f32)
      step {
      ^bb0(%acc: f32, %e: f32):
        %n = math.fma %e, %e, %acc : f32
        tile.yield %n : f32
      } merge {
      ^bb0(%a: f32, %b: f32):
        %n = arith.addf %a, %b : f32
        tile.yield %n : f32
      }
    tile.store %s, %sums[%row] : f32, !tile.view<packed ?xf32>
    %root = math.sqrt %s : f32
    %g = tile.load %gamma[@c] : !tile.view<const packed 65xf32> -> !tile.tile<[c:65], f32>
    %w = tile.map (%v, %g) : (!tile.tile<[c:65], f32>, !tile.tile<[c:65], f32>)
        -> !tile.tile<[c:65], f32> {
    ^bb0(%a: f32, %b: f32):
      %p = arith.divf %a, %root : f32
      %q = math.exp %p : f32
      %t = arith.mulf %q, %b : f32
      tile.yield %t : f32
    }
    tile.store %w, %y[%row, @c] : !tile.tile<[c:65], f32>, !tile.view<packed ?x65xf32>
  }
})";

class PlanIr : public testing::Test {
protected:
  PlanIr() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  }

  tile::KernelOp parse(const std::string &text) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    if (!module_)
      return {};
    return *module_->getOps<tile::KernelOp>().begin();
  }

  /// The error that extracting gives, or "".
  std::string error_of(const std::string &text) {
    std::string error;
    tile::KernelOp kernel = parse(text);
    if (!kernel)
      return "not parsed";
    mlir::ScopedDiagnosticHandler handler(
        &context_, [&](mlir::Diagnostic &diagnostic) { error += diagnostic.str(); });
    KernelSummary summary;
    return mlir::failed(extract(kernel, summary)) ? error : "";
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

TEST_F(PlanIr, ExtractsBlocks) {
  tile::KernelOp kernel = parse(R"(
tile.kernel @blocks(%x: !tile.view<const ?x66xf32>, %y: !tile.view<?x?xf32>) {
  tile.axis @r = %y[0] : !tile.view<?x?xf32>
  tile.axis @h = %y[1] : !tile.view<?x?xf32>
  tile.parallel (%row) over [@r] {
    %three = arith.constant 3 : index
    %n = tile.extent @h : index
    %m = arith.muli %n, %three : index
    %o = arith.addi %m, %three : index
    %back = arith.subi %three, %row : index
    %square = arith.muli %row, %row : index
    %more = arith.addi %square, %n : index
    %a = tile.load %x[%row, @h at %o] : !tile.view<const ?x66xf32> -> !tile.tile<[h:?], f32>
    %b = tile.load %x[%row, @h at %back assume] : !tile.view<const ?x66xf32> -> !tile.tile<[h:?], f32>
    %d = tile.load %x[%row, @h at %more] : !tile.view<const ?x66xf32> -> !tile.tile<[h:?], f32>
    tile.store %a, %y[%row, @h] : !tile.tile<[h:?], f32>, !tile.view<?x?xf32>
  }
})");
  ASSERT_TRUE(kernel);
  KernelSummary summary;
  ASSERT_TRUE(mlir::succeeded(extract(kernel, summary)));
  ASSERT_EQ(summary.ops.size(), 4u);
  const auto &a = summary.ops[0].block, &b = summary.ops[1].block, &d = summary.ops[2].block;
  ASSERT_TRUE(a && b && d);
  EXPECT_EQ(a->origin, (Position{3, {{extent_symbol(1, 1), 3}}}));
  EXPECT_TRUE(a->tested);
  EXPECT_EQ(b->origin, (Position{3, {{-1, -1}}})); // by a scalar, the row
  EXPECT_FALSE(b->tested);
  EXPECT_EQ(d->origin, (Position{0, {{-2, 1}, {extent_symbol(1, 1), 1}}})); // by another scalar
  EXPECT_THAT(summary.ops[0].indices, ElementsAre(std::optional<int>(~0), std::optional<int>(1)));
  EXPECT_FALSE(summary.ops[0].uses_index);
  EXPECT_FALSE(summary.ops[3].block);
}

TEST_F(PlanIr, ExtractsViewsAxesAndOps) {
  tile::KernelOp kernel = parse(rms_norm);
  ASSERT_TRUE(kernel);
  KernelSummary summary;
  ASSERT_TRUE(mlir::succeeded(extract(kernel, summary)));
  EXPECT_EQ(summary.name, "rms_norm");
  ASSERT_EQ(summary.axes.size(), 2u);
  EXPECT_EQ(summary.axes[0].extent, dynamic_extent);
  EXPECT_EQ(summary.axes[1].extent, 65);
  EXPECT_EQ(summary.axes[1].view, 0);
  EXPECT_EQ(summary.axes[1].dim, 1);
  EXPECT_THAT(summary.root_axes, ElementsAre(0));

  ASSERT_EQ(summary.views.size(), 4u);
  EXPECT_TRUE(summary.views[0].read_only && summary.views[0].loaded);
  EXPECT_FALSE(summary.views[0].packed || summary.views[0].stored);
  EXPECT_TRUE(summary.views[2].packed && summary.views[2].stored);
  EXPECT_EQ(summary.views[2].unit_dim, 1);
  EXPECT_THAT(summary.views[2].extents, ElementsAre(dynamic_extent, 65));

  ASSERT_EQ(summary.ops.size(), 6u);
  const OpSummary &load = summary.ops[0], &reduce = summary.ops[1], &scalar = summary.ops[2];
  const OpSummary &map = summary.ops[4], &store = summary.ops[5];
  EXPECT_EQ(load.kind, OpKind::load);
  EXPECT_THAT(load.indices, ElementsAre(std::optional<int>(~0), std::optional<int>(1)));
  EXPECT_EQ(load.line, 8);
  EXPECT_EQ(reduce.kind, OpKind::reduce);
  EXPECT_EQ(reduce.slots, 64);
  EXPECT_TRUE(reduce.commutes);
  EXPECT_EQ(reduce.counts.simple, 1);
  EXPECT_THAT(reduce.inputs, ElementsAre(0));
  EXPECT_TRUE(scalar.axes.empty());
  EXPECT_THAT(scalar.after, ElementsAre(1));
  EXPECT_EQ(map.kind, OpKind::map);
  EXPECT_THAT(map.inputs, ElementsAre(0, 3));
  EXPECT_THAT(map.after, ElementsAre(1)); // through math.sqrt
  EXPECT_FALSE(map.uses_index);
  EXPECT_EQ(map.counts.divide, 1);
  EXPECT_EQ(map.counts.function, 1);
  EXPECT_EQ(map.counts.simple, 1);
  EXPECT_EQ(store.view, 2);
  EXPECT_THAT(store.axes, ElementsAre(1));
  EXPECT_THAT(store.inputs, ElementsAre(4));
}

TEST_F(PlanIr, NotesRootIndicesAndMergesThatDoNotCommute) {
  tile::KernelOp kernel = parse(R"(
tile.kernel @indexed(%x: !tile.view<packed ?x8xf64>, %y: !tile.view<packed ?xf64>) {
  tile.axis @r = %x[0] : !tile.view<packed ?x8xf64>
  tile.axis @c = %x[1] : !tile.view<packed ?x8xf64>
  %zero = arith.constant 0.0 : f64
  tile.parallel (%row) over [@r] {
    %i = arith.index_cast %row : index to i64
    %f = arith.sitofp %i : i64 to f64
    tile.store %f, %x[%row, @c] : f64, !tile.view<packed ?x8xf64>
    %v = tile.load %x[%row, @c] : !tile.view<packed ?x8xf64> -> !tile.tile<[c:8], f64>
    %s = tile.reduce (%v) over [@c] seed (%zero) identity [0.0 : f64] fold_left
        : (!tile.tile<[c:8], f64>), (f64) -> (f64)
      step {
      ^bb0(%acc: f64, %e: f64):
        %n = arith.subf %acc, %e : f64
        tile.yield %n : f64
      } merge {
      ^bb0(%a: f64, %b: f64):
        %n = arith.subf %a, %b : f64
        tile.yield %n : f64
      }
    tile.store %s, %y[%row] : f64, !tile.view<packed ?xf64>
  }
})");
  ASSERT_TRUE(kernel);
  KernelSummary summary;
  ASSERT_TRUE(mlir::succeeded(extract(kernel, summary)));
  EXPECT_TRUE(summary.ops[0].uses_index);
  EXPECT_THAT(summary.ops[0].axes, ElementsAre(1)); // a scalar stored along an axis
  EXPECT_TRUE(summary.ops[0].inputs.empty());
  EXPECT_FALSE(summary.ops[1].uses_index);
  EXPECT_EQ(summary.ops[1].element_bytes, 8);
  EXPECT_FALSE(summary.ops[2].commutes);
  EXPECT_EQ(summary.ops[2].slots, 0);
}

TEST_F(PlanIr, WorkOutsideTheOnlyNestIsRefused) {
  const std::string head = R"(
tile.kernel @two(%x: !tile.view<packed ?x8xf32>) {
  tile.axis @r = %x[0] : !tile.view<packed ?x8xf32>
  tile.axis @c = %x[1] : !tile.view<packed ?x8xf32>
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  tile.parallel (%row) over [@r] {
    tile.store %zero, %x[%row, @c] : f32, !tile.view<packed ?x8xf32>
  }
)";
  EXPECT_THAT(error_of(head + "tile.parallel (%row) over [@r] {}\n}"),
              HasSubstr("is a second root nest"));
  EXPECT_THAT(error_of(head + "tile.store %zero, %x[%first, @c] : f32, "
                              "!tile.view<packed ?x8xf32>\n}"),
              HasSubstr("works outside the kernel's root nest"));
  EXPECT_EQ(error_of(head + "}"), "");
}

TEST_F(PlanIr, PlansRoundTripThroughTheAttribute) {
  tile::KernelOp kernel = parse(rms_norm);
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(read_plan(kernel).has_value());
  KernelSummary summary;
  ASSERT_TRUE(mlir::succeeded(extract(kernel, summary)));
  Plan plan = safe_plan(summary, MachineSummary());
  plan.loops[0].prefetch_bytes = 512;
  annotate(kernel, plan);
  annotate(kernel, Plan(), safe_plan_attribute);

  // Through text, as tilewright-opt would.
  std::string text;
  llvm::raw_string_ostream stream(text);
  module_->print(stream);
  EXPECT_THAT(text, HasSubstr("mapping = \"row\""));
  kernel = parse(text);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(read_plan(kernel), plan);
  EXPECT_EQ(read_plan(kernel, safe_plan_attribute), Plan());
}

TEST_F(PlanIr, AnAttributeThatIsNoPlanIsAnError) {
  tile::KernelOp kernel = parse(rms_norm);
  ASSERT_TRUE(kernel);
  std::string error;
  mlir::ScopedDiagnosticHandler handler(
      &context_, [&](mlir::Diagnostic &diagnostic) { error += diagnostic.str(); });
  mlir::Builder builder(&context_);
  kernel->setAttr(plan_attribute, builder.getDictionaryAttr(
                                      builder.getNamedAttr("widht", builder.getI64IntegerAttr(8))));
  EXPECT_FALSE(read_plan(kernel).has_value());
  EXPECT_THAT(error, HasSubstr("has no plan in tile.plan: the plan has no key \"widht\""));
}

} // namespace
} // namespace tilewright::plan
