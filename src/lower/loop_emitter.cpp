#include "lower/loop_emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "plan/facts.h"

namespace tilewright::lower {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

namespace {

int64_t element_bytes(tile::ViewType view) {
  return (view.getElementType().getIntOrFloatBitWidth() + 7) / 8;
}

} // namespace

LoopEmitter::LoopEmitter(ProgramEmitter &emitter, const plan::LoopPlan &loop,
                         llvm::MutableArrayRef<Program> programs, mlir::Value extent)
    : emitter_(emitter), nest_(emitter.nest_), plan_(emitter.plan_), loop_(loop),
      programs_(programs), extent_(extent), builder_(emitter.builder_),
      location_(nest_.ops[loop.ops.front()]->getLoc()), index_(emitter.index_) {
  for (int op : loop.ops) {
    ops_.push_back(nest_.ops[op]);
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(ops_.back()))
      reductions_.push_back(reduce);
  }
}

void LoopEmitter::start() {
  lane_ = lane::IdOp::create(builder_, location_);
  start_accumulators();
}

void LoopEmitter::emit(LoopEmitter *beside) {
  start();
  if (beside)
    beside->start();
  mlir::Value from = index_.constant(0);
  if (loop_.align_stores)
    from = aligned_start();
  Body edges;
  bool overlapped = loop_.tail == plan::Tail::overlapped;
  if (overlapped && loop_.align_stores)
    edges.bases.push_back(index_.constant(0));
  if (overlapped && ragged())
    edges.bases.push_back(index_.sub(extent_, index_.constant(plan_.width)));
  if (!edges.bases.empty())
    emit_body(edges, Stores::skip);

  int64_t step = beside ? std::max(this->step(), beside->step()) : this->step();
  int64_t unit = std::max(step, stores_unit());
  mlir::Value to = index_.add(from, index_.round_down(index_.sub(extent_, from), unit));
  emit_steps(from, to, step, beside);
  bool packets_left = unit > plan_.width;
  if (beside)
    beside->emit_rest(index_.sub(to, from), packets_left || loop_.align_stores);
  if (loop_.align_stores && !overlapped)
    emit_masked_edges(from, to);
  else
    emit_rest(to, packets_left);
  emit_stores(edges);
}

// Stores past the caches must not meet ordinary ones in a cache line: the one that comes second
// waits for the first to reach memory, and parts of a line cost as much as a whole one. So the main
// loop starts and ends at a line, and what is before and behind it is stored under masks.

int64_t LoopEmitter::stores_unit() {
  if (!loop_.nontemporal)
    return plan_.width;
  return plan::nontemporal_unit(plan_.width, element_bytes(aligned_store().getView().getType()));
}

mlir::Value LoopEmitter::aligned_start() {
  tile::StoreOp store = aligned_store();
  mlir::Value zero = index_.constant(0);
  int64_t unit = stores_unit();
  mlir::Value misalignment = lane::MisalignmentOp::create(
      builder_, location_, emitter_.lane_view(store.getView()),
      indices(programs_.front(), store, zero), unit * element_bytes(store.getView().getType()));
  mlir::Value start = index_.bit_and(index_.sub(zero, misalignment), index_.constant(unit - 1));
  if (loop_.tail == plan::Tail::overlapped)
    return start; // such rows are long enough
  return arith::MinSIOp::create(builder_, location_, start, extent_);
}

// One body serves both edges, so that code stays short. It counts through the packets of the first
// edge, and then through those of the last.
void LoopEmitter::emit_masked_edges(mlir::Value from, mlir::Value to) {
  mlir::Value zero = index_.constant(0), width = index_.constant(plan_.width);
  mlir::Value first =
      index_.round_down(index_.add(from, index_.constant(plan_.width - 1)), plan_.width);
  mlir::Value shift = index_.sub(to, first);
  auto loop = scf::ForOp::create(builder_, location_, zero, index_.sub(extent_, shift), width);
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(loop.getBody());
  mlir::Value number = loop.getInductionVar();
  mlir::Value in_first =
      arith::CmpIOp::create(builder_, location_, arith::CmpIPredicate::slt, number, first);
  auto choose = [&](mlir::Value one, mlir::Value other) {
    return arith::SelectOp::create(builder_, location_, in_first, one, other).getResult();
  };
  emit_masked(choose(number, index_.add(number, shift)), choose(from, extent_));
}

