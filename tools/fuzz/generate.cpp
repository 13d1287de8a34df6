// Random programs. What they do is legal by construction: a program of the root nest touches, in
// every buffer that is stored to, only elements that no other one touches.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>

#include "program.h"

namespace tilewright::fuzz {

namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program run() {
    program_.data_seed = random_();
    program_.element = pick<std::string>({"f32", "f32", "f32", "f32", "f32", "f64", "i32"});
    program_.contract = chance(70);
    inexact_ = chance(10);
    make_axes();
    make_views();
    make_ops();
    return std::move(program_);
  }

private:
  int64_t below(int64_t limit) { return static_cast<int64_t>(random_() % limit); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  T pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }

  void make_axes() {
    program_.parallel = pick<int>({0, 1, 1, 1, 2});
    program_.dynamic_roots = chance(70);
    for (int i = 0; i < program_.parallel; ++i)
      program_.extents.push_back(pick<int64_t>({0, 1, 2, 3, 4, 5, 7, 9}));
    bool two = program_.parallel < 2 && chance(20);
    if (two)
      program_.extents.push_back(pick<int64_t>({0, 1, 3, 5}));
    program_.extents.push_back(pick<int64_t>({0,  1,  2,  3,  4,  5,  7,  8,  9,   15,  16,  17,
                                              31, 32, 33, 63, 64, 65, 66, 95, 127, 128, 129, 130}));
  }

  std::vector<int> all_axes() {
    std::vector<int> axes;
    for (size_t i = 0; i < program_.extents.size(); ++i)
      axes.push_back(static_cast<int>(i));
    return axes;
  }

