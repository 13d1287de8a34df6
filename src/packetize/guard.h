// The overlap test of `lane.guard`, as scalar code.
//
// Straight code answers the usual launch: views with small strides forwards, whose byte ranges do
// not meet. Behind a branch stands the whole test, for extents and strides of any sign and size:
// offsets outside +-2^55 elements, overflowing products and ranges that leave the address space
// make a range unsound, and such a range is disjoint from nothing. So no wrapped number makes a
// test true.
#pragma once

#include "packetize/emitter.h"

namespace tilewright::packetize {

class GuardEmitter {
public:
  explicit GuardEmitter(Emitter &emitter) : emitter_(emitter) {}

  /// An i1: may the store through one view and the access of another share a loop?
  mlir::Value emit(const View &stored, const View &other, bool same_element_first);

private:
  /// A range as the straight code takes it: the byte behind the last element. Sound where `high`,
  /// the offset of the last element, is below 2^55 and `factors`, or-ed together, are below 2^31
  /// (null: known to be).
  struct QuickRange {
    mlir::Value end, high, factors;
  };
  /// Bytes [first, last), their arithmetic sound when `sound`, and no element at all when `empty`
  /// (null: never).
  struct Range {
    mlir::Value first, last, sound, empty;
  };

  mlir::Value quickly_apart(const View &a, const View &b);
  QuickRange quick_range(const View &view);
  mlir::Value surely(const View &stored, const View &other, bool same_element_first);
  Range range(const View &view);
  mlir::Value same_elements(const View &a, const View &b);
  mlir::Value slices_apart(const View &a, const View &b);

  mlir::Value otherwise(mlir::Value condition, llvm::function_ref<mlir::Value()> test);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);   ///< null stands for true
  mlir::Value either(mlir::Value a, mlir::Value b); ///< null stands for false
  mlir::Value address(const View &view) { return emitter_.address(view.data); }
  bool bounded(mlir::Value value) const;

  Emitter &emitter_;
};

} // namespace tilewright::packetize