void LoopEmitter::emit_rest(mlir::Value from, bool packets_left) {
  mlir::Value to = from;
  if (packets_left) {
    to = index_.add(from, index_.round_down(index_.sub(extent_, from), plan_.width));
    // A known number of packets, less than a step, is a shorter step: accumulators that rotate
    // through a loop of single packets would all be moved for each.
    std::optional<int64_t> left = IndexMath::known(index_.sub(to, from));
    bool short_step = left && *left > 0 && *left < step();
    emit_steps(from, to, short_step ? *left : plan_.width);
  }
  if (loop_.tail != plan::Tail::overlapped && ragged())
    emit_masked(to, extent_);
  finish_reductions();
}

bool LoopEmitter::ragged() {
  std::optional<int64_t> extent = IndexMath::known(extent_);
  return loop_.align_stores || !extent || *extent % plan_.width != 0;
}

// Accumulators

void LoopEmitter::start_accumulators() {
  for (tile::ReduceOp reduce : reductions_) {
    int packets = static_cast<int>(reduce.getGrouping()->getSlots()) / plan_.width;
    for (size_t i = 0; i < reduce.getSeeds().size(); ++i)
      packets_of_.push_back(packets);
  }
  for (size_t program = 0; program < programs_.size(); ++program)
    for (tile::ReduceOp reduce : reductions_)
      for (mlir::Attribute identity : reduce.getIdentities()) {
        mlir::Value start = arith::ConstantOp::create(builder_, reduce.getLoc(),
                                                      llvm::cast<mlir::TypedAttr>(identity));
        int packets = static_cast<int>(reduce.getGrouping()->getSlots()) / plan_.width;
        accumulators_.append(packets, start);
      }
}

void LoopEmitter::rotate_accumulators(int packets) {
  auto position = accumulators_.begin();
  for (size_t program = 0; program < programs_.size(); ++program)
    for (int count : packets_of_) {
      std::rotate(position, position + packets % count, position + count);
      position += count;
    }
}

void LoopEmitter::finish_reductions() {
  size_t position = 0;
  for (Program &program : programs_)
    for (tile::ReduceOp reduce : reductions_) {
      int64_t packets = reduce.getGrouping()->getSlots() / plan_.width;
      size_t count = reduce.getSeeds().size() * packets;
      mlir::ValueRange group = mlir::ValueRange(accumulators_).slice(position, count);
      position += count;
      auto tree = lane::ReduceOp::create(builder_, reduce.getLoc(), reduce.getSeeds().getTypes(),
                                         group, packets);
      // The merge region, with the dialect's own terminator.
      mlir::IRMapping scalars = program.scalars;
      reduce.getMerge().cloneInto(&tree.getMerge(), scalars);
      mlir::Operation *yield = tree.getMerge().front().getTerminator();
      mlir::OpBuilder inside(yield);
      lane::YieldOp::create(inside, yield->getLoc(), yield->getOperands());
      yield->erase();

      mlir::IRMapping merge = program.scalars;
      size_t carried = reduce.getSeeds().size();
      for (size_t i = 0; i < carried; ++i) {
        merge.map(reduce.getMerge().getArgument(i), program.scalars.lookup(reduce.getSeeds()[i]));
        merge.map(reduce.getMerge().getArgument(carried + i), tree.getResult(i));
      }
      Values merged = clone_region(reduce.getMerge(), merge);
      for (size_t i = 0; i < carried; ++i)
        program.scalars.map(reduce.getResult(i), merged[i]);
    }
}

