// What planning needs to know about a kernel, as plain data. `extract` makes it from tile IR, so
// that everything else in `plan` builds and tests without MLIR and cannot know an operator's name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::plan {

inline constexpr int64_t dynamic_extent = -1;

struct AxisSummary {
  std::string name;
  int64_t extent = dynamic_extent;
  int view = -1; ///< its extent is that of dimension `dim` of this view
  int dim = -1;
};

struct ViewSummary {
  std::string name; ///< the parameter's name, or "argument 2"
  std::vector<int64_t> extents;
  int element_bytes = 4;
  int unit_dim = -1; ///< the dimension whose stride is one; -1 when none is known
  bool read_only = false;
  bool packed = false;
  bool stored = false; ///< some op stores through it
  bool loaded = false;
};

enum class OpKind { load, store, map, reduce };

/// How often each class of scalar operation occurs in an op's body, per element.
struct OpCounts {
  int simple = 0; ///< add, sub, mul, fma, min, max, compare, select, bit operations
  int divide = 0;
  int square_root = 0;
  int function = 0; ///< exp and other functions that expand to many operations
};

/// A position along a dimension: constant + sum of factor * symbol, for factors that are not zero.
/// Symbols from 0 on are extents that only the launch knows (see extent_symbol); those below 0 are
/// root indices and other scalars. Every symbol has one value throughout a program.
struct Position {
  int64_t constant = 0;
  std::map<int, int64_t> factors;
  bool operator==(const Position &) const = default;
};

constexpr int extent_symbol(int view, int dim) { return 8 * view + dim; }

/// Where an access spans a dimension with a block of its axis.
struct BlockSummary {
  Position origin;
  bool tested = false; ///< parts may be outside of the view; else none is
};

/// One operation of the root nest's body, in program order. Loads and stores without axes are
/// *scalar accesses*; everything else is a tile op.
struct OpSummary {
  OpKind kind = OpKind::map;
  int line = 0;            ///< the user's line, 0 when unknown
  std::vector<int> axes;   ///< axes it walks (that span the view, for loads and stores)
  std::vector<int> inputs; ///< tile operands, as indices of the ops that make them
  std::vector<int> after;  ///< reductions and scalar loads whose results it uses, directly or
                           ///< through scalar arithmetic
  bool uses_index = false; ///< its values depend on a root index (beside where it accesses)
  int view = -1;           ///< for loads and stores
  /// For loads and stores, what each view dimension is indexed by: an axis (>= 0), a root index
  /// (~i for the i-th root axis), or any other scalar.
  std::vector<std::optional<int>> indices;
  std::optional<BlockSummary> block; ///< for accesses along an axis that do not span it whole
  int element_bytes = 4;             ///< of the widest element it computes
  OpCounts counts;
  bool commutes = true; ///< for reductions: merge commutes, so slots may be rotated
  int64_t slots = 0;    ///< for reductions: the canonical grouping; 0 when ordered
  int carried = 1;      ///< for reductions: how many values it carries
};

/// One root nest.
struct KernelSummary {
  std::string name;
  std::vector<AxisSummary> axes;
  std::vector<ViewSummary> views;
  std::vector<int> root_axes; ///< axes of the root `parallel`; empty: one program
  std::vector<OpSummary> ops;
};

/// What the planner knows of the machine it plans for.
struct MachineSummary {
  std::string isa;         ///< "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"
  int register_bytes = 32; ///< of one vector register
  int vector_registers = 16;
  bool masked_stores = true;        ///< has instructions that store some lanes
  bool cheap_masked_stores = false; ///< which cost about as much as a plain store
  bool fma = true;
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t last_level_bytes = 32 << 20;
  int workers = 1;
};

} // namespace tilewright::plan
