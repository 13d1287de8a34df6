#include "sample_kernels.h"

namespace tilewright::plan {

SampleKernel::SampleKernel(std::string name, int64_t columns) {
  kernel.name = std::move(name);
  kernel.axes = {{"r", dynamic_extent, 0, 0}, {"c", columns, 0, 1}};
  kernel.root_axes = {0};
}

int SampleKernel::add_matrix(const std::string &name) {
  ViewSummary view;
  view.name = name;
  view.extents = {dynamic_extent, kernel.axes[1].extent};
  view.unit_dim = 1;
  view.packed = true;
  kernel.views.push_back(view);
  return static_cast<int>(kernel.views.size()) - 1;
}

int SampleKernel::add_vector(const std::string &name) {
  int view = add_matrix(name);
  kernel.views[view].extents = {kernel.axes[1].extent};
  kernel.views[view].unit_dim = 0;
  return view;
}

int SampleKernel::add_double_matrix(const std::string &name) {
  int view = add_matrix(name);
  int64_t &extent = kernel.views[view].extents[1];
  extent = extent == dynamic_extent ? dynamic_extent : 2 * extent;
  return view;
}

int SampleKernel::add_column(const std::string &name) {
  int view = add_vector(name);
  kernel.views[view].extents = {dynamic_extent};
  return view;
}

int SampleKernel::add(OpSummary op) {
  op.line = 10 + static_cast<int>(kernel.ops.size());
  if (op.kind == OpKind::load)
    kernel.views[op.view].loaded = true;
  if (op.kind == OpKind::store)
    kernel.views[op.view].stored = true;
  if (op.view >= 0)
    op.element_bytes = kernel.views[op.view].element_bytes;
  kernel.ops.push_back(op);
  return static_cast<int>(kernel.ops.size()) - 1;
}

int SampleKernel::load(int view) {
  OpSummary op;
  op.kind = OpKind::load;
  op.axes = {1};
  op.view = view;
  if (kernel.views[view].extents.size() == 2)
    op.indices = {~0, 1};
  else
    op.indices = {1};
  return add(op);
}

int SampleKernel::store(int view, int value) {
  OpSummary op;
  op.kind = OpKind::store;
  op.axes = {1};
  op.inputs = {value};
  op.view = view;
  op.indices = {~0, 1};
  return add(op);
}

int SampleKernel::map(std::vector<int> inputs, std::vector<int> after, OpCounts counts) {
  OpSummary op;
  op.kind = OpKind::map;
  op.axes = {1};
  op.inputs = std::move(inputs);
  op.after = std::move(after);
  op.counts = counts;
  return add(op);
}

int SampleKernel::reduce(int input, std::vector<int> after) {
  OpSummary op;
  op.kind = OpKind::reduce;
  op.axes = {1};
  op.inputs = {input};
  op.after = std::move(after);
  op.slots = 64;
  op.counts.simple = 1;
  return add(op);
}

int SampleKernel::load_block(int view, int64_t origin, bool tested) {
  int op = load(view);
  kernel.ops[op].block = BlockSummary{{origin, {}}, tested};
  return op;
}

int SampleKernel::store_block(int view, int64_t origin, int value, bool tested) {
  int op = store(view, value);
  kernel.ops[op].block = BlockSummary{{origin, {}}, tested};
  return op;
}

int SampleKernel::load_scalar(int view) {
  OpSummary op;
  op.kind = OpKind::load;
  op.view = view;
  op.indices = {~0};
  return add(op);
}

int SampleKernel::store_scalar(int view, std::vector<int> after) {
  OpSummary op;
  op.kind = OpKind::store;
  op.view = view;
  op.indices = {~0};
  op.after = std::move(after);
  return add(op);
}

KernelSummary copy_kernel(int64_t columns) {
  SampleKernel sample("copy", columns);
  int x = sample.add_matrix("x"), y = sample.add_matrix("y");
  sample.store(y, sample.load(x));
  return sample.kernel;
}

KernelSummary double_in_place(int64_t columns) {
  SampleKernel sample("double_in_place", columns);
  int x = sample.add_matrix("x");
  int loaded = sample.load(x);
  sample.store(x, sample.map({loaded}));
  return sample.kernel;
}

KernelSummary swiglu(int64_t columns) {
  SampleKernel sample("swiglu", columns);
  int a = sample.add_matrix("a"), b = sample.add_matrix("b"), y = sample.add_matrix("y");
  int left = sample.load(a), right = sample.load(b);
  sample.store(y, sample.map({left, right}, {}, {3, 1, 0, 1}));
  return sample.kernel;
}

KernelSummary rms_norm(int64_t columns) {
  SampleKernel sample("rms_norm", columns);
  int x = sample.add_matrix("x"), gamma = sample.add_vector("gamma"), y = sample.add_matrix("y");
  int v = sample.load(x);
  int sum = sample.reduce(v);
  int g = sample.load(gamma);
  sample.store(y, sample.map({v, g}, {sum}, {2, 0, 0, 0}));
  return sample.kernel;
}

KernelSummary layer_norm(int64_t columns) {
  SampleKernel sample("layer_norm", columns);
  int x = sample.add_matrix("x"), gamma = sample.add_vector("gamma"), y = sample.add_matrix("y");
  int v = sample.load(x);
  int centred = sample.map({v}, {sample.reduce(v)});
  int squares = sample.reduce(centred);
  int g = sample.load(gamma);
  sample.store(y, sample.map({centred, g}, {squares}, {2, 0, 0, 0}));
  return sample.kernel;
}

KernelSummary masked_softmax(int64_t columns) {
  SampleKernel sample("masked_softmax", columns);
  int scores = sample.add_matrix("scores"), mask = sample.add_matrix("mask");
  int y = sample.add_matrix("y");
  sample.kernel.views[mask].element_bytes = 1;
  int s = sample.load(scores), m = sample.load(mask);
  int selected = sample.map({s, m});
  int largest = sample.reduce(selected);
  int e = sample.map({selected}, {largest}, {2, 0, 0, 1});
  int sum = sample.reduce(e);
  sample.store(y, sample.map({e}, {sum}));
  return sample.kernel;
}

KernelSummary row_stats(int64_t columns) {
  SampleKernel sample("row_stats", columns);
  int x = sample.add_matrix("x"), sums = sample.add_column("sums");
  int largest = sample.add_column("largest");
  int v = sample.load(x);
  sample.store_scalar(sums, {sample.reduce(v)});
  sample.store_scalar(largest, {sample.reduce(v)});
  return sample.kernel;
}

namespace {

void add_rotation(SampleKernel &sample, int x, int y, int64_t half) {
  int c = sample.add_matrix("c"), s = sample.add_matrix("s");
  int x1 = sample.load_block(x, 0), x2 = sample.load_block(x, half);
  int cosine = sample.load(c), sine = sample.load(s);
  sample.store_block(y, 0, sample.map({x1, x2, cosine, sine}));
  sample.store_block(y, half, sample.map({x2, x1, cosine, sine}));
}

} // namespace

KernelSummary rope(int64_t half) {
  SampleKernel sample("rope", half);
  int x = sample.add_double_matrix("x"), y = sample.add_double_matrix("y");
  add_rotation(sample, x, y, half);
  return sample.kernel;
}

KernelSummary rope_in_place(int64_t half) {
  SampleKernel sample("rope_in_place", half);
  int x = sample.add_double_matrix("x");
  add_rotation(sample, x, x, half);
  return sample.kernel;
}

KernelSummary copy_column() {
  SampleKernel sample("copy_column", 1);
  int x = sample.add_column("x"), y = sample.add_column("y");
  sample.store_scalar(y, {sample.load_scalar(x)});
  return sample.kernel;
}

MachineSummary avx2_machine() {
  MachineSummary machine;
  machine.isa = "x86-64-v3";
  return machine;
}

MachineSummary avx512_machine() {
  MachineSummary machine;
  machine.isa = "x86-64-v4";
  machine.register_bytes = 64;
  machine.vector_registers = 32;
  machine.cheap_masked_stores = true;
  return machine;
}

MachineSummary sse2_machine() {
  MachineSummary machine;
  machine.isa = "x86-64-v2";
  machine.register_bytes = 16;
  machine.masked_stores = false;
  machine.fma = false;
  return machine;
}

std::vector<KernelSummary> sample_kernels(int64_t columns) {
  return {copy_kernel(columns),    double_in_place(columns), swiglu(columns), rms_norm(columns),
          masked_softmax(columns), row_stats(columns),       copy_column()};
}

} // namespace tilewright::plan
