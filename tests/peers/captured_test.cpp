#include "peers/captured.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace tilewright::peers {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// A capture of the stand-in library in a folder of its own, on arrays of three floats.
class CapturedTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::copy(STAND_IN_LIBRARY, folder_ / "stand_in.so");
    manifest_ = {{"format", 1},
                 {"threads", 7},
                 {"files", {{"stand_in.so", hash_file(folder_ / "stand_in.so")}}},
                 {"outside", Json::array()},
                 {"load_first", Json::array()},
                 {"buffers",
                  {{{"name", "x"}, {"kind", "input"}, {"bytes", 12}},
                   {{"name", "doubled"}, {"kind", "scratch"}, {"bytes", 12}},
                   {{"name", "bias"}, {"kind", "input"}, {"bytes", 12}},
                   {{"name", "y"}, {"kind", "output"}, {"bytes", 12}}}},
                 {"steps",
                  {step("twice", {pointer(0), pointer(1), {{"integer", 3}}}),
                   step("add", {pointer(1), pointer(2), pointer(3), {{"integer", 3}}})}}};
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Json pointer(int buffer, int offset = 0) {
    return {{"buffer", buffer}, {"offset", offset}};
  }

  static Json step(const std::string &symbol, const Json &arguments) {
    return {{"library", "stand_in.so"}, {"symbol", symbol}, {"arguments", arguments}};
  }

  Result<Captured> load() {
    std::ofstream(folder_ / "manifest.json") << manifest_.dump();
    return Captured::load(folder_, memory_);
  }

  /// The reason for which loading fails.
  std::string refusal() {
    Result<Captured> captured = load();
    return captured ? "" : captured.error().text;
  }

  std::filesystem::path folder_;
  Json manifest_;
  std::vector<float> x_{1, 2, 3}, bias_{10, 20, 30}, y_{0, 0, 0};
  std::vector<Memory> memory_{
      {"x", x_.data(), 12, false}, {"bias", bias_.data(), 12, false}, {"y", y_.data(), 12, true}};
};

TEST_F(CapturedTest, RunsItsStepsThroughScratch) {
  Result<Captured> captured = load();
  ASSERT_TRUE(captured) << captured.error().text;
  captured->run(1);
  EXPECT_THAT(y_, ElementsAre(12, 24, 36));
  EXPECT_THAT(x_, ElementsAre(1, 2, 3));
  y_.assign(3, 0);
  captured->run(0);
  EXPECT_THAT(y_, ElementsAre(0, 0, 0));
}

TEST_F(CapturedTest, PassesOffsetsOn) {
  manifest_["steps"][1] = step("add", {pointer(1), pointer(2), pointer(3, 4), {{"integer", 2}}});
  Result<Captured> captured = load();
  ASSERT_TRUE(captured) << captured.error().text;
  captured->run(1);
  EXPECT_THAT(y_, ElementsAre(0, 12, 24));
}

TEST_F(CapturedTest, AsksOpenMpForTheThreadsOfTheCapture) {
  manifest_["steps"].push_back(step("fill_with_threads", {pointer(3), {{"integer", 3}}}));
  Result<Captured> captured = load();
  ASSERT_TRUE(captured) << captured.error().text;
  captured->run(1);
  EXPECT_THAT(y_, ElementsAre(7, 7, 7));
}

TEST_F(CapturedTest, RefusesAChangedFile) {
  std::ofstream(folder_ / "stand_in.so", std::ios::app) << "x";
  EXPECT_THAT(refusal(), HasSubstr("stand_in.so was changed after the capture"));
}

TEST_F(CapturedTest, RefusesAMissingFile) {
  manifest_["files"]["kernel.cpp"] = "00";
  EXPECT_THAT(refusal(), HasSubstr("kernel.cpp is missing"));
}

TEST_F(CapturedTest, RefusesALibraryThatIsNotHashed) {
  manifest_["files"] = Json::object();
  EXPECT_THAT(refusal(), HasSubstr("stand_in.so is not among the files of its manifest"));
}

TEST_F(CapturedTest, LoadsAnOutsideLibraryOnlyAsItWas) {
  const std::string path = folder_ / "stand_in.so";
  manifest_["outside"] = {{{"path", path}, {"sha256", hash_file(path)}}};
  EXPECT_EQ(refusal(), "");
  manifest_["outside"][0]["sha256"] = "00";
  EXPECT_THAT(refusal(), HasSubstr("is not the library that it was captured with"));
}

TEST_F(CapturedTest, RefusesArgumentsThatAreNotTheCases) {
  memory_[1].bytes = 16;
  EXPECT_THAT(refusal(), HasSubstr("its input bias has 12 bytes, and the case's 16"));
  memory_[1] = {"gamma", bias_.data(), 12, false};
  EXPECT_THAT(refusal(), HasSubstr("the case has no input bias"));
  memory_[1] = {"bias", bias_.data(), 12, true};
  EXPECT_THAT(refusal(), HasSubstr("the case has no input bias"));
  memory_[1] = {"bias", bias_.data(), 12, false};
  memory_.push_back({"beta", bias_.data(), 12, false});
  EXPECT_THAT(refusal(), HasSubstr("it uses 3 of the case's 4 arguments"));
}

TEST_F(CapturedTest, RefusesAnUnknownFunction) {
  manifest_["steps"][0]["symbol"] = "thrice";
  EXPECT_THAT(refusal(), HasSubstr("stand_in.so has no function thrice"));
}

TEST_F(CapturedTest, RefusesMoreArgumentsThanItPasses) {
  for (int i = 0; i < 16; ++i)
    manifest_["steps"][0]["arguments"].push_back({{"integer", i}});
  EXPECT_THAT(refusal(), HasSubstr("twice has 19 arguments"));
}

TEST_F(CapturedTest, RefusesAnOffsetOutsideItsBuffer) {
  manifest_["steps"][0]["arguments"][1] = pointer(1, 13);
  EXPECT_THAT(refusal(), HasSubstr("there is no byte 13 of buffer 1"));
  manifest_["steps"][0]["arguments"][1] = pointer(4);
  EXPECT_THAT(refusal(), HasSubstr("there is no byte 0 of buffer 4"));
}

TEST_F(CapturedTest, RefusesAnotherFormat) {
  manifest_["format"] = 2;
  EXPECT_THAT(refusal(), HasSubstr("its manifest is of format 2, not 1"));
}

TEST_F(CapturedTest, RefusesWhatIsNoManifest) {
  std::ofstream(folder_ / "manifest.json") << "{";
  Result<Captured> captured = Captured::load(folder_, memory_);
  ASSERT_FALSE(captured);
  EXPECT_THAT(captured.error().text, HasSubstr("manifest.json is not a manifest"));
}

TEST_F(CapturedTest, RefusesAFolderWithoutManifest) {
  Result<Captured> captured = Captured::load(folder_, memory_);
  ASSERT_FALSE(captured);
  EXPECT_THAT(captured.error().text, HasSubstr("it has no manifest.json"));
}

TEST(HashFile, IsSha256) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "abc";
  std::ofstream(path) << "abc";
  EXPECT_EQ(hash_file(path), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_file(path.string() + ".missing"), "");
  std::filesystem::remove(path);
}

} // namespace
} // namespace tilewright::peers
