// Summaries of typical kernels, written by hand. All views are packed f32 unless changed.
#pragma once

#include "plan/plan.h"
#include "plan/summary.h"

namespace tilewright::plan {

/// Builds a summary of a kernel with one root axis "r" (axis 0) and one lane axis "c" (axis 1).
class SampleKernel {
public:
  SampleKernel(std::string name, int64_t columns);

  /// A view over [r, c], packed.
  int add_matrix(const std::string &name);
  /// A view over [c], packed.
  int add_vector(const std::string &name);
  /// A view over [r] and two rows of c beside each other, packed.
  int add_double_matrix(const std::string &name);
  /// A view over [r], packed.
  int add_column(const std::string &name);

  int load(int view);
  int store(int view, int value);
  int map(std::vector<int> inputs, std::vector<int> after = {}, OpCounts counts = {1, 0, 0, 0});
  int reduce(int input, std::vector<int> after = {});
  /// Of a block of the matrix's rows.
  int load_block(int view, int64_t origin, bool tested = false);
  int store_block(int view, int64_t origin, int value, bool tested = false);
  int load_scalar(int view);
  int store_scalar(int view, std::vector<int> after);

  KernelSummary kernel;

private:
  int add(OpSummary op);
};

KernelSummary copy_kernel(int64_t columns);     ///< 0 load, 1 store
KernelSummary double_in_place(int64_t columns); ///< 0 load x, 1 map, 2 store x
KernelSummary swiglu(int64_t columns);   ///< 0 load a, 1 load b, 2 map (exp, divide), 3 store
KernelSummary rms_norm(int64_t columns); ///< 0 load x, 1 reduce, 2 load gamma, 3 map, 4 store
/// 0 load x, 1 reduce, 2 map, 3 reduce, 4 load gamma, 5 map, 6 store
KernelSummary layer_norm(int64_t columns);
/// 0 load scores, 1 load mask, 2 map, 3 reduce, 4 map (exp), 5 reduce, 6 map, 7 store
KernelSummary masked_softmax(int64_t columns);
/// 0 load x, 1 reduce, 2 store scalar, 3 reduce, 4 store scalar
KernelSummary row_stats(int64_t columns);
/// 0, 1 load the halves of x, 2 load c, 3 load s, 4 map, 5 store the first half of y, 6 map, 7
/// store the second half
KernelSummary rope(int64_t half);
/// As rope, on the halves of one view.
KernelSummary rope_in_place(int64_t half);
/// 0 load scalar, 1 store scalar: no tile op
KernelSummary copy_column();

MachineSummary avx2_machine();
MachineSummary avx512_machine();
MachineSummary sse2_machine();

/// All sample kernels at a number of columns.
std::vector<KernelSummary> sample_kernels(int64_t columns);

} // namespace tilewright::plan
