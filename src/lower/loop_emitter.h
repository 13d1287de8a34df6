// Emits one fused loop of a plan, for all programs of a step block.
//
// With W lanes, P packets per step and n elements the loop is
//
//     [edges: load and compute the first and the last packet]      overlapped tails only
//     main loop:      P packets a step, full
//     remainder loop: one packet a step, full                      when P > 1
//     tail:           one masked packet                            masked and peeled tails
//     [edges: store what was computed at the start]                overlapped tails only
//
// and where stores are aligned without an overlapped tail
//
//     main loop:      P packets a step, full
//     edges loop:     what comes before and after, one masked packet a step
//
// A loop of the next program can run beside it: each step of the main loop then also runs as many
// elements of that loop, which goes on alone after the main loop:
//
//     main loop:      one step of this program and of the next
//     the rest of the next program's loop, and then of this one
//
// Accumulators: a reduction with S slots has S / W packet accumulators per carried value. A step of
// P packets updates the first P and rotates them to the end; the halving tree does not see a
// rotation by whole packets, because it is a rotation of the slots (see Grouping in
// tile_dialect.td).
#pragma once

#include "lower/program_emitter.h"

namespace tilewright::lower {

class LoopEmitter {
public:
  LoopEmitter(ProgramEmitter &emitter, const plan::LoopPlan &loop,
              llvm::MutableArrayRef<Program> programs, mlir::Value extent);

  /// Afterwards the reductions' results are among the programs' scalars, those of `beside`, a loop
  /// of other programs over the same axis, included.
  void emit(LoopEmitter *beside = nullptr);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// Tiles of one body: for each tile, programs x packets lane values.
  using Tiles = llvm::DenseMap<mlir::Value, Values>;
  enum class Stores { emit, skip };

  /// Packets that are run together; lane i of packet p handles element `bases[p] + i`.
  struct Body {
    Values bases;
    bool aligned = false;     ///< stores to the aligned view start at a packet boundary
    bool nontemporal = false; ///< and bypass the caches
    bool full = true;         ///< every lane is active
    Tiles tiles;
  };

  void start();
  /// Where the main loop starts.
  mlir::Value aligned_start();
  /// Where the main loop may start and end: at multiples of so many elements in memory.
  int64_t stores_unit();
  void start_accumulators();
  void finish_reductions();
  /// After some packets: the next one updates the accumulators that come next.
  void rotate_accumulators(int packets);

  /// Runs elements [from, to), `step` of them at a time; `to - from` is a multiple of that. With
  /// `beside`, each step also runs a step of that loop, whose elements count from 0.
  void emit_steps(mlir::Value from, mlir::Value to, int64_t step, LoopEmitter *beside = nullptr);
  /// One step from `base`, in bodies of no more packets than the plan says.
  void emit_step(mlir::Value base, int64_t step);
  /// Runs the elements from `from`: full packets one by one, if there can be any, and the tail.
  void emit_rest(mlir::Value from, bool packets_left);
  /// One packet: those of its elements that come before `end`.
  void emit_masked(mlir::Value base, mlir::Value end);
  /// The elements before `from` and those from `to` on.
  void emit_masked_edges(mlir::Value from, mlir::Value to);
  void emit_body(Body &body, Stores stores);
  void emit_stores(Body &body);
  void emit_load(Body &body, tile::LoadOp load);
  void emit_map(Body &body, tile::MapOp map);
  void emit_reduce(Body &body, tile::ReduceOp reduce);
  void emit_store(Body &body, tile::StoreOp store);
  void emit_prefetches(mlir::ValueRange bases);
  /// The loads that the loop runs: its own and those it reloads.
  llvm::SmallVector<tile::LoadOp> memory_reads();

  Values &tile(Body &body, mlir::Value tile);
  mlir::Value lane_element(mlir::Value base);
  Values indices(Program &program, mlir::Operation *access, mlir::Value element);
  lane::Access access_class(mlir::Operation *access);
  /// Clones the operations of a region; gives what it yields.
  Values clone_region(mlir::Region &region, mlir::IRMapping &mapping);
  plan::Source source(mlir::Value tile);
  int64_t step() const { return int64_t{plan_.width} * loop_.packets; }
  bool ragged();
  /// The store whose view decides where the main loop starts.
  tile::StoreOp aligned_store();
  /// Whether the store is aligned where that one is: the same, or of the same row at a multiple.
  bool is_aligned(tile::StoreOp store);

  ProgramEmitter &emitter_;
  Nest &nest_;
  const plan::Plan &plan_;
  const plan::LoopPlan &loop_;
  llvm::MutableArrayRef<Program> programs_;
  mlir::Value extent_;
  mlir::OpBuilder &builder_;
  mlir::Location location_;
  IndexMath &index_;
  llvm::SmallVector<mlir::Operation *> ops_;
  llvm::SmallVector<tile::ReduceOp> reductions_;
  mlir::Value lane_;
  /// All accumulators in one list: by program, reduction, carried value, packet.
  Values accumulators_;
  llvm::SmallVector<int> packets_of_; ///< accumulators per carried value, for each entry of a group
};

} // namespace tilewright::lower
