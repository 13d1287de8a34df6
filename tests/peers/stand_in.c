/* Stands in for the code of another compiler: y = x * 2 + bias in two steps. */
#include <stdint.h>

void twice(const float *x, float *doubled, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    doubled[i] = 2 * x[i];
}

void add(const float *doubled, const float *bias, float *y, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    y[i] = doubled[i] + bias[i];
}
