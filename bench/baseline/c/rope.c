#include "baseline/baseline.h"

void tw_rope_c(const tw_baseline_call *call) {
  int64_t half = call->cols / 2;
  for (int64_t r = 0; r < call->rows; ++r) {
    const float *restrict x1 = (const float *)call->inputs[0] + r * call->cols;
    const float *restrict x2 = x1 + half;
    const float *restrict cosine = (const float *)call->inputs[1] + r * half;
    const float *restrict sine = (const float *)call->inputs[2] + r * half;
    float *restrict y1 = (float *)call->outputs[0] + r * call->cols;
    float *restrict y2 = y1 + half;
    for (int64_t c = 0; c < half; ++c) {
      y1[c] = x1[c] * cosine[c] - x2[c] * sine[c];
      y2[c] = x2[c] * cosine[c] + x1[c] * sine[c];
    }
  }
}
