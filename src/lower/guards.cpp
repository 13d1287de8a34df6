#include "lower/guards.h"

namespace tilewright::lower {

namespace {

struct Access {
  mlir::Operation* op;
  int view;
  bool store;
  mlir::ArrayAttr spans;
  mlir::OperandRange coordinates;
};

std::vector<Access> find_accesses(const Nest& nest) {
  std::vector<Access> accesses;
  for (mlir::Operation* op : nest.ops) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op))
      accesses.push_back({op, static_cast<int>(llvm::cast<mlir::BlockArgument>(
                                                   mlir::Value(load.getView())).getArgNumber()),
                          false, load.getSpans(), load.getCoordinates()});
    else if (auto store = llvm::dyn_cast<tile::StoreOp>(op))
      accesses.push_back({op, static_cast<int>(llvm::cast<mlir::BlockArgument>(
                                                   mlir::Value(store.getView())).getArgNumber()),
                          true, store.getSpans(), store.getCoordinates()});
  }
  return accesses;
}

bool indexed_alike(const Access& a, const Access& b) {
  return a.spans == b.spans && llvm::equal(a.coordinates, b.coordinates);
}

}  // namespace

std::vector<GuardedPair> guarded_pairs(const Nest& nest) {
  std::vector<Access> accesses = find_accesses(nest);
  auto views = static_cast<int>(nest.kernel.views().size());
  std::vector<GuardedPair> pairs;
  for (int stored = 0; stored < views; ++stored)
    for (int other = 0; other < views; ++other) {
      if (stored == other) continue;
      bool stored_stores = false, other_stores = false, other_accessed = false;
      bool alike = true, any_store = false;
      const Access* first = nullptr;
      for (const Access& access : accesses) {
        if (access.view != stored && access.view != other) continue;
        stored_stores |= access.view == stored && access.store;
        other_stores |= access.view == other && access.store;
        other_accessed |= access.view == other;
        if (!first) first = &access;
        alike &= indexed_alike(*first, access) && (access.store || !any_store);
        any_store |= access.store;
      }
      // Two stored views make one pair.
      if (!stored_stores || !other_accessed || (other_stores && other < stored)) continue;
      pairs.push_back({stored, other, alike});
    }
  return pairs;
}

}  // namespace tilewright::lower
