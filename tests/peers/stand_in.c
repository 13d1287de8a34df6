/* Stands in for the code of another compiler: y = x * 2 + bias in two steps. */
#include <stdint.h>

static int threads;

/* What OpenMP's library has. */
void omp_set_num_threads(int count) { threads = count; }

void fill_with_threads(float *y, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    y[i] = (float)threads;
}

void twice(const float *x, float *doubled, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    doubled[i] = 2 * x[i];
}

void add(const float *doubled, const float *bias, float *y, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    y[i] = doubled[i] + bias[i];
}
