#include "baseline/baseline.h"

#include <float.h>
#include <math.h>

/* -Ofast knows no infinity, so a masked score is −FLT_MAX, of which the exponential is zero. */
void tw_masked_softmax_c(const tw_baseline_call *call) {
  for (int64_t r = 0; r < call->rows; ++r) {
    const float *restrict scores = (const float *)call->inputs[0] + r * call->cols;
    const uint8_t *restrict mask = (const uint8_t *)call->inputs[1] + r * call->cols;
    float *restrict y = (float *)call->outputs[0] + r * call->cols;
    float maximum = -FLT_MAX, sum = 0;
    for (int64_t c = 0; c < call->cols; ++c) {
      float score = mask[c] ? scores[c] : -FLT_MAX;
      maximum = score > maximum ? score : maximum;
    }
    for (int64_t c = 0; c < call->cols; ++c) {
      float e = mask[c] ? expf(scores[c] - maximum) : 0.0f;
      y[c] = e;
      sum += e;
    }
    float scale = sum > 0 ? 1.0f / sum : 0.0f;
    for (int64_t c = 0; c < call->cols; ++c)
      y[c] *= scale;
  }
}
