// The overlap test of `lane.guard`.
//
// Straight code answers the usual launch: views with small strides forwards, whose byte ranges do
// not meet. What is known of the views when compiling makes it short: two packed views of known row
// length take a multiplication and two comparisons. Behind a branch stands a call of the whole
// test, `tw_views_apart`. No wrapped number makes either of them true.
#pragma once

#include "packetize/emitter.h"

namespace tilewright::packetize {

class GuardEmitter {
public:
  explicit GuardEmitter(Emitter &emitter) : emitter_(emitter) {}

  /// An i1: may the store through one view and the access of another share a loop? Both are views
  /// of the launch.
  mlir::Value emit(const View &stored, const View &other, bool same_element_first);

private:
  /// The byte behind the last element. Right where `factors`, all or-ed together, are below 2^31,
  /// and `count`, the elements up to there, is below 2^55 (null: known to be).
  struct QuickRange {
    mlir::Value end, factors, count;
  };

  mlir::Value quickly_apart(const View &a, const View &b);
  std::optional<QuickRange> quick_range(const View &view);
  mlir::Value surely_apart(const View &stored, const View &other, bool same_element_first);

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b); ///< null stands for zero
  mlir::Value address(const View &view) { return emitter_.address(view.data); }

  Emitter &emitter_;
};

} // namespace tilewright::packetize
