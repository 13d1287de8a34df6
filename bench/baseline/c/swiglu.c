#include "baseline/baseline.h"

#include <math.h>

void tw_swiglu_c(const tw_baseline_call *call) {
  const float *restrict a = call->inputs[0], *restrict b = call->inputs[1];
  float *restrict y = call->outputs[0];
  for (int64_t i = 0; i < call->rows * call->cols; ++i)
    y[i] = a[i] / (1.0f + expf(-a[i])) * b[i];
}
