// Runs plans on plain memory, a few programs, as `lower` is to run them, against program order:
// whenever the plan's guard pairs hold for where the views lie, memory ends the same.
#include <map>
#include <random>

#include "plan/declared_plans.h"
#include "plan/effects.h"
#include "plan/facts.h"
#include "sample_kernels.h"
#include "gtest/gtest.h"

namespace tilewright::plan {
namespace {

constexpr int64_t rows = 3;
constexpr int64_t columns = 21;
using Tile = std::vector<int64_t>;

class Executor {
public:
  Executor(const KernelSummary &kernel, std::vector<int64_t> offsets)
      : kernel_(kernel), offsets_(std::move(offsets)), memory_(400) {
    for (size_t i = 0; i < memory_.size(); ++i)
      memory_[i] = static_cast<int64_t>(i * i + 7);
  }

  std::vector<int64_t> run_in_program_order() {
    for (int64_t row = 0; row < rows; ++row)
      run_program_in_order(row);
    return memory_;
  }

  std::vector<int64_t> run(const Plan &plan) {
    std::vector<int> positions = scalar_positions(kernel_, plan);
    auto last_loop = static_cast<int>(plan.loops.size()) - 1;
    Program next = start(0);
    if (plan.overlap_programs)
      run_loop(plan, 0, next, nullptr);
    for (int64_t row = 0; row < rows; ++row) {
      Program program = plan.overlap_programs ? next : start(row);
      next = start(std::min(row + 1, rows - 1));
      for (int loop = 0; loop <= last_loop + 1; ++loop) {
        for (size_t op = 0; op < kernel_.ops.size(); ++op)
          if (positions[op] == loop)
            run_scalar(static_cast<int>(op), program);
        if (loop > last_loop || (loop == 0 && plan.overlap_programs))
          continue;
        bool overlap = plan.overlap_programs && loop == last_loop;
        run_loop(plan, loop, program, overlap ? &next : nullptr);
      }
    }
    return memory_;
  }

private:
  struct Program {
    int64_t row;
    std::vector<int64_t> scalars;
    std::map<std::pair<int, int64_t>, int64_t> kept;
  };

  struct Body {
    std::vector<int64_t> elements;
    std::map<int, Tile> tiles;
  };

  Program start(int64_t row) const { return {row, std::vector<int64_t>(kernel_.ops.size()), {}}; }

  /// Null where a block is outside of its view.
  int64_t *cell(const OpSummary &op, const Program &program, int64_t element) {
    bool by_row = op.indices.front() == std::optional(~0);
    int64_t row = is_scalar_access(op) ? 1 : kernel_.views[op.view].extents.back();
    int64_t position = origin_of(op).constant + element;
    if (op.block && op.block->tested && (position < 0 || position >= row))
      return nullptr;
    return &memory_[offsets_[op.view] + (by_row ? program.row * row : 0) + position];
  }

  int64_t read(const OpSummary &op, const Program &program, int64_t element) {
    const int64_t *from = cell(op, program, element);
    return from ? *from : -4;
  }

  void write(const OpSummary &op, const Program &program, int64_t element, int64_t value) {
    if (int64_t *to = cell(op, program, element))
      *to = value;
  }

  void run_program_in_order(int64_t row) {
    Program program = start(row);
    std::vector<Tile> tiles(kernel_.ops.size(), Tile(columns));
    for (size_t i = 0; i < kernel_.ops.size(); ++i) {
      const OpSummary &op = kernel_.ops[i];
      if (is_scalar_access(op)) {
        run_scalar(static_cast<int>(i), program);
        continue;
      }
      for (int64_t e = 0; e < columns; ++e) {
        int64_t value = op.kind == OpKind::load
                            ? read(op, program, e)
                            : compute(op, program, [&](int v) { return tiles[v][e]; });
        if (op.kind == OpKind::reduce)
          program.scalars[i] += value;
        tiles[i][e] = value;
      }
      if (op.kind == OpKind::store)
        for (int64_t e = 0; e < columns; ++e)
          write(op, program, e, tiles[i][e]);
    }
  }

  template <typename Get>
  static int64_t compute(const OpSummary &op, const Program &program, Get get) {
    int64_t value = op.kind == OpKind::map ? 3 : 0;
    for (int input : op.inputs)
      value = value * 5 + get(input);
    for (int scalar : op.after)
      value = value * 7 + program.scalars[scalar];
    return value;
  }

