// The overlap test of `lane.guard`.
//
// Straight code answers the usual launch: views with small strides forwards, whose byte ranges do
// not meet. What is known of the views when compiling makes it short: two packed views of known row
// length take a multiplication and two comparisons. Behind one branch for all pairs stand
// calls of the whole test, `tw_views_apart`. No wrapped number makes either of them true.
#pragma once

#include "packetize/emitter.h"

namespace tilewright::packetize {

/// A view that is stored through and another that is accessed, both of the launch.
struct GuardedPair {
  View stored, other;
  bool same_element_first;
};

class GuardEmitter {
public:
  explicit GuardEmitter(Emitter &emitter) : emitter_(emitter) {}

  /// An i1: may the stores and accesses of each pair share a loop? There is at least one pair.
  mlir::Value emit(llvm::ArrayRef<GuardedPair> pairs);

private:
  /// The byte behind the last element. Right where `factors`, all or-ed together, are below 2^31,
  /// and `count`, the elements up to there, is below 2^55 (null: known to be).
  struct QuickRange {
    mlir::Value end, factors, count;
  };

  mlir::Value quickly_apart(llvm::ArrayRef<GuardedPair> pairs);
  std::optional<QuickRange> quick_range(const View &view);
  mlir::Value surely_apart(llvm::ArrayRef<GuardedPair> pairs);
  mlir::Value surely_apart(const GuardedPair &pair);

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b); ///< null stands for zero
  mlir::Value both(mlir::Value a, mlir::Value b);   ///< null stands for true
  mlir::Value address(const View &view) { return emitter_.address(view.data); }

  Emitter &emitter_;
};

} // namespace tilewright::packetize
