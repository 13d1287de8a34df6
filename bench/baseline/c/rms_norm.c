#include "baseline/baseline.h"

#include <math.h>

void tw_rms_norm_c(const tw_baseline_call *call) {
  const float *restrict gamma = call->inputs[1];
  for (int64_t r = 0; r < call->rows; ++r) {
    const float *restrict x = (const float *)call->inputs[0] + r * call->cols;
    float *restrict y = (float *)call->outputs[0] + r * call->cols;
    float squares = 0;
    for (int64_t c = 0; c < call->cols; ++c)
      squares += x[c] * x[c];
    float scale = 1.0f / sqrtf(squares / (float)call->cols + call->eps);
    for (int64_t c = 0; c < call->cols; ++c)
      y[c] = x[c] * scale * gamma[c];
  }
}
