// The three bare loops, over any packet type. Included by the files that define one.
//
// A group is a set of streams of one size that advance together. The packet type gives:
//   bytes                    its size, a divisor of the cache line
//   load(p), store(p, v)     any alignment
//   store_nontemporal(p, v)  p aligned to `bytes`
#pragma once

#include "baseline/baseline.h"

#include <cstdint>
#include <xmmintrin.h>

namespace tilewright::baseline {
namespace { // every instruction set has its own copy

constexpr std::size_t line = 64;
constexpr std::size_t prefetch_distance = 1024;

enum class StreamLoop { plain, prefetched, nontemporal };

struct StreamGroup {
  std::size_t bytes;
  const char *inputs[TW_STREAM_MAX_INPUTS];
  char *outputs[TW_STREAM_MAX_OUTPUTS];
};

/// Keeps a loaded packet alive without computing anything with it.
template <typename Vector>
[[gnu::always_inline]] inline void consume(Vector v) {
  asm volatile("" ::"x"(v));
}

/// Moves the packet at byte `at` of every stream of the group.
template <typename Packet, StreamLoop loop, int inputs, int outputs>
[[gnu::always_inline]] inline void move_packet(StreamGroup group, std::size_t at) {
  typename Packet::Vector first{};
#pragma GCC unroll 4
  for (int i = 0; i < inputs; ++i) {
    typename Packet::Vector loaded = Packet::load(group.inputs[i] + at);
    consume(loaded);
    if (i == 0)
      first = loaded;
  }
#pragma GCC unroll 2
  for (int o = 0; o < outputs; ++o) {
    if constexpr (loop == StreamLoop::nontemporal)
      Packet::store_nontemporal(group.outputs[o] + at, first);
    else
      Packet::store(group.outputs[o] + at, first);
  }
}

/// Moves streams that are shorter than a packet.
template <int inputs, int outputs>
void move_bytes(StreamGroup group) {
  for (std::size_t at = 0; at < group.bytes; ++at) {
    for (int i = 0; i < inputs; ++i)
      consume(int(group.inputs[i][at]));
    for (int o = 0; o < outputs; ++o)
      group.outputs[o][at] = inputs > 0 ? group.inputs[0][at] : char(0);
  }
}

/// The first and the last packet may overlap their neighbours, and are ordinary stores. Groups go
/// by value: no store can change the pointers, so they stay in registers.
template <typename Packet, StreamLoop loop, int inputs, int outputs>
void move_group(StreamGroup group) {
  if (group.bytes < Packet::bytes)
    return move_bytes<inputs, outputs>(group);
  std::size_t at = 0;
  if constexpr (outputs > 0 && loop == StreamLoop::nontemporal) {
    at = -reinterpret_cast<std::uintptr_t>(group.outputs[0]) % Packet::bytes;
    if (at > 0)
      move_packet<Packet, StreamLoop::plain, inputs, outputs>(group, 0);
  }
  constexpr std::size_t step = 2 * line;
  for (; at + step <= group.bytes; at += step) {
    if constexpr (loop != StreamLoop::plain)
      for (int i = 0; i < inputs; ++i)
        for (std::size_t ahead = 0; ahead < step; ahead += line)
          _mm_prefetch(group.inputs[i] + at + prefetch_distance + ahead, _MM_HINT_T0);
    for (std::size_t p = 0; p < step; p += Packet::bytes)
      move_packet<Packet, loop, inputs, outputs>(group, at + p);
  }
  for (; at + Packet::bytes <= group.bytes; at += Packet::bytes)
    move_packet<Packet, loop, inputs, outputs>(group, at);
  if (at < group.bytes)
    move_packet<Packet, StreamLoop::plain, inputs, outputs>(group, group.bytes - Packet::bytes);
}

/// Outputs of one group share an alignment, or take no non-temporal stores.
template <StreamLoop loop>
bool outputs_align(const StreamGroup &group, int outputs) {
  return loop != StreamLoop::nontemporal || outputs < 2 ||
         (reinterpret_cast<std::uintptr_t>(group.outputs[0]) -
          reinterpret_cast<std::uintptr_t>(group.outputs[1])) %
                 line ==
             0;
}

template <typename Packet, StreamLoop loop>
void move_group_of(const StreamGroup &group, int inputs, int outputs) {
  static_assert(TW_STREAM_MAX_INPUTS == 4 && TW_STREAM_MAX_OUTPUTS == 2);
  using Move = void (*)(StreamGroup);
#define TW_ROW(l, o)                                                                               \
  {                                                                                                \
    move_group<Packet, l, 0, o>, move_group<Packet, l, 1, o>, move_group<Packet, l, 2, o>,         \
        move_group<Packet, l, 3, o>, move_group<Packet, l, 4, o>                                   \
  }
  static constexpr Move moves[3][5] = {TW_ROW(loop, 0), TW_ROW(loop, 1), TW_ROW(loop, 2)};
  static constexpr Move temporal[5] = TW_ROW(StreamLoop::prefetched, 2);
#undef TW_ROW
  if (outputs_align<loop>(group, outputs))
    moves[outputs][inputs](group);
  else
    temporal[inputs](group);
}

/// Gathers the streams of `bytes` bytes.
inline StreamGroup group_of(const tw_stream_call *call, std::size_t bytes, int &inputs,
                            int &outputs) {
  StreamGroup group;
  group.bytes = bytes;
  inputs = outputs = 0;
  for (std::size_t i = 0; i < call->input_count; ++i)
    if (call->input_bytes[i] == bytes)
      group.inputs[inputs++] = static_cast<const char *>(call->inputs[i]);
  for (std::size_t o = 0; o < call->output_count; ++o)
    if (call->output_bytes[o] == bytes)
      group.outputs[outputs++] = static_cast<char *>(call->outputs[o]);
  return group;
}

/// The smallest size above `bytes`, zero if there is none.
inline std::size_t next_size(const tw_stream_call *call, std::size_t bytes) {
  std::size_t next = 0;
  auto consider = [&](std::size_t size) {
    if (size > bytes && (next == 0 || size < next))
      next = size;
  };
  for (std::size_t i = 0; i < call->input_count; ++i)
    consider(call->input_bytes[i]);
  for (std::size_t o = 0; o < call->output_count; ++o)
    consider(call->output_bytes[o]);
  return next;
}

/// Moves the groups, the largest streams last.
template <typename Packet, StreamLoop loop>
void move_streams(const tw_stream_call *call) {
  for (std::size_t bytes = 0; (bytes = next_size(call, bytes)) != 0;) {
    int inputs, outputs;
    StreamGroup group = group_of(call, bytes, inputs, outputs);
    move_group_of<Packet, loop>(group, inputs, outputs);
  }
  if constexpr (loop == StreamLoop::nontemporal)
    _mm_sfence();
}

} // namespace
} // namespace tilewright::baseline