// Loops

void LoopEmitter::emit_steps(mlir::Value from, mlir::Value to, int64_t step, LoopEmitter *beside) {
  std::optional<int64_t> known = IndexMath::known(index_.sub(to, from));
  if (known && *known == 0)
    return;
  auto emit_at = [&](mlir::Value base) {
    if (beside)
      beside->emit_step(index_.sub(base, from), step);
    emit_step(base, step);
  };
  if (known && *known == step)
    return emit_at(from);

  auto all_accumulators = [&] {
    Values all = accumulators_;
    if (beside)
      all.append(beside->accumulators_);
    return all;
  };
  auto set_accumulators = [&](mlir::ValueRange all) {
    accumulators_ = llvm::to_vector(all.take_front(accumulators_.size()));
    if (beside)
      beside->accumulators_ = llvm::to_vector(all.drop_front(accumulators_.size()));
  };
  auto loop =
      scf::ForOp::create(builder_, location_, from, to, index_.constant(step), all_accumulators());
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(loop.getBody());
  set_accumulators(loop.getRegionIterArgs());
  emit_at(loop.getInductionVar());
  if (loop.getNumResults() > 0)
    scf::YieldOp::create(builder_, location_, all_accumulators());
  set_accumulators(loop.getResults());
}

void LoopEmitter::emit_step(mlir::Value base, int64_t step) {
  auto packets = static_cast<int>(std::min<int64_t>(loop_.packets, step / plan_.width));
  for (int64_t done = 0; done < step; done += int64_t{packets} * plan_.width) {
    Values bases;
    for (int packet = 0; packet < packets; ++packet)
      bases.push_back(index_.add(base, index_.constant(done + int64_t{packet} * plan_.width)));
    emit_prefetches(bases);
    // Reductions take one packet after the other: accumulators leave few registers for more.
    size_t together = reductions_.empty() ? bases.size() : 1;
    for (mlir::ValueRange rest = bases; !rest.empty(); rest = rest.drop_front(together)) {
      Body body;
      body.aligned = loop_.align_stores;
      body.nontemporal = loop_.nontemporal;
      body.bases = llvm::to_vector(rest.take_front(together));
      emit_body(body, Stores::emit);
      rotate_accumulators(static_cast<int>(together));
    }
  }
}

void LoopEmitter::emit_masked(mlir::Value base, mlir::Value end) {
  mlir::Value inside = arith::CmpIOp::create(builder_, location_, arith::CmpIPredicate::slt,
                                             lane_element(base), end);
  auto branch =
      scf::IfOp::create(builder_, location_, mlir::TypeRange(mlir::ValueRange(accumulators_)),
                        inside, /*withElseRegion=*/!accumulators_.empty());
  Values before = accumulators_;
  mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(branch.thenBlock());
  Body body;
  body.bases.push_back(base);
  body.full = false;
  emit_body(body, Stores::emit);
  if (before.empty())
    return;
  builder_.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder_, location_, accumulators_);
  builder_.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder_, location_, before);
  accumulators_.assign(branch.getResults().begin(), branch.getResults().end());
}

// Bodies

void LoopEmitter::emit_body(Body &body, Stores stores) {
  for (mlir::Operation *op : ops_) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
      emit_load(body, load);
    else if (auto map = llvm::dyn_cast<tile::MapOp>(op))
      emit_map(body, map);
    else if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op))
      emit_reduce(body, reduce);
    else if (stores == Stores::emit)
      emit_store(body, llvm::cast<tile::StoreOp>(op));
    else
      tile(body, llvm::cast<tile::StoreOp>(op).getValue());

    // Keep what later loops take from a private array.
    for (mlir::Value result : op->getResults()) {
      if (!programs_.front().kept.contains(result))
        continue;
      Values &values = body.tiles[result];
      for (auto [p, program] : llvm::enumerate(programs_))
        for (auto [i, base] : llvm::enumerate(body.bases))
          lane::PutOp::create(builder_, op->getLoc(), values[p * body.bases.size() + i],
                              program.kept.lookup(result), base, /*row=*/true);
    }
  }
}

