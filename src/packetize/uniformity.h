// Uniformity: how each value of a phase differs between the lanes of a packet.
//
// A forward analysis over the structured code. A spread starts as `none` and only rises, none <
// steps(k) < varying, so the fixpoint over a loop's carried values ends after at most two rounds
// per carried value. Index arithmetic is taken not to wrap between the lanes of one packet.
#pragma once

#include <string>

#include "lane/lane.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::packetize {

/// What is known of a value's lanes: lane i holds `value of lane 0 + i * stride`, or nothing.
class Spread {
public:
  Spread() = default; ///< no lane has computed it yet
  static Spread uniform() { return steps(0); }
  static Spread steps(int64_t stride) { return {Kind::steps, stride}; }
  static Spread varying() { return {Kind::varying, 0}; }

  bool is_none() const { return kind_ == Kind::none; }
  bool is_uniform() const { return kind_ == Kind::steps && stride_ == 0; }
  bool is_steps() const { return kind_ == Kind::steps; }
  bool is_varying() const { return kind_ == Kind::varying; }
  int64_t stride() const { return stride_; }

  Spread join(Spread other) const;
  std::string text() const; ///< "uniform", "steps 1" or "varying"
  bool operator==(const Spread &) const = default;

private:
  enum class Kind { none, steps, varying };
  Spread(Kind kind, int64_t stride) : kind_(kind), stride_(stride) {}

  Kind kind_ = Kind::none;
  int64_t stride_ = 0;
};

class Uniformity {
public:
  explicit Uniformity(lane::PhaseOp phase);

  Spread of(mlir::Value value) const;

  /// How the addresses of the lanes relate for these indices.
  lane::Access access(tile::ViewType view, mlir::ValueRange indices) const;

  /// Fails where a load or store claims more than `access` finds.
  mlir::LogicalResult check_claims() const;

private:
  void visit(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visit_for(mlir::scf::ForOp loop);
  void visit_if(mlir::scf::IfOp branch);
  Spread transfer(mlir::Operation &op) const;
  bool raise(mlir::Value value, Spread spread); ///< true when it was lower before
  bool all_uniform(mlir::ValueRange values) const;

  int64_t width_;
  lane::PhaseOp phase_;
  llvm::DenseMap<mlir::Value, Spread> spreads_;
};

} // namespace tilewright::packetize
