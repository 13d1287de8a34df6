// What this library holds: the only list of its kernels and loops.
#include "baseline/baseline.h"

#include <vector>

#define TW_C_FAMILIES(X)                                                                           \
  X(rms_norm) X(layer_norm) X(masked_softmax) X(swiglu) X(gelu_residual) X(rope)
#define TW_AVX2_FAMILIES(X)                                                                        \
  X(rms_norm) X(layer_norm) X(masked_softmax) X(swiglu) X(gelu_residual) X(rope)
#define TW_AVX512_FAMILIES(X) TW_AVX2_FAMILIES(X)

#define TW_AVX2 "avx2+fma"
#define TW_AVX512 "avx512f+avx512bw+avx512dq+avx512vl"

extern "C" {
#define X(family) void tw_##family##_c(const tw_baseline_call *);
TW_C_FAMILIES(X)
#undef X
#define X(family) void tw_##family##_avx2(const tw_baseline_call *);
TW_AVX2_FAMILIES(X)
#undef X
#define X(family) void tw_##family##_avx512(const tw_baseline_call *);
TW_AVX512_FAMILIES(X)
#undef X
void tw_stream_plain_portable(const tw_stream_call *);
void tw_stream_plain_avx2(const tw_stream_call *);
void tw_stream_prefetched_avx2(const tw_stream_call *);
void tw_stream_nontemporal_avx2(const tw_stream_call *);
void tw_stream_plain_avx512(const tw_stream_call *);
void tw_stream_prefetched_avx512(const tw_stream_call *);
void tw_stream_nontemporal_avx512(const tw_stream_call *);
}

extern "C" const tw_baseline_entry *tw_baseline_entries(size_t *count) {
  static const tw_baseline_entry entries[] = {
#define X(family) {#family, "c", "", tw_##family##_c},
      TW_C_FAMILIES(X)
#undef X
#if defined(__x86_64__)
#define X(family) {#family, "avx2", TW_AVX2, tw_##family##_avx2},
          TW_AVX2_FAMILIES(X)
#undef X
#define X(family) {#family, "avx512", TW_AVX512, tw_##family##_avx512},
              TW_AVX512_FAMILIES(X)
#undef X
#endif
  };
  *count = sizeof entries / sizeof *entries;
  return entries;
}

extern "C" const tw_stream_entry *tw_stream_entries(size_t *count) {
  static const tw_stream_entry portable[] = {{"plain", "", tw_stream_plain_portable}};
#if defined(__x86_64__)
  static const tw_stream_entry avx2[] = {
      {"plain", TW_AVX2, tw_stream_plain_avx2},
      {"prefetched", TW_AVX2, tw_stream_prefetched_avx2},
      {"nontemporal", TW_AVX2, tw_stream_nontemporal_avx2},
  };
  static const tw_stream_entry avx512[] = {
      {"plain", TW_AVX512, tw_stream_plain_avx512},
      {"prefetched", TW_AVX512, tw_stream_prefetched_avx512},
      {"nontemporal", TW_AVX512, tw_stream_nontemporal_avx512},
  };
  if (tw_cpu_supports(TW_AVX512))
    return *count = 3, avx512;
  if (tw_cpu_supports(TW_AVX2))
    return *count = 3, avx2;
#endif
  return *count = 1, portable;
}