void LoopEmitter::emit_stores(Body &body) {
  for (mlir::Operation *op : ops_)
    if (auto store = llvm::dyn_cast<tile::StoreOp>(op))
      emit_store(body, store);
}

void LoopEmitter::emit_load(Body &body, tile::LoadOp load) {
  Values &values = body.tiles[load.getResult()];
  values.clear();
  mlir::Type element = load.getView().getType().getElementType();
  auto load_at = [&](Program &program, mlir::Value base) -> mlir::Value {
    return lane::LoadOp::create(builder_, load.getLoc(), element,
                                emitter_.lane_view(load.getView()),
                                indices(program, load, lane_element(base)), access_class(load));
  };
  for (Program &program : programs_)
    for (mlir::Value base : body.bases) {
      auto tested = program.inside.find(load);
      if (tested == program.inside.end()) {
        values.push_back(load_at(program, base));
        continue;
      }
      mlir::Value inside = is_inside(builder_, load.getLoc(), tested->second, lane_element(base));
      auto branch = scf::IfOp::create(builder_, load.getLoc(), mlir::TypeRange(element), inside,
                                      /*withElseRegion=*/true);
      mlir::OpBuilder::InsertionGuard guard(builder_);
      builder_.setInsertionPointToEnd(branch.thenBlock());
      mlir::Value loaded = load_at(program, base);
      scf::YieldOp::create(builder_, load.getLoc(), loaded);
      builder_.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(builder_, load.getLoc(), tested->second.fill);
      values.push_back(branch.getResult(0));
    }
}

void LoopEmitter::emit_map(Body &body, tile::MapOp map) {
  llvm::SmallVector<Values> inputs;
  for (mlir::Value input : map.getInputs())
    inputs.push_back(tile(body, input));
  size_t packets = body.bases.size(), lanes = programs_.size() * packets;

  // Operation by operation over all packets, so that their latencies overlap.
  llvm::SmallVector<mlir::IRMapping> mappings;
  for (size_t i = 0; i < lanes; ++i) {
    mappings.push_back(programs_[i / packets].scalars);
    for (auto [argument, values] : llvm::zip(map.body()->getArguments(), inputs))
      mappings[i].map(argument, values[i]);
  }
  for (mlir::Operation &op : map.body()->without_terminator())
    for (mlir::IRMapping &mapping : mappings)
      builder_.clone(op, mapping);
  Values &results = body.tiles[map.getResult()];
  results.clear();
  for (mlir::IRMapping &mapping : mappings)
    results.push_back(mapping.lookupOrDefault(map.yielded()));
}

void LoopEmitter::emit_reduce(Body &body, tile::ReduceOp reduce) {
  llvm::SmallVector<Values> inputs;
  for (mlir::Value input : reduce.getInputs())
    inputs.push_back(tile(body, input));
  mlir::Block &step = reduce.getStep().front();
  size_t carried = reduce.getSeeds().size(), packets = body.bases.size();

  size_t position = 0;
  for (auto [p, program] : llvm::enumerate(programs_))
    for (tile::ReduceOp other : reductions_) {
      size_t count = other.getGrouping()->getSlots() / plan_.width;
      size_t first = position;
      position += other.getSeeds().size() * count;
      if (other != reduce)
        continue;
      llvm::SmallVector<mlir::IRMapping> mappings(packets, program.scalars);
      for (size_t i = 0; i < packets; ++i) {
        for (size_t k = 0; k < carried; ++k)
          mappings[i].map(step.getArgument(k), accumulators_[first + k * count + i]);
        for (auto [k, values] : llvm::enumerate(inputs))
          mappings[i].map(step.getArgument(carried + k), values[p * packets + i]);
      }
      for (mlir::Operation &op : step.without_terminator())
        for (mlir::IRMapping &mapping : mappings)
          builder_.clone(op, mapping);
      for (size_t i = 0; i < packets; ++i)
        for (size_t k = 0; k < carried; ++k)
          accumulators_[first + k * count + i] =
              mappings[i].lookupOrDefault(step.getTerminator()->getOperand(k));
    }
}