  /// Gives the view strides in a buffer of its own: packed, with gaps, strided or transposed.
  void place_alone(View &view) {
    std::vector<int> order(view.axes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<int>(i);
    if (program_.tile_axes() == 1 && chance(10))
      std::shuffle(order.begin(), order.end(), random_);
    bool gaps = chance(30);
    int64_t step = chance(10) ? 2 + below(2) : 1;
    view.strides.assign(view.axes.size(), 0);
    view.offset = gaps ? below(9) : 0;
    int64_t stride = step, last = view.offset;
    for (size_t i = order.size(); i-- > 0;) {
      int64_t extent = program_.extent(view, order[i]);
      int64_t used = std::max<int64_t>(extent, 1) - 1;
      bool backwards = chance(4);
      view.strides[order[i]] = backwards ? -stride : stride;
      if (backwards)
        view.offset += used * stride;
      last += used * stride;
      stride = stride * std::max<int64_t>(extent, 1) + (gaps ? below(5) : 0);
    }
    if (!view.stored && !view.strides.empty() && chance(5)) // one row or one element, repeated
      view.strides[below(view.strides.size())] = 0;
    view.buffer = static_cast<int>(program_.buffers.size());
    program_.buffers.push_back({last + 1 + (gaps ? below(9) : 0), false});
  }

  /// Where each view's row starts in the row that the views share.
  std::vector<int64_t> shifts(size_t views, int64_t columns) {
    std::vector<int64_t> shifts(views, 0);
    int64_t packet = pick<int64_t>({4, 8, 16});
    switch (below(4)) {
    case 0: // the same elements
      break;
    case 1: // one element or about one packet further
      for (int64_t &shift : shifts)
        shift = pick<int64_t>({0, 0, 1, packet - 1, packet, packet + 1});
      break;
    case 2: // slices side by side, or nearly so
      for (size_t i = 0; i < views; ++i)
        shifts[i] = static_cast<int64_t>(i) * columns + (chance(20) ? 1 : 0);
      std::shuffle(shifts.begin(), shifts.end(), random_);
      break;
    default:
      for (int64_t &shift : shifts)
        shift = below(2 * columns + 1);
    }
    return shifts;
  }

  /// Views of one buffer whose rows they share: a program stays inside its rows.
  void place_together(std::vector<View> &views) {
    size_t rank = views.front().axes.size();
    auto width = [&](const View &view) {
      return std::max<int64_t>(program_.extent(view, rank - 1), 1);
    };
    int64_t columns = std::max<int64_t>(program_.extents.back(), 1);
    std::vector<int64_t> starts = shifts(views.size(), columns);
    int64_t step = chance(15) ? 2 : 1, pitch = below(3);
    std::vector<int64_t> steps;
    for (size_t i = 0; i < views.size(); ++i) {
      steps.push_back(chance(5) ? 3 - step : step);
      pitch = std::max(pitch, starts[i] + steps.back() * (width(views[i]) - 1) + 1);
    }
    std::vector<int64_t> strides(rank);
    int64_t stride = pitch + pick<int64_t>({0, 0, 1, 5});
    for (size_t dim = rank - 1; dim-- > 0;) {
      strides[dim] = stride;
      stride *= std::max<int64_t>(program_.extents[views.front().axes[dim]], 1);
    }
    for (size_t i = 0; i < views.size(); ++i) {
      View &view = views[i];
      view.buffer = static_cast<int>(program_.buffers.size());
      view.strides = strides;
      view.strides[rank - 1] = steps[i];
      view.offset = starts[i];
      if (chance(8)) { // the row from right to left
        view.offset += steps[i] * (width(view) - 1);
        view.strides[rank - 1] = -steps[i];
      }
    }
    program_.buffers.push_back({stride, false});
  }

  /// Promises in the type some of what holds.
  void promise(View &view) {
    int64_t behind = 1;
    bool packed = true;
    for (size_t dim = view.axes.size(); dim-- > 0;) {
      packed = packed && view.strides[dim] == behind;
      behind *= program_.extent(view, dim);
      if (view.strides[dim] == 1 && view.unit_dim < 0)
        view.unit_dim = static_cast<int>(dim);
    }
    view.packed = packed && !view.axes.empty() && chance(80);
    if (view.packed)
      view.unit_dim = static_cast<int>(view.axes.size()) - 1;
    if (!view.packed && chance(10))
      view.unit_dim = -1;
  }

  void make_views() {
    bool flat = program_.tile_axes() > 1;
    blocks_ = program_.tile_axes() == 1 && chance(45);
    std::vector<View> together;
    auto count = 1 + below(3);
    for (int64_t i = 0; i <= count; ++i) {
      View view;
      view.axes = all_axes();
      view.stored = i == 0 || chance(30);
      if (!view.stored && !flat && chance(25)) // gamma[@c], or one scalar per program
        view.axes = chance(50) ? std::vector<int>{program_.parallel} : root_axes();
      bool whole = view.axes.size() == program_.extents.size();
      // The first view has the axes' extents: it is what they are of.
      if (blocks_ && i > 0 && program_.is_tile_view(view) && chance(35))
        view.wider = pick<int64_t>({program_.extents.back(), program_.extents.back(), 1, 8, 40});
      if (whole && !flat && chance(40)) {
        together.push_back(view);
        continue;
      }
      place_alone(view);
      program_.views.push_back(view);
    }
    if (!together.empty()) {
      place_together(together);
      program_.views.insert(program_.views.end(), together.begin(), together.end());
    }
    for (View &view : program_.views)
      promise(view);
  }

  std::vector<int> root_axes() {
    std::vector<int> axes = all_axes();
    axes.resize(program_.parallel);
    return axes;
  }

  std::string constant() {
    if (program_.element == "i32")
      return pick<std::string>({"0", "1", "-1", "3", "-7", "100"});
    return pick<std::string>({"0.0", "-0.0", "1.0", "-1.0", "0.5", "3.25", "1.0e-3", "-7.0"});
  }

  std::string extreme_constant() {
    if (program_.element == "i32")
      return pick<std::string>({"2147483647", "-2147483648"});
    if (program_.element == "f64")
      return pick<std::string>({"0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"});
    return pick<std::string>({"0x7F800000", "0xFF800000", "0x7FC00000", "1.0e-40"});
  }

  Step step(int values) {
    auto any = [&] { return static_cast<int>(below(values)); };
    if (program_.element == "i32") {
      auto name = pick<std::string>({"arith.addi", "arith.subi", "arith.muli", "arith.maxsi",
                                     "arith.minsi", "arith.andi", "arith.xori", "select"});
      if (name == "select")
        return {name, {any(), any(), any(), any()}};
      return {name, {any(), any()}};
    }
    auto name =
        pick<std::string>({"arith.addf", "arith.addf", "arith.subf", "arith.mulf", "arith.mulf",
                           "arith.divf", "arith.maximumf", "arith.minimumf", "arith.negf",
                           "math.absf", "math.sqrt", "math.floor", "math.fma", "select"});
    if (inexact_ && chance(20))
      name = "math.exp";
    if (name == "select")
      return {name, {any(), any(), any(), any()}};
    if (name == "math.fma")
      return {name, {any(), any(), any()}};
    if (name == "arith.negf" || name.substr(0, 5) == "math.")
      return {name, {any()}};
    return {name, {any(), any()}};
  }

  void add(Op op, bool tile) {
    (tile ? tiles_ : scalars_).push_back(static_cast<int>(program_.ops.size()));
    program_.ops.push_back(std::move(op));
  }

  /// Often the halves of a row, else anything: a shift, about a packet, out of the view.
  std::optional<Block> block(int number, bool load) {
    const View &view = program_.views[number];
    if (!blocks_ || !program_.is_tile_view(view) || (view.wider == 0 && chance(70)))
      return {};
    int64_t columns = program_.extents.back(), wide = columns + view.wider;
    Block block;
    block.constant =
        pick<int64_t>({0, 0, columns, columns, 1, -1, 7, -8, 9, columns - 1, -columns, wide,
                       below(2 * wide + 1) - columns, int64_t{1} << 62, INT64_MIN, INT64_MAX});
    if (program_.parallel > 0 && chance(15))
      block.per_program = pick<int64_t>({1, -1, 3, columns});
    if (block.per_program == 0 && block.constant >= 0 && block.constant <= view.wider)
      block.assumed = chance(30);
    if (load && !block.assumed && chance(50))
      block.fill = constant();
    return block;
  }

  void add_load() {
    auto view = static_cast<int>(below(program_.views.size()));
    program_.buffers[program_.views[view].buffer].loaded = true;
    Op op;
    op.view = view;
    op.block = block(view, true);
    add(op, program_.is_tile_view(program_.views[view]));
  }

  void add_map(bool of_scalars) {
    Op op;
    op.kind = OpKind::map;
    if (!of_scalars)
      for (int64_t i = 0, count = 1 + below(3); i < count; ++i)
        op.inputs.push_back(pick(tiles_));
    if (!scalars_.empty())
      for (int64_t i = 0, count = below(3); i < count || (of_scalars && i == 0); ++i)
        op.scalars.push_back(pick(scalars_));
    for (int64_t i = 0, count = below(2); i < count; ++i)
      op.constants.push_back(constant());
    auto values = static_cast<int>(op.inputs.size() + op.scalars.size() + op.constants.size());
    for (int64_t i = 0, count = 1 + below(4); i < count; ++i)
      op.steps.push_back(step(values++));
    add(op, !of_scalars);
  }

  void add_reduce() {
    Op op;
    op.kind = OpKind::reduce;
    op.inputs = {pick(tiles_)};
    op.combine = pick<std::string>({"add", "add", "mul", "max", "min", "square", "pick"});
    if (op.combine == "pick")
      op.inputs.push_back(pick(tiles_));
    if (!scalars_.empty() && chance(20))
      op.scalars = {pick(scalars_)};
    else
      op.constants = {chance(20) ? extreme_constant() : constant()};
    add(op, false);
  }

  void add_store() {
    std::vector<int> targets;
    for (size_t i = 0; i < program_.views.size(); ++i)
      if (program_.views[i].stored)
        targets.push_back(static_cast<int>(i));
    Op op;
    op.kind = OpKind::store;
    op.view = pick(targets);
    op.block = block(op.view, false);
    op.inputs = {!scalars_.empty() && chance(8) ? pick(scalars_)
                 : chance(70)                   ? tiles_.back()
                                                : pick(tiles_)};
    program_.ops.push_back(op);
  }

  /// exp of a tile, stored and not used again: the reference agrees to two units in the last place.
  void add_last_exp() {
    Op op;
    op.kind = OpKind::map;
    op.inputs = {pick(tiles_)};
    op.steps = {{"math.exp", {0}}};
    add(op, true);
    tiles_ = {tiles_.back()};
    scalars_.clear();
  }

  void make_ops() {
    bool reductions = program_.tile_axes() == 1;
    for (int tries = 0; tiles_.empty() || tries < 2; ++tries)
      add_load();
    for (int64_t i = 0, count = 1 + below(8); i < count; ++i) {
      int64_t what = below(100);
      if (what < 25)
        add_load();
      else if (what < 60)
        add_map(false);
      else if (what < 75 && reductions)
        add_reduce();
      else if (what < 82 && !scalars_.empty())
        add_map(true);
      else
        add_store();
    }
    if (program_.element != "i32" && !inexact_ && chance(10))
      add_last_exp();
    add_store();
  }

  std::mt19937_64 random_;
  Program program_;
  std::vector<int> tiles_, scalars_; ///< ops with such values
  bool blocks_ = false;              ///< accesses of blocks
  bool inexact_ = false;             ///< functions that are not correctly rounded, anywhere
};

} // namespace

Program generate(uint64_t seed) { return Generator(seed).run(); }

} // namespace tilewright::fuzz
