#include "baseline/baseline.h"
#include "measure/guarded_buffer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <span>

namespace tilewright {
namespace {

std::span<const tw_stream_entry> loops() {
  std::size_t count = 0;
  const tw_stream_entry *entries = tw_stream_entries(&count);
  return {entries, count};
}

GuardedBuffer input(std::size_t bytes, std::size_t number) {
  GuardedBuffer buffer = GuardedBuffer::ends_at_page(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    buffer.data()[i] = std::byte(1 + (i * 7 + number) % 250);
  return buffer;
}

void expect_streams(const tw_stream_entry &loop, std::vector<std::size_t> input_bytes,
                    std::vector<std::size_t> output_bytes) {
  tw_stream_call call{};
  std::vector<GuardedBuffer> inputs, outputs;
  for (std::size_t bytes : input_bytes) {
    inputs.push_back(input(bytes, inputs.size()));
    call.inputs[call.input_count] = inputs.back().data();
    call.input_bytes[call.input_count++] = bytes;
  }
  for (std::size_t bytes : output_bytes) {
    outputs.push_back(GuardedBuffer::padded(bytes, 4 + 64 * outputs.size()));
    outputs.back().fill_nan();
    call.outputs[call.output_count] = outputs.back().data();
    call.output_bytes[call.output_count++] = bytes;
  }
  loop.run(&call);
  for (const GuardedBuffer &output : outputs) {
    auto source = std::ranges::find(input_bytes, output.bytes());
    const std::byte *begin = output.data(), *end = begin + output.bytes();
    if (source == input_bytes.end())
      EXPECT_EQ(std::count(begin, end, std::byte(0)), std::ptrdiff_t(output.bytes()));
    else
      EXPECT_TRUE(std::equal(begin, end, inputs[source - input_bytes.begin()].data()));
    EXPECT_EQ(output.guard_damage(), "");
  }
}

TEST(Stream, EveryLoopStoresEveryOutput) {
  for (const tw_stream_entry &loop : loops()) {
    SCOPED_TRACE(loop.variant);
    ASSERT_TRUE(tw_cpu_supports(loop.requires_));
    for (std::size_t bytes : {1, 4, 31, 32, 33, 63, 64, 65, 128, 260, 4420, 70000})
      expect_streams(loop, {bytes}, {bytes});
    expect_streams(loop, {4420, 260}, {4420});
    expect_streams(loop, {4420, 260, 260}, {4420});
    expect_streams(loop, {1000, 1000, 250, 250}, {1000, 250});
    expect_streams(loop, {1000, 1000, 1000, 1000}, {1000, 1000});
    expect_streams(loop, {}, {1000, 1000});
    expect_streams(loop, {1000}, {});
    expect_streams(loop, {0, 12}, {0});
  }
}

TEST(CpuSupports, ListsOfFeatures) {
  EXPECT_TRUE(tw_cpu_supports(""));
  EXPECT_FALSE(tw_cpu_supports("telepathy"));
  EXPECT_EQ(tw_cpu_supports("avx2+fma"), tw_cpu_supports("fma+avx2"));
  EXPECT_FALSE(tw_cpu_supports("avx2+telepathy"));
}

} // namespace
} // namespace tilewright