void LoopEmitter::emit_store(Body &body, tile::StoreOp store) {
  Values values = tile(body, store.getValue());
  bool aligned = body.aligned && is_aligned(store);
  auto store_at = [&](Program &program, mlir::Value value, mlir::Value base) {
    lane::StoreOp::create(builder_, store.getLoc(), value, emitter_.lane_view(store.getView()),
                          indices(program, store, lane_element(base)), access_class(store),
                          /*step_down=*/!body.full && loop_.tail == plan::Tail::peeled, aligned,
                          /*nontemporal=*/aligned && body.nontemporal);
  };
  for (auto [p, program] : llvm::enumerate(programs_))
    for (auto [i, base] : llvm::enumerate(body.bases)) {
      mlir::Value value = values[p * body.bases.size() + i];
      mlir::OpBuilder::InsertionGuard guard(builder_);
      auto tested = program.inside.find(store);
      if (tested != program.inside.end()) {
        const InsidePoints &points = tested->second;
        auto branch_on = [&](mlir::Value condition, bool with_else) {
          return scf::IfOp::create(builder_, store.getLoc(), condition, with_else);
        };
        // Masks are dear, and most packets need none.
        if (body.full) {
          mlir::Value end = index_.add(base, index_.constant(plan_.width));
          auto branch = branch_on(are_inside(builder_, store.getLoc(), points, base, end), true);
          builder_.setInsertionPointToStart(branch.thenBlock());
          store_at(program, value, base);
          builder_.setInsertionPointToStart(branch.elseBlock());
        }
        auto branch =
            branch_on(is_inside(builder_, store.getLoc(), points, lane_element(base)), false);
        builder_.setInsertionPointToStart(branch.thenBlock());
      }
      store_at(program, value, base);
    }
}

llvm::SmallVector<tile::LoadOp> LoopEmitter::memory_reads() {
  llvm::SmallVector<tile::LoadOp> reads;
  for (mlir::Operation *op : ops_)
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
      reads.push_back(load);
  for (const plan::EdgePlan &edge : plan_.edges)
    if (edge.source == plan::Source::reload && &plan_.loops[edge.loop] == &loop_)
      reads.push_back(llvm::cast<tile::LoadOp>(nest_.ops[edge.value]));
  return reads;
}

void LoopEmitter::emit_prefetches(mlir::ValueRange bases) {
  if (loop_.prefetch_bytes == 0 && loop_.prefetch_programs == 0)
    return;
  constexpr int64_t line_bytes = 64;
  for (tile::LoadOp load : memory_reads()) {
    // What does not move with the program stays in the caches by itself.
    if (!emitter_.flat_ && !uses_root_index(load, nest_))
      continue;
    int64_t load_bytes = element_bytes(load.getView().getType());
    int64_t packets_per_line = std::max<int64_t>(1, line_bytes / (plan_.width * load_bytes));
    for (Program &program : programs_)
      for (size_t i = 0; i < bases.size(); i += packets_per_line) {
        mlir::Value element =
            index_.add(bases[i], index_.constant(loop_.prefetch_bytes / load_bytes));
        Values at = indices(program, load, element);
        if (loop_.prefetch_programs > 0 && !emitter_.flat_)
          for (auto [value, original] : llvm::zip(at, load.getSpans()))
            if (llvm::is_contained(program.coordinates, value))
              value = index_.add(value, index_.constant(loop_.prefetch_programs));
        lane::PrefetchOp::create(builder_, load.getLoc(), emitter_.lane_view(load.getView()), at);
      }
  }
}

// Operands and addresses

