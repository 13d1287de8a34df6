// A random tile program as plain data: easy to make, to shrink and to print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tilewright/argument.h"

namespace tilewright::fuzz {

/// A view of a buffer. Its dimensions are axes of the program: every tile axis, or none.
struct View {
  int buffer = 0;
  std::vector<int> axes; ///< per dimension
  int64_t wider = 0;     ///< positions that the last dimension has beyond its axis's extent; then
                         ///< only blocks span it
  std::vector<int64_t> strides;
  int64_t offset = 0; ///< of element (0, ...), in elements of the buffer
  bool stored = false;
  bool packed = false; ///< the type promises it
  int unit_dim = -1;   ///< the type promises it; -1 for none
};

/// A buffer of the program's element type.
struct Buffer {
  int64_t elements = 0;
  bool loaded = false; ///< if not, it starts as NaN
};

/// A block of a view's last dimension, from constant + per_program * (the first root index) on.
struct Block {
  int64_t constant = 0;
  int64_t per_program = 0;
  bool assumed = false; ///< only where it lies inside
  std::string fill;     ///< of a load; empty: none
};

/// One operation of arith or math inside a map, or on scalars of the program. Operands are earlier
/// values: arguments of the map, then captured scalars, then constants, then earlier steps.
struct Step {
  std::string name;
  std::vector<int> operands;
};

enum class OpKind { load, map, reduce, store };

struct Op {
  OpKind kind = OpKind::load;
  int view = -1; ///< load, store
  std::optional<Block> block;
  std::vector<int> inputs;  ///< ops that made the tiles (map, reduce, store)
  std::vector<int> scalars; ///< ops that made captured scalars (map), or the seed (reduce)
  std::vector<std::string> constants;
  std::vector<Step> steps; ///< map; without inputs it computes one scalar
  /// reduce: "add", "mul", "max", "min", "square" (sum of squares), "pick" (the element that the
  /// input's largest has in a second input: two carried values, and a merge that does not commute)
  std::string combine;
};

/// How far compiled code and reference may differ: in nothing; by two units in the last place where
/// a function that is not correctly rounded is stored; or by anything, when its results are
/// computed with. All plans for one instruction set agree in every bit in any case.
enum class Agreement { bits, two_ulps, plans_only };

struct Program {
  std::string element = "f32";  ///< "f32", "f64" or "i32"
  std::vector<int64_t> extents; ///< of all axes; the first `parallel` of them make the programs
  int parallel = 1;
  bool dynamic_roots = true;
  bool contract = true;
  std::vector<Buffer> buffers;
  std::vector<View> views;
  std::vector<Op> ops;
  uint64_t data_seed = 0;
  std::string text; ///< tile IR that was read from a file; then there are no `ops`
  Agreement text_agreement = Agreement::bits; ///< of `text`

  int tile_axes() const { return static_cast<int>(extents.size()) - parallel; }
  bool is_tile_view(const View &view) const;
  int64_t extent(const View &view, size_t dim) const;
  bool is_tile(int op) const; ///< whether the op's value is a tile; else a scalar
};

/// A program that does not interfere with itself, as a function of the seed.
Program generate(uint64_t seed);

/// The public text form.
std::string to_text(const Program &program);

Agreement agreement(const Program &program);

/// Smaller programs of the same kind, the boldest cuts first.
std::vector<Program> smaller(const Program &program);

ElementType element_type(const Program &program);

} // namespace tilewright::fuzz
