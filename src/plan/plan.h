// A plan: every choice the compiler makes for a kernel, as plain data. It contains only choices
// that `lower` can carry out; `admit` (admit.h) says which plans those are for a given kernel and
// machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/result.h"

namespace tilewright::plan {

struct KernelSummary;

/// How programs and tile elements are laid onto lanes.
enum class Mapping {
  flat, ///< all axes of an element-wise kernel collapsed: lanes walk memory order
  row   ///< one program per packet; lanes split `lane_axis`: element = width * q + lane
};

/// How the elements that do not fill a packet are run.
enum class Tail {
  masked,    ///< one masked packet, masked stores
  peeled,    ///< one masked packet, whose stores step down in width (8, 4, 2, 1 lanes)
  overlapped ///< one full packet that ends at the last element and repeats some elements; its
             ///< loads come before the main loop and its stores after it
};

/// How a loop gets a tile that another loop (or its own) produced.
enum class Source {
  stream,   ///< in registers: producer and consumer share the loop
  keep,     ///< from a private array that the producing loop filled
  reload,   ///< loaded again from its view (loads only)
  recompute ///< computed again from its inputs, which the loop gets by edges too (maps only)
};

/// One fused loop over `lane_axis`. `ops` are indices into KernelSummary::ops, ascending.
struct LoopPlan {
  std::vector<int> ops;
  int packets = 1; ///< packets per step, issued operation by operation (lock step)
  Tail tail = Tail::masked;
  bool align_stores = false; ///< start the main loop where stores are aligned to a packet
  bool nontemporal = false;  ///< stores of full steps bypass the caches, from a cache line on
                             ///< (needs align_stores)
  int prefetch_bytes = 0;    ///< how far ahead every load of a view prefetches; 0: not at all
  int prefetch_programs = 0; ///< prefetch the same element of a later program instead; 0: not

  bool operator==(const LoopPlan &) const = default;
};

/// The loop `loop` gets the tile that op `value` makes in this way.
struct EdgePlan {
  int value = 0;
  int loop = 0;
  Source source = Source::stream;

  bool operator==(const EdgePlan &) const = default;
};

/// Choices for one root nest (a phase).
struct Plan {
  Mapping mapping = Mapping::row;
  int width = 8;             ///< lanes per packet, a power of two
  int programs_per_step = 1; ///< row blocking: programs run together, operation by operation
  bool guard = true;         ///< test views for harmful overlap; on failure the safe body runs
  /// The first loop of the next program runs inside the last loop of this one.
  bool overlap_programs = false;
  std::vector<LoopPlan> loops;
  std::vector<EdgePlan> edges; ///< edges that are not listed stream
  int64_t task_programs = 0;   ///< programs per worker task; 0: the launch runs on the caller

  bool operator==(const Plan &) const = default;
};

/// Plain-text names, as in JSON and attributes ("row", "peeled", "reload", ...).
std::string to_string(Mapping mapping);
std::string to_string(Tail tail);
std::string to_string(Source source);

/// A plan as one JSON object. Keys are the fields' names:
///
///     {"mapping":"row","width":8,"programs_per_step":1,"guard":true,"overlap_programs":false,
///      "task_programs":0,
///      "loops":[{"ops":[0,1],"packets":8,"tail":"peeled","align_stores":false,
///                "nontemporal":false,"prefetch_bytes":0,"prefetch_programs":0}],
///      "edges":[{"value":0,"loop":1,"source":"reload"}]}
std::string to_json(const Plan &plan);

/// Reads a plan, or some of its choices: keys that are absent keep their values in `base`, an
/// unknown key or value is a user error that names it.
///  - `loops` whose entries have `ops` replace the loops of `base` (and drop its edges, which speak
///    of those loops); entries without `ops` change the loops at the same positions.
///  - `edges` replaces the edges of `base`.
///  - The loops' choices at the top level (`"tail":"peeled"`) apply to every loop, and
///    `"source":"keep"`, `"reload"` or `"recompute"` to every edge that can take it; what an entry
///    of `loops` or `edges` says wins.
Result<Plan> from_json(const std::string &text, const Plan &base = {});

/// One line for tables: "row w8 [0 1]x8 peeled [r0 2 3]x4 overlapped aligned". Ops are numbers, or
/// their kinds where the summary is given: "row w8 [load reduce]x8 peeled [reload map store]x4
/// ...".
std::string one_line(const Plan &plan);
std::string one_line(const Plan &plan, const KernelSummary &summary);

} // namespace tilewright::plan