  void run_scalar(int number, Program &program) {
    const OpSummary &op = kernel_.ops[number];
    if (op.kind == OpKind::load)
      program.scalars[number] = read(op, program, 0);
    else
      write(op, program, 0, compute(op, program, [](int) { return int64_t{0}; }));
  }

  /// With `next`, each step of the main loop also runs one of the first loop of that program.
  void run_loop(const Plan &plan, int number, Program &program, Program *next) {
    const LoopPlan &loop = plan.loops[number];
    int64_t width = plan.width, from = loop.align_stores ? 3 % width : 0, base = from;
    int64_t step = width * loop.packets;
    if (next)
      step = std::max(step, width * plan.loops.front().packets);
    bool overlapped = loop.tail == Tail::overlapped;
    Body edges;
    if (overlapped && loop.align_stores)
      add_packet(edges, 0, width);
    if (overlapped && (loop.align_stores || columns % width != 0))
      add_packet(edges, columns - width, width);
    run_body(plan, number, edges, program, /*stores=*/false);
    for (; base + step <= columns; base += step) {
      if (next)
        run_step(plan, 0, base - from, step, *next);
      run_step(plan, number, base, step, program);
    }
    if (next)
      run_rest(plan, 0, base - from, *next);
    run_rest(plan, number, base, program);
    if (!overlapped && from > 0)
      run_whole_body(plan, number, 0, from, program);
    for (int op : loop.ops)
      if (kernel_.ops[op].kind == OpKind::store)
        store(kernel_.ops[op], edges, op, program);
  }

  void run_step(const Plan &plan, int number, int64_t base, int64_t step, Program &program) {
    int64_t count = std::min(step, plan.width * int64_t{plan.loops[number].packets});
    for (int64_t done = 0; done < step; done += count)
      run_whole_body(plan, number, base + done, count, program);
  }

  void run_rest(const Plan &plan, int number, int64_t base, Program &program) {
    for (; base + plan.width <= columns; base += plan.width)
      run_whole_body(plan, number, base, plan.width, program);
    if (plan.loops[number].tail != Tail::overlapped && base < columns)
      run_whole_body(plan, number, base, columns - base, program);
  }

  static void add_packet(Body &body, int64_t base, int64_t count) {
    for (int64_t e = base; e < base + count; ++e)
      body.elements.push_back(e);
  }

  void run_whole_body(const Plan &plan, int number, int64_t base, int64_t count, Program &program) {
    Body body;
    add_packet(body, base, count);
    run_body(plan, number, body, program, /*stores=*/true);
  }

  void run_body(const Plan &plan, int number, Body &body, Program &program, bool stores) {
    for (int i : plan.loops[number].ops) {
      const OpSummary &op = kernel_.ops[i];
      Tile values = run_op(plan, number, body, program, i);
      if (op.kind == OpKind::reduce)
        for (int64_t value : values)
          program.scalars[i] += value;
      body.tiles[i] = values;
      for (size_t lane = 0; lane < body.elements.size(); ++lane)
        program.kept[{i, body.elements[lane]}] = values[lane];
      if (op.kind == OpKind::store && stores)
        store(op, body, i, program);
    }
  }

  Tile run_op(const Plan &plan, int number, Body &body, Program &program, int i) {
    const OpSummary &op = kernel_.ops[i];
    for (int input : op.inputs)
      fetch(plan, number, body, program, input);
    Tile values;
    for (size_t lane = 0; lane < body.elements.size(); ++lane)
      values.push_back(op.kind == OpKind::load
                           ? read(op, program, body.elements[lane])
                           : compute(op, program, [&](int v) { return body.tiles[v][lane]; }));
    return values;
  }

  void fetch(const Plan &plan, int number, Body &body, Program &program, int value) {
    if (body.tiles.count(value))
      return;
    Tile tile;
    Source source = source_of(plan, value, number);
    if (source == Source::reload || source == Source::recompute)
      tile = run_op(plan, number, body, program, value);
    else
      for (int64_t e : body.elements)
        tile.push_back(program.kept.at({value, e}));
    body.tiles[value] = tile;
  }

  void store(const OpSummary &op, Body &body, int number, const Program &program) {
    for (size_t lane = 0; lane < body.elements.size(); ++lane)
      write(op, program, body.elements[lane], body.tiles[number][lane]);
  }

