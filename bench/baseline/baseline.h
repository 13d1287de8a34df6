/* The yardsticks: fixed kernels to hold compiled ones against. Plain C interface.
 *
 * All tensors are contiguous and row-major: `rows` by `cols` f32 unless said otherwise, and outputs
 * overlap no input. No function allocates, and none touches a byte outside its tensors.
 *
 *   family          inputs                                      outputs
 *   rms_norm        x, gamma[cols]                              y
 *   layer_norm      x, gamma[cols], beta[cols]                  y
 *   masked_softmax  scores, mask (one byte per bool, 0 or 1)    y
 *   swiglu          a, b                                        y
 *   gelu_residual   x, r                                        y
 *   rope            x, cos[rows, cols/2], sin[rows, cols/2]     y        (cols is even)
 */
#ifndef TILEWRIGHT_BASELINE_H
#define TILEWRIGHT_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_BASELINE_EPS 1e-6f

typedef struct tw_baseline_call {
  const void *inputs[3];
  void *outputs[1];
  int64_t rows, cols;
  float eps; /* read by rms_norm and layer_norm alone */
} tw_baseline_call;

typedef void (*tw_baseline_function)(const tw_baseline_call *);

typedef struct tw_baseline_entry {
  const char *family;    /* as above */
  const char *variant;   /* "c", "avx2", "avx512" */
  const char *requires_; /* CPU features, joined by '+'; empty for any CPU */
  tw_baseline_function run;
} tw_baseline_entry;

/* Every kernel built into this library, those that this CPU cannot run included. */
const tw_baseline_entry *tw_baseline_entries(size_t *count);

/* Whether this CPU has every feature in a list like "avx2+fma". Unknown names are not there. */
int tw_cpu_supports(const char *features);

/* Loads every input once and stores every output once: what the memory alone costs.
 * Streams of equal size advance together. An output receives the bytes of the first input of its
 * size, or zeros when there is none. No alignment is required. */
enum { TW_STREAM_MAX_INPUTS = 4, TW_STREAM_MAX_OUTPUTS = 2 };

typedef struct tw_stream_call {
  const void *inputs[TW_STREAM_MAX_INPUTS];
  size_t input_bytes[TW_STREAM_MAX_INPUTS];
  size_t input_count;
  void *outputs[TW_STREAM_MAX_OUTPUTS];
  size_t output_bytes[TW_STREAM_MAX_OUTPUTS];
  size_t output_count;
} tw_stream_call;

typedef void (*tw_stream_function)(const tw_stream_call *);

typedef struct tw_stream_entry {
  const char *variant;   /* "plain", "prefetched", "nontemporal" */
  const char *requires_; /* as above */
  tw_stream_function run;
} tw_stream_entry;

/* The loops that this CPU runs best, three of them on x86-64. The fastest is "stream". */
const tw_stream_entry *tw_stream_entries(size_t *count);

#ifdef __cplusplus
}
#endif

#endif
