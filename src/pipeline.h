// The compiler as one call: a kernel in, native code out. Free of MLIR and LLVM, so that the
// runtime and the tools build in seconds; `pipeline.cpp` is the list of stages.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/on_demand.h"
#include "tilewright/abi.h"
#include "tilewright/argument.h"
#include "tilewright/kernel_source.h"
#include "tilewright/result.h"

namespace tilewright {

/// Tile IR with the context that owns it. Movable, not copyable. Made by record() or parse_tile().
class TileModule {
public:
  struct Content; // holds MLIR objects; defined in tile/module.h
  explicit TileModule(std::unique_ptr<Content> content);
  TileModule(TileModule &&) noexcept;
  TileModule &operator=(TileModule &&) noexcept;
  ~TileModule();

  std::string kernel_name() const;
  std::vector<Parameter> parameters() const;
  std::string text() const; ///< the public text form
  Content &content() { return *content_; }
  const Content &content() const { return *content_; }

private:
  std::unique_ptr<Content> content_;
};

/// Which extents a module was specialised on. `extents[i][d]` is -1 where any extent will do.
struct ShapeClass {
  std::vector<std::vector<int64_t>> extents;
  std::vector<int> unit_dims; ///< per view the dimension of stride one, -1 for none
  std::vector<bool> packed;   ///< per view: row-major without gaps
  bool operator==(const ShapeClass &) const = default;
};

/// A recorded kernel: its tile IR and, per parameter and dimension, whether the extent is dynamic.
struct Recorded {
  TileModule module;
  std::vector<std::vector<bool>> dynamic;
};

/// Runs the lambda and writes down what it does, for arguments like these (only types, extents and
/// strides matter). Root-parallel extents become dynamic, all others static, unless the kernel asks
/// otherwise. Defined in language/.
Result<Recorded> record(const KernelSource &source, std::span<const Argument> arguments);

/// Reads tile IR from its text form (`name` is used in messages); it holds exactly one kernel.
Result<TileModule> parse_tile(const std::string &text, const std::string &name);

/// A fact about the arguments that the compiled code relies on and the launch has to check.
/// A block of a dimension that compiled code takes to lie inside, from an origin that the launch
/// decides: constant + sum of factor * extent, and for each index of a nest factor * (0 up to its
/// extent, exclusive).
struct BlockCheck {
  struct Term {
    int64_t factor = 0;
    int view = 0;
    int dim = 0;
    bool index = false; ///< an index that runs up to this extent, not the extent itself
  };
  int axis_view = 0; ///< the block is as long as this extent
  int axis_dim = 0;
  int64_t constant = 0;
  std::vector<Term> terms;
};

struct ExtentCheck {
  int view = 0;
  int dim = 0;
  int other_view = -1; ///< the extents of (view, dim) and (other_view, other_dim) are equal...
  int other_dim = -1;
  int64_t exact = -1;                   ///< ...or the extent is this number...
  int64_t at_least = -1;                ///< ...or no smaller than this one
  std::optional<BlockCheck> block = {}; ///< ...or this block lies inside
  std::string axis;                     ///< the axis that demands it, for messages
};

struct CompiledPhase {
  std::string symbol;
  tw_phase function = nullptr;
  int64_t workspace_bytes = 0; ///< per worker
  /// The number of programs is the product of these extents (view, dimension); one when empty.
  std::vector<std::pair<int, int>> program_extents;
  int64_t task_programs = 0; ///< programs per worker task; 0: run all on the caller
};

struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

/// Native code of one kernel for one shape class. Immutable and shared between threads.
struct CompiledKernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<ExtentCheck> checks;
  std::vector<CompiledPhase> phases;
  std::string plan_json;          ///< the plan of the first phase
  std::string plan_line;          ///< the same in one line
  std::vector<std::string> notes; ///< performance notes
  std::vector<StageTime> times;   ///< in pipeline order
  std::string object;             ///< the relocatable object, as bytes
  std::shared_ptr<void> code;     ///< keeps the machine code alive
  /// What runs where a phase returns TW_OVERLAP: the same phases, right on any addresses. Null
  /// where none does so.
  std::shared_ptr<OnDemand<CompiledKernel>> safe_body;
};

/// Where the body lives that runs when a guard fails.
enum class SafeBody {
  on_demand, ///< not compiled before a launch needs it: CompiledKernel::safe_body
  in_object, ///< behind the guard, for objects that run without a compiler
  only,      ///< nowhere else: there is no other body, and no guard; for tests
};

struct CompileOptions {
  std::string isa;       ///< "", the host, or "x86-64-v2" | "x86-64-v3" | "x86-64-v4"
  std::string plan_json; ///< choices to fix; the planner makes the others
  SafeBody safe_body = SafeBody::on_demand;
  bool sanitize_address = false; ///< instrument loads and stores for AddressSanitizer
  int workers = 1;               ///< how many workers the launch has (for the task grain)
  /// Extents of a typical launch, per view; empty when unknown. A hint for the planner's prices: it
  /// never changes a result, and the code serves every extent of the shape class.
  std::vector<std::vector<int64_t>> expected_extents;
  /// Called after each stage or pass with its name and the IR (or assembly) it leaves.
  std::function<void(const std::string &stage, const std::string &text)> after_stage;
  std::string stop_after; ///< stop once this stage has run; the result then has no phases
};

/// All stages from tile IR to native code. Consumes the module.
Result<std::shared_ptr<CompiledKernel>> compile(TileModule module, const CompileOptions &options);

/// Every plan that is declared for the module's kernel on the options' instruction set, as JSON for
/// `plan_json`: for tests that hold all plans to the same bits. The module stays as it is.
Result<std::vector<std::string>> declared_plans(const TileModule &module,
                                                const CompileOptions &options);

/// Names of stages and passes in order, as --stop-after takes them.
std::vector<std::string> stage_names();

/// The reference: evaluates tile IR on the arguments, element by element, with exact types. Writes
/// through the views the kernel stores to. Defined in reference/.
Status evaluate_reference(const TileModule &module, std::span<const Argument> arguments);

} // namespace tilewright