  const KernelSummary &kernel_;
  std::vector<int64_t> offsets_;
  std::vector<int64_t> memory_;
};

/// The elements of a view, all packed.
int64_t count(const KernelSummary &kernel, int view) {
  int64_t count = 1;
  for (int64_t extent : kernel.views[view].extents)
    count *= extent == dynamic_extent ? rows : extent;
  return count;
}

/// What lane.guard tests.
bool guard_holds(const KernelSummary &kernel, const std::vector<int64_t> &offsets,
                 const Plan &plan) {
  for (const GuardPair &pair : guard_pairs(kernel, plan)) {
    int64_t a = offsets[pair.stored], b = offsets[pair.other];
    bool disjoint = a + count(kernel, pair.stored) <= b || b + count(kernel, pair.other) <= a;
    bool equal = a == b && kernel.views[pair.stored].extents == kernel.views[pair.other].extents;
    if (!disjoint && !(equal && pair.same_element_first))
      return false;
  }
  return true;
}

std::vector<KernelSummary> kernels() {
  std::vector<KernelSummary> all = sample_kernels(columns);
  SampleKernel twice("twice", columns);
  int x = twice.add_matrix("x"), y = twice.add_matrix("y"), z = twice.add_matrix("z");
  int v = twice.load(x);
  twice.store(y, v);
  int sum = twice.reduce(v);
  twice.store(z, twice.map({v}, {sum}));
  all.push_back(twice.kernel);

  SampleKernel again("again", columns);
  x = again.add_matrix("x"), y = again.add_matrix("y"), z = again.add_matrix("z");
  v = again.load(x);
  again.store(y, again.map({v}));
  again.store(z, again.map({again.load(y), v}));
  again.store(x, again.load(z));
  all.push_back(again.kernel);

  SampleKernel scalars("scalars", columns);
  x = scalars.add_matrix("x"), y = scalars.add_matrix("y");
  int scale = scalars.add_column("scale");
  v = scalars.load(x);
  int read = scalars.load_scalar(scale);
  scalars.store(y, scalars.map({v}, {read}));
  scalars.store_scalar(scale, {scalars.reduce(v)});
  scalars.store(x, scalars.map({v}, {scalars.load_scalar(scale)}));
  all.push_back(scalars.kernel);

  all.push_back(rope(columns));
  all.push_back(rope_in_place(columns));

  // Blocks that leave their views, of one view and of several.
  SampleKernel shifts("shifts", columns);
  x = shifts.add_matrix("x"), y = shifts.add_matrix("y");
  v = shifts.load_block(x, -1, true);
  shifts.store_block(y, 2, shifts.map({v, shifts.load_block(x, 9, true)}), true);
  shifts.store_block(x, 1, shifts.map({v, shifts.load(y)}), true);
  all.push_back(shifts.kernel);
  return all;
}

TEST(Order, GuardedMemoryEndsAsInProgramOrder) {
  std::mt19937_64 random(1);
  int64_t ran = 0, overlapping_views = 0, overlapped_in_place = 0, recomputed = 0;
  for (const KernelSummary &kernel : kernels()) {
    std::vector<Plan> plans = declared_plans(kernel, avx2_machine());
    for (uint64_t seed = 0; seed < 100; ++seed)
      plans.push_back(random_plan(kernel, avx2_machine(), seed));
    for (const Plan &plan : plans)
      for (int i = 0; i < 12; ++i) {
        constexpr int64_t places[] = {100, 100, 100, 101, 108, 79, 121, 142, 163, 184, 30};
        std::vector<int64_t> offsets;
        for (size_t view = 0; view < kernel.views.size(); ++view)
          offsets.push_back(places[random() % std::size(places)]);
        if (plan.guard && !guard_holds(kernel, offsets, plan))
          continue;
        ++ran;
        overlapping_views += !plan.guard;
        overlapped_in_place += plan.overlap_programs && offsets.front() == offsets.back();
        for (const EdgePlan &edge : plan.edges)
          recomputed += edge.source == Source::recompute;
        ASSERT_EQ(Executor(kernel, offsets).run(plan),
                  Executor(kernel, offsets).run_in_program_order())
            << kernel.name << ": " << one_line(plan) << " at " << testing::PrintToString(offsets);
      }
  }
  EXPECT_GT(ran, 5000);
  EXPECT_GT(overlapping_views, 1000);
  EXPECT_GT(overlapped_in_place, 30);
  EXPECT_GT(recomputed, 100);
}

} // namespace
} // namespace tilewright::plan
