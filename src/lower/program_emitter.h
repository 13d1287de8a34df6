// Emits what one packet of programs does: scalars, private arrays and the loops of the plan.
//
// A *step block* is the set of programs that run together, operation by operation (row blocking);
// in the flat mapping it is all programs [begin, end) at once, seen as one long row.
#pragma once

#include "lane/lane.h"
#include "lower/index_math.h"
#include "lower/inside_points.h"
#include "lower/nest.h"
#include "mlir/IR/IRMapping.h"
#include "plan/plan.h"

namespace tilewright::lower {

/// One program of a step block.
struct Program {
  llvm::SmallVector<mlir::Value> coordinates;    ///< its point of the root axes; empty when flat
  mlir::IRMapping scalars;                       ///< tile IR scalars -> lane IR scalars
  llvm::DenseMap<mlir::Value, mlir::Value> kept; ///< kept tiles -> private arrays
  llvm::DenseMap<mlir::Operation *, InsidePoints> inside; ///< of accesses that are tested
};

class ProgramEmitter {
public:
  /// Emits at the builder's insertion point. `views` are the phase's views, in order.
  ProgramEmitter(mlir::OpBuilder &builder, IndexMath &index, Nest &nest, const plan::Plan &plan,
                 mlir::ValueRange views);

  /// One private array per kept tile and program of the largest step block; before any other call.
  void allocate_private_arrays();

  /// Runs the programs whose numbers are given (their order among the root axes' points).
  void emit_programs(llvm::ArrayRef<mlir::Value> numbers);

  /// Runs programs [begin, end) one after another, the first loop of each inside the last loop of
  /// the one before. The last program's first loop is run once more instead of one that does not
  /// exist, which leaves one body to compile.
  void emit_overlapped(mlir::Value begin, mlir::Value end);

  /// Runs programs [begin, end) as one row of elements in memory order.
  void emit_flat(mlir::Value begin, mlir::Value end);

private:
  friend class LoopEmitter;

  mlir::Value axis_extent(tile::AxisOp axis);
  mlir::Value lane_view(mlir::Value view) { return scalars_.lookup(view); }

  /// The lane IR scalar for a tile IR scalar; emits the pure operations it needs.
  mlir::Value scalar(Program &program, mlir::Value value);
  /// Emits where a block that is tested lies inside of its view.
  template <typename Access>
  void prepare_block(Program &program, Access access);
  /// Emits every scalar from outside that the op uses, so that loops can use it.
  void prepare_scalars(Program &program, mlir::Operation *op);
  /// Emits scalar loads and stores that come before op number `limit`, in program order.
  void emit_scalar_accesses(llvm::MutableArrayRef<Program> programs, int limit);
  /// The program of this number; its scalars are its coordinates.
  Program program(mlir::Value number);
  void prepare_scalars(llvm::MutableArrayRef<Program> programs, const plan::LoopPlan &loop);
  /// Runs the plan's loops from loop number `first`; `next` is the program whose first loop runs
  /// inside the last.
  void emit_loops(llvm::MutableArrayRef<Program> programs, mlir::Value extent, size_t first = 0,
                  Program *next = nullptr);

  mlir::OpBuilder &builder_;
  Nest &nest_;
  const plan::Plan &plan_;
  mlir::Location location_;
  IndexMath &index_;
  mlir::IRMapping scalars_; ///< views, and nothing else
  bool flat_;
  llvm::SmallVector<mlir::Value> flat_base_; ///< the first element's number in the flat mapping
  llvm::SmallVector<llvm::DenseMap<mlir::Value, mlir::Value>> private_arrays_;
  int next_scalar_access_ = 0;
};

} // namespace tilewright::lower
