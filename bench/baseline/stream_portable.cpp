// For CPUs without a loop of their own: whatever the compiler makes of plain loops.
#include "baseline/baseline.h"

#include <cstring>

namespace {

void load_all(const unsigned char *data, size_t bytes) {
  uint64_t mixed = 0;
  for (size_t i = 0; i < bytes; ++i)
    mixed |= data[i];
  asm volatile("" ::"r"(mixed));
}

} // namespace

extern "C" void tw_stream_plain_portable(const tw_stream_call *call) {
  bool copied[TW_STREAM_MAX_INPUTS] = {};
  for (size_t o = 0; o < call->output_count; ++o) {
    size_t i = 0;
    while (i < call->input_count && call->input_bytes[i] != call->output_bytes[o])
      ++i;
    if (i < call->input_count) {
      std::memcpy(call->outputs[o], call->inputs[i], call->output_bytes[o]);
      copied[i] = true;
    } else {
      std::memset(call->outputs[o], 0, call->output_bytes[o]);
    }
  }
  for (size_t i = 0; i < call->input_count; ++i)
    if (!copied[i])
      load_all(static_cast<const unsigned char *>(call->inputs[i]), call->input_bytes[i]);
}
