// Smaller programs that might still fail.
#include <algorithm>

#include "program.h"

namespace tilewright::fuzz {

namespace {

/// The program without the op; its uses take `stand_in`, or go with it when that is negative.
Program without(const Program &program, int op, int stand_in) {
  Program smaller = program;
  std::vector<int> renamed(program.ops.size());
  std::vector<Op> kept;
  for (int i = 0; i < static_cast<int>(program.ops.size()); ++i) {
    Op copy = program.ops[i];
    bool lost = i == op;
    auto rename = [&](std::vector<int> &uses) {
      for (int &use : uses) {
        lost = lost || renamed[use] < 0;
        use = renamed[use];
      }
    };
    rename(copy.inputs);
    rename(copy.scalars);
    if (i == op && stand_in >= 0) {
      renamed[i] = renamed[stand_in];
    } else if (lost) {
      renamed[i] = -1;
    } else {
      renamed[i] = static_cast<int>(kept.size());
      kept.push_back(copy);
    }
  }
  smaller.ops = kept;
  return smaller;
}

bool stores(const Program &program) {
  return std::any_of(program.ops.begin(), program.ops.end(),
                     [](const Op &op) { return op.kind == OpKind::store; });
}

} // namespace

std::vector<Program> smaller(const Program &program) {
  std::vector<Program> candidates;
  auto add = [&](Program candidate) {
    if (stores(candidate))
      candidates.push_back(std::move(candidate));
  };
  for (int op = static_cast<int>(program.ops.size()); op-- > 0;) {
    add(without(program, op, -1));
    for (int earlier = 0; earlier < op && program.ops[op].kind != OpKind::store; ++earlier)
      if (program.ops[earlier].kind != OpKind::store &&
          program.is_tile(earlier) == program.is_tile(op))
        add(without(program, op, earlier));
  }
  for (size_t axis = 0; axis < program.extents.size(); ++axis)
    for (int64_t extent :
         {int64_t(1), int64_t(2), program.extents[axis] / 2, program.extents[axis] - 1})
      if (extent > 0 && extent < program.extents[axis]) {
        Program fewer = program;
        fewer.extents[axis] = extent;
        // Packed views stay packed: their strides follow the extents.
        for (View &view : fewer.views) {
          int64_t behind = 1;
          for (size_t dim = view.axes.size(); view.packed && dim-- > 0;) {
            view.strides[dim] = behind;
            behind *= fewer.extent(view, dim);
          }
        }
        add(fewer);
      }
  for (size_t op = 0; op < program.ops.size(); ++op) {
    const std::optional<Block> &block = program.ops[op].block;
    if (!block)
      continue;
    Program simpler = program;
    if (program.views[program.ops[op].view].wider == 0) {
      simpler.ops[op].block.reset();
      add(simpler);
    }
    if (block->per_program != 0 || !block->fill.empty()) {
      simpler.ops[op].block = Block{block->constant, 0, false, ""};
      add(simpler);
    }
    if (block->constant != 0) {
      simpler.ops[op].block = Block{block->constant / 2, 0, false, ""};
      add(simpler);
    }
  }
  for (size_t op = 0; op < program.ops.size(); ++op)
    if (program.ops[op].steps.size() > 1) {
      Program shorter = program;
      shorter.ops[op].steps.pop_back();
      add(shorter);
    }
  if (program.contract) {
    Program plain = program;
    plain.contract = false;
    add(plain);
  }
  if (program.dynamic_roots) {
    Program fixed = program;
    fixed.dynamic_roots = false;
    add(fixed);
  }
  return candidates;
}

} // namespace tilewright::fuzz
