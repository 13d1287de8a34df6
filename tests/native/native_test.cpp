#include "native/native.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "compile_text.h"
#include "kernels.h"
#include "launch.h"
#include "support/stack_thread.h"

namespace tilewright::native {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Case {
  const char *isa;
  int width;
};

class Widths : public testing::TestWithParam<Case> {};

TEST_P(Widths, AddRunsUnderEveryMask) {
  auto [isa, width] = GetParam();
  if (!runs_here(*named(isa)))
    GTEST_SKIP() << "this machine is no " << isa;
  NativeCode code = compile_for(isa, add_text(width));
  ASSERT_EQ(code.symbols.count("add"), 1u);
  for (int64_t count = 0; count <= 3 * width + 1; ++count) {
    std::vector<float> x(count + 8), y(count + 8), z(count + 8, -1.0f);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i);
      y[i] = 100.5f;
    }
    EXPECT_EQ(launch(code.symbols["add"], {&x, &y, &z}, count), TW_OK);
    for (size_t i = 0; i < z.size(); ++i)
      ASSERT_EQ(z[i], static_cast<int64_t>(i) < count ? x[i] + 100.5f : -1.0f) << i << " " << count;
  }
}

TEST_P(Widths, RmsNormRuns) {
  auto [isa, width] = GetParam();
  if (!runs_here(*named(isa)))
    GTEST_SKIP() << "this machine is no " << isa;
  NativeCode code = compile_for(isa, rms_norm_text(width));
  const int64_t rows = 3, columns = 70;
  std::vector<float> x(rows * columns), gamma(columns), y(rows * columns, NAN);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(0.37f * static_cast<float>(i));
  for (size_t i = 0; i < gamma.size(); ++i)
    gamma[i] = 1.0f + 0.01f * static_cast<float>(i);
  ASSERT_EQ(launch(code.symbols["rms_norm"], {&x, &gamma, &y}, rows), TW_OK);
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (int64_t c = 0; c < columns; ++c)
      sum += static_cast<double>(x[r * columns + c]) * x[r * columns + c];
    double scale = 1 / std::sqrt(sum / columns + 1e-6);
    for (int64_t c = 0; c < columns; ++c)
      ASSERT_NEAR(y[r * columns + c], x[r * columns + c] * scale * gamma[c], 1e-5) << r << " " << c;
  }
}

INSTANTIATE_TEST_SUITE_P(Native, Widths,
                         testing::Values(Case{"x86-64-v2", 4}, Case{"x86-64-v2", 8},
                                         Case{"x86-64-v2", 16}, Case{"x86-64-v3", 4},
                                         Case{"x86-64-v3", 8}, Case{"x86-64-v3", 16},
                                         Case{"x86-64-v4", 16}),
                         [](const auto &info) {
                           return std::string(info.param.isa).substr(7) + "_" +
                                  std::to_string(info.param.width);
                         });

TEST(Native, ObjectIsElfAndNamesTheSymbol) {
  NativeCode code = compile_for("x86-64-v3", add_text(8));
  ASSERT_GT(code.object.size(), 64u);
  EXPECT_EQ(code.object.substr(0, 4), "\177ELF");
  EXPECT_NE(code.object.find(std::string("\0add\0", 5)), std::string::npos);
}

TEST(Native, Avx512UsesWideRegistersAndMasks) {
  std::string assembly;
  NativeOptions options;
  options.link = false;
  options.after_stage = [&](const std::string &stage, const std::string &text) {
    if (stage == "asm")
      assembly = text;
  };
  NativeCode code = compile_for("x86-64-v4", add_text(16), options);
  EXPECT_TRUE(code.symbols.empty());
  EXPECT_THAT(assembly, HasSubstr("zmm"));
  EXPECT_THAT(assembly, HasSubstr("{%k1}"));
}

TEST(Native, MasksAcrossBlocksStayWideWithoutMaskRegisters) {
  NativeOptions options;
  std::string assembly;
  options.after_stage = [&](const std::string &stage, const std::string &text) {
    if (stage == "asm")
      assembly = text;
  };
  compile_for("x86-64-v3", rms_norm_text(8), options);
  EXPECT_THAT(assembly, HasSubstr("vmaskmovps"));
  EXPECT_THAT(assembly, Not(HasSubstr("vpmovzxwd"))); // widening of a packed mask
}

TEST(Native, SanitizeAddressChecksAccesses) {
  NativeOptions options;
  options.link = false; // the runtime is there in a sanitizer build only
  options.sanitize_address = true;
  NativeCode code = compile_for("x86-64-v3", add_text(8), options);
  EXPECT_THAT(code.object, HasSubstr("__asan_report"));
  options.sanitize_address = false;
  code = compile_for("x86-64-v3", add_text(8), options);
  EXPECT_THAT(code.object, Not(HasSubstr("__asan")));
}

TEST(Native, StagesComeInOrderAndStop) {
  std::vector<std::string> seen;
  NativeOptions options;
  options.after_stage = [&](const std::string &stage, const std::string &text) {
    EXPECT_FALSE(text.empty()) << stage;
    seen.push_back(stage);
  };
  compile_for("x86-64-v3", add_text(8), options);
  EXPECT_EQ(seen, stage_names());
  for (const std::string &stage : stage_names()) {
    seen.clear();
    options.stop_after = stage;
    NativeCode code = compile_for("x86-64-v3", add_text(8), options);
    EXPECT_EQ(seen.back(), stage);
    EXPECT_EQ(code.times.size(), seen.size());
  }
}

TEST(Native, WrongArgumentCountIsAnInternalError) {
  std::string text = add_text(8);
  size_t at = text.find("1, 1, 1>");
  text.replace(at, 8, "1, 2, 1>");
  auto code = compile_text(text, *host());
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().kind, ErrorKind::internal);
  EXPECT_EQ(code.error().text, "wrap_phase: view ranks call for 14 arguments, the phase has 12");
}

TEST(Native, ThreadsCompileAtTheSameTime) {
  auto work = [] {
    for (int round = 0; round < 5; ++round) {
      NativeCode code = compile_for("", rms_norm_text(8));
      EXPECT_EQ(code.symbols.count("rms_norm"), 1u);
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}

TEST(Native, CompilesOnAThreadWithAStackOfItsOwn) {
  bool compiled = false;
  bool inner = false;
  // The outer thread stands for a caller with a small stack.
  ASSERT_TRUE(run_with_stack(64 << 10, [&] {
    inner = run_with_stack(8 << 20, [&] {
      compiled = compile_for("", rms_norm_text(8)).symbols.count("rms_norm") == 1;
    });
  }));
  EXPECT_TRUE(inner);
  EXPECT_TRUE(compiled);
}

} // namespace
} // namespace tilewright::native