LoopEmitter::Values &LoopEmitter::tile(Body &body, mlir::Value value) {
  auto found = body.tiles.find(value);
  if (found != body.tiles.end())
    return found->second;
  if (!llvm::isa<tile::TileType>(value.getType())) {
    Values repeated;
    for (Program &program : programs_)
      repeated.append(body.bases.size(), program.scalars.lookupOrDefault(value));
    return body.tiles[value] = repeated;
  }
  if (source(value) == plan::Source::reload) {
    emit_load(body, value.getDefiningOp<tile::LoadOp>());
    return body.tiles[value];
  }
  if (source(value) == plan::Source::recompute) {
    emit_map(body, value.getDefiningOp<tile::MapOp>());
    return body.tiles[value];
  }
  Values kept;
  for (Program &program : programs_)
    for (mlir::Value base : body.bases)
      kept.push_back(lane::GetOp::create(builder_, location_, tile::element_type(value.getType()),
                                         program.kept.lookup(value), base, /*row=*/true));
  return body.tiles[value] = kept;
}

plan::Source LoopEmitter::source(mlir::Value value) {
  int maker = nest_.maker.lookup(value);
  auto loop = static_cast<int>(&loop_ - plan_.loops.data());
  for (const plan::EdgePlan &edge : plan_.edges)
    if (edge.value == maker && edge.loop == loop)
      return edge.source;
  return plan::Source::stream;
}

mlir::Value LoopEmitter::lane_element(mlir::Value base) {
  mlir::Value element = index_.add(base, lane_);
  return element;
}

LoopEmitter::Values LoopEmitter::indices(Program &program, mlir::Operation *access,
                                         mlir::Value element) {
  if (emitter_.flat_)
    return {index_.add(emitter_.flat_base_.front(), element)};
  Values indices;
  auto add_indices = [&](auto of) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(of.getSpans().size()); ++dim) {
      if (mlir::Value coordinate = of.coordinate(dim))
        indices.push_back(program.scalars.lookup(coordinate));
      else if (mlir::Value origin = of.origin(dim))
        indices.push_back(index_.add(program.scalars.lookup(origin), element));
      else
        indices.push_back(element);
    }
  };
  if (auto load = llvm::dyn_cast<tile::LoadOp>(access))
    add_indices(load);
  else
    add_indices(llvm::cast<tile::StoreOp>(access));
  return indices;
}

lane::Access LoopEmitter::access_class(mlir::Operation *access) {
  if (emitter_.flat_)
    return lane::Access::consecutive;
  bool load = llvm::isa<tile::LoadOp>(access);
  auto view = llvm::cast<tile::ViewType>(access->getOperand(load ? 0 : 1).getType());
  auto spans = access->getAttrOfType<mlir::ArrayAttr>("spans");
  for (auto [dim, span] : llvm::enumerate(spans))
    if (tile::spanning_axis(span))
      return static_cast<int64_t>(dim) == view.getUnitDim() ? lane::Access::consecutive
                                                            : lane::Access::strided;
  return lane::Access::uniform;
}

tile::StoreOp LoopEmitter::aligned_store() {
  for (mlir::Operation *op : ops_)
    if (auto store = llvm::dyn_cast<tile::StoreOp>(op))
      return store;
  return {};
}

bool LoopEmitter::is_aligned(tile::StoreOp store) {
  tile::StoreOp aligned = aligned_store();
  if (store == aligned)
    return true;
  std::optional<int64_t> distance = emitter_.flat_ ? std::nullopt : distance_in_row(aligned, store);
  return distance && *distance % stores_unit() == 0;
}

LoopEmitter::Values LoopEmitter::clone_region(mlir::Region &region, mlir::IRMapping &mapping) {
  mlir::Block &block = region.front();
  for (mlir::Operation &op : block.without_terminator())
    builder_.clone(op, mapping);
  Values yielded;
  for (mlir::Value value : block.getTerminator()->getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

} // namespace tilewright::lower
