// Runs plans on plain memory, one program, as `lower` is to run them, against program order:
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

constexpr int64_t columns = 21;
using Tile = std::vector<int64_t>;

class Executor {
public:
  Executor(const KernelSummary &kernel, std::vector<int64_t> offsets)
      : kernel_(kernel), offsets_(std::move(offsets)), memory_(400), scalars_(kernel.ops.size()) {
    for (size_t i = 0; i < memory_.size(); ++i)
      memory_[i] = static_cast<int64_t>(i * i + 7);
  }

  std::vector<int64_t> run_in_program_order() {
    std::vector<Tile> tiles(kernel_.ops.size(), Tile(columns));
    for (size_t i = 0; i < kernel_.ops.size(); ++i) {
      const OpSummary &op = kernel_.ops[i];
      if (is_scalar_access(op)) {
        run_scalar(static_cast<int>(i));
        continue;
      }
      for (int64_t e = 0; e < columns; ++e) {
        int64_t value = op.kind == OpKind::load ? memory_[offsets_[op.view] + e]
                                                : compute(op, [&](int v) { return tiles[v][e]; });
        if (op.kind == OpKind::reduce)
          scalars_[i] += value;
        tiles[i][e] = value;
      }
      if (op.kind == OpKind::store)
        for (int64_t e = 0; e < columns; ++e)
          memory_[offsets_[op.view] + e] = tiles[i][e];
    }
    return memory_;
  }

  std::vector<int64_t> run(const Plan &plan) {
    std::vector<int> positions = scalar_positions(kernel_, plan);
    for (int loop = 0; loop <= static_cast<int>(plan.loops.size()); ++loop) {
      for (size_t op = 0; op < kernel_.ops.size(); ++op)
        if (positions[op] == loop)
          run_scalar(static_cast<int>(op));
      if (loop < static_cast<int>(plan.loops.size()))
        run_loop(plan, loop);
    }
    return memory_;
  }

private:
  struct Body {
    std::vector<int64_t> elements;
    std::map<int, Tile> tiles;
  };

  template <typename Get>
  int64_t compute(const OpSummary &op, Get get) const {
    int64_t value = op.kind == OpKind::map ? 3 : 0;
    for (int input : op.inputs)
      value = value * 5 + get(input);
    for (int scalar : op.after)
      value = value * 7 + scalars_[scalar];
    return value;
  }

  void run_scalar(int number) {
    const OpSummary &op = kernel_.ops[number];
    int64_t &cell = memory_[offsets_[op.view]];
    if (op.kind == OpKind::load)
      scalars_[number] = cell;
    else
      cell = compute(op, [](int) { return int64_t{0}; });
  }

  void run_loop(const Plan &plan, int number) {
    const LoopPlan &loop = plan.loops[number];
    int64_t width = plan.width, from = loop.align_stores ? 3 % width : 0, base = from;
    bool overlapped = loop.tail == Tail::overlapped;
    Body edges;
    if (loop.align_stores)
      add_packet(edges, 0, width);
    if (overlapped && (loop.align_stores || columns % width != 0))
      add_packet(edges, columns - width, width);
    run_body(plan, number, edges, /*stores=*/false);
    for (int64_t packets : {int64_t{loop.packets}, int64_t{1}})
      for (; base + packets * width <= columns; base += packets * width)
        run_whole_body(plan, number, base, packets * width);
    if (!overlapped && base < columns)
      run_whole_body(plan, number, base, columns - base);
    for (int op : loop.ops)
      if (kernel_.ops[op].kind == OpKind::store)
        store(kernel_.ops[op], edges, op);
  }

  static void add_packet(Body &body, int64_t base, int64_t count) {
    for (int64_t e = base; e < base + count; ++e)
      body.elements.push_back(e);
  }

  void run_whole_body(const Plan &plan, int number, int64_t base, int64_t count) {
    Body body;
    add_packet(body, base, count);
    run_body(plan, number, body, /*stores=*/true);
  }

  void run_body(const Plan &plan, int number, Body &body, bool stores) {
    for (int i : plan.loops[number].ops) {
      const OpSummary &op = kernel_.ops[i];
      for (int input : op.inputs)
        fetch(plan, number, body, input);
      Tile values;
      for (size_t lane = 0; lane < body.elements.size(); ++lane)
        values.push_back(op.kind == OpKind::load
                             ? memory_[offsets_[op.view] + body.elements[lane]]
                             : compute(op, [&](int v) { return body.tiles[v][lane]; }));
      if (op.kind == OpKind::reduce)
        for (int64_t value : values)
          scalars_[i] += value;
      body.tiles[i] = values;
      for (size_t lane = 0; lane < body.elements.size(); ++lane)
        kept_[{i, body.elements[lane]}] = values[lane];
      if (op.kind == OpKind::store && stores)
        store(op, body, i);
    }
  }

  void fetch(const Plan &plan, int number, Body &body, int value) {
    if (body.tiles.count(value))
      return;
    Tile &tile = body.tiles[value];
    bool reload = source_of(plan, value, number) == Source::reload;
    for (int64_t e : body.elements)
      tile.push_back(reload ? memory_[offsets_[kernel_.ops[value].view] + e]
                            : kept_.at({value, e}));
  }

  void store(const OpSummary &op, Body &body, int number) {
    for (size_t lane = 0; lane < body.elements.size(); ++lane)
      memory_[offsets_[op.view] + body.elements[lane]] = body.tiles[number][lane];
  }

  const KernelSummary &kernel_;
  std::vector<int64_t> offsets_;
  std::vector<int64_t> memory_;
  std::vector<int64_t> scalars_;
  std::map<std::pair<int, int64_t>, int64_t> kept_;
};

/// What lane.guard tests, for views of `columns` elements (of one for columns of scalars).
bool guard_holds(const KernelSummary &kernel, const std::vector<int64_t> &offsets,
                 const Plan &plan) {
  auto count = [&](int view) {
    return kernel.views[view].extents.back() == dynamic_extent ? 1 : columns;
  };
  for (const GuardPair &pair : guard_pairs(kernel, plan)) {
    int64_t a = offsets[pair.stored], b = offsets[pair.other];
    bool disjoint = a + count(pair.stored) <= b || b + count(pair.other) <= a;
    bool equal = a == b && count(pair.stored) == count(pair.other);
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
  return all;
}

TEST(Order, GuardedMemoryEndsAsInProgramOrder) {
  std::mt19937_64 random(1);
  int64_t ran = 0, overlapping = 0;
  for (const KernelSummary &kernel : kernels()) {
    std::vector<Plan> plans = declared_plans(kernel, avx2_machine());
    for (uint64_t seed = 0; seed < 100; ++seed)
      plans.push_back(random_plan(kernel, avx2_machine(), seed));
    for (const Plan &plan : plans)
      for (int i = 0; i < 12; ++i) {
        constexpr int64_t places[] = {100, 100, 100, 101, 108, 90, 121, 142, 163};
        std::vector<int64_t> offsets;
        for (size_t view = 0; view < kernel.views.size(); ++view)
          offsets.push_back(places[random() % std::size(places)]);
        if (plan.guard && !guard_holds(kernel, offsets, plan))
          continue;
        ++ran;
        overlapping += !plan.guard;
        ASSERT_EQ(Executor(kernel, offsets).run(plan),
                  Executor(kernel, offsets).run_in_program_order())
            << kernel.name << ": " << one_line(plan) << " at " << testing::PrintToString(offsets);
      }
  }
  EXPECT_GT(ran, 5000);
  EXPECT_GT(overlapping, 1000);
}

} // namespace
} // namespace tilewright::plan
