#include "measure/guarded_buffer.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace tilewright {
namespace {

std::uintptr_t address(const GuardedBuffer &buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST(GuardedBuffer, PaddedDataStandsAtTheOffset) {
  for (std::size_t offset : {0, 4, 64, 1000, 4092}) {
    GuardedBuffer buffer = GuardedBuffer::padded(300, offset);
    EXPECT_EQ(address(buffer) % 4096, offset);
    EXPECT_EQ(buffer.bytes(), 300u);
    EXPECT_EQ(buffer.span<float>().size(), 75u);
    buffer.fill_nan();
    for (float value : buffer.span<float>())
      EXPECT_TRUE(std::isnan(value));
    EXPECT_TRUE(buffer.guards_intact());
  }
}

TEST(GuardedBuffer, NoticesAnOverwriteOnEitherSide) {
  for (std::size_t distance : {1, 63, 2000}) {
    GuardedBuffer before = GuardedBuffer::padded(100, 64);
    before.data()[-std::ptrdiff_t(distance)] = std::byte(0);
    EXPECT_FALSE(before.guards_intact());
    EXPECT_EQ(before.guard_damage(),
              "byte " + std::to_string(distance) + " before the data was overwritten");
    GuardedBuffer after = GuardedBuffer::padded(100, 64);
    after.data()[100 + distance - 1] = std::byte(0);
    EXPECT_EQ(after.guard_damage(),
              "byte " + std::to_string(distance) + " after the data was overwritten");
  }
}

TEST(GuardedBuffer, PageModesTouchThePageBorder) {
  for (std::size_t bytes : {1, 260, 4096, 5000}) {
    GuardedBuffer end = GuardedBuffer::ends_at_page(bytes);
    EXPECT_EQ((address(end) + bytes) % GuardedBuffer::page(), 0u);
    GuardedBuffer begin = GuardedBuffer::begins_at_page(bytes);
    EXPECT_EQ(address(begin) % GuardedBuffer::page(), 0u);
    end.fill_nan();
    begin.fill_nan();
    EXPECT_TRUE(end.guards_intact());
    EXPECT_TRUE(begin.guards_intact());
  }
}

TEST(GuardedBuffer, PageModesGuardTheOtherSideWithBytes) {
  GuardedBuffer end = GuardedBuffer::ends_at_page(100);
  end.data()[-1] = std::byte(0);
  EXPECT_EQ(end.guard_damage(), "byte 1 before the data was overwritten");
  GuardedBuffer begin = GuardedBuffer::begins_at_page(100);
  begin.data()[100] = std::byte(0);
  EXPECT_EQ(begin.guard_damage(), "byte 1 after the data was overwritten");
}

using GuardedBufferDeathTest = ::testing::Test;

TEST(GuardedBufferDeathTest, AccessBesideTheDataFaults) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  GuardedBuffer end = GuardedBuffer::ends_at_page(100);
  volatile std::byte *behind = end.data() + 100;
  EXPECT_DEATH((void)*behind, "");
  GuardedBuffer begin = GuardedBuffer::begins_at_page(100);
  volatile std::byte *ahead = begin.data() - 1;
  EXPECT_DEATH((void)*ahead, "");
}

TEST(GuardedBuffer, EmptyBuffersAreHarmless) {
  GuardedBuffer padded = GuardedBuffer::padded(0, 64);
  padded.fill_nan();
  EXPECT_TRUE(padded.guards_intact());
  GuardedBuffer at_page = GuardedBuffer::ends_at_page(0);
  at_page.fill_nan();
  EXPECT_TRUE(at_page.guards_intact());
}

TEST(GuardedBuffer, Moves) {
  GuardedBuffer first = GuardedBuffer::padded(8);
  std::byte *data = first.data();
  GuardedBuffer second = std::move(first);
  EXPECT_EQ(second.data(), data);
  second = GuardedBuffer::padded(16);
  EXPECT_EQ(second.bytes(), 16u);
  EXPECT_TRUE(second.guards_intact());
}

} // namespace
} // namespace tilewright
