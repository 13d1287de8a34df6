#include "baseline/baseline.h"

#include <math.h>

void tw_gelu_residual_c(const tw_baseline_call *call) {
  const float *restrict x = call->inputs[0], *restrict residual = call->inputs[1];
  float *restrict y = call->outputs[0];
  for (int64_t i = 0; i < call->rows * call->cols; ++i)
    y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f)) + residual[i];
}
