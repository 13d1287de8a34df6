// The overlap test of `lane.guard`, as straight scalar code.
//
// The byte range of a view is taken from its real extents and strides, whatever their signs.
// Offsets outside +-2^55 elements, overflowing products and ranges that leave the address space
// make a view *odd*; an odd view is disjoint from nothing. So no wrapped number makes the test
// true.
#pragma once

#include "packetize/emitter.h"

namespace tilewright::packetize {

class GuardEmitter {
public:
  explicit GuardEmitter(Emitter &emitter) : emitter_(emitter) {}

  /// An i1: may the store through one view and the access of another share a loop?
  mlir::Value emit(const View &stored, const View &other, bool same_element_first);

private:
  /// Bytes [first, last), their arithmetic sound when `sound`, and no element at all when `empty`
  /// (null: never).
  struct Range {
    mlir::Value first, last, sound, empty;
  };

  const Range &range(const View &view);
  Range make_range(const View &view);
  mlir::Value same_elements(const View &a, const View &b);
  mlir::Value slices_apart(const View &a, const View &b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);   ///< null stands for true
  mlir::Value either(mlir::Value a, mlir::Value b); ///< null stands for false
  mlir::Value address(const View &view);
  bool bounded(mlir::Value value) const;

  Emitter &emitter_;
  /// Per data pointer. The range of a view is made where a guard first needs it; later guards in
  /// the same block use it again.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Block *>, Range> ranges_;
};

} // namespace tilewright::packetize
