// A kernel under every plan that is declared for it, on every instruction set of this machine,
// against the reference on an identical copy of the memory.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline.h"

namespace tilewright {

/// An array of f32. A blank one holds NaN before a launch, others random numbers.
struct Array {
  int64_t elements = 0;
  bool blank = false;
};

/// Where the elements of one parameter are. Offsets and strides count elements.
struct Placement {
  int array = 0;
  int64_t offset = 0;
  Dimensions extents;
  Dimensions strides;
};

/// Row-major from `offset` on.
Placement place(int array, int64_t offset, Dimensions extents);

/// The memory of a launch: nothing lies between or beside the arrays, so that arguments overlap
/// exactly where the places of one array do.
struct Layout {
  std::vector<Array> arrays;
  std::vector<Placement> places; ///< one per parameter
};

/// What the guard of the plans that have one is expected to say.
enum class Guard { holds, fails, either };

class AllPlans {
public:
  /// With a `tolerance`, for functions that are not correctly rounded, results are only that near
  /// to the reference's; those of all plans are the same bits.
  explicit AllPlans(KernelSource source, double tolerance = 0)
      : source_(std::move(source)), tolerance_(tolerance) {}

  /// Every shape class compiles its share of so many of the declared plans, each class other ones;
  /// the environment variable TILEWRIGHT_ALL_PLANS, set to anything, asks for all of them.
  void limit_plans(size_t plans_per_isa) { plans_per_isa_ = plans_per_isa; }

  /// Runs each plan once, its programs in two calls, and holds every byte of all arrays to the
  /// reference. The arrays stand at the end of a page, at the start of one, or amid a pattern,
  /// which has to stay. Code is made once per shape class.
  void check(const Layout &layout, Guard guard = Guard::either);

  int runs() const { return runs_; }
  int safe_runs() const { return safe_runs_; }

private:
  using Bytes = std::vector<std::byte>;
  struct Code {
    std::string plan; ///< with the instruction set, for messages
    std::shared_ptr<CompiledKernel> kernel;
  };
  struct Class {
    ShapeClass shape;
    std::string simplified; ///< tile IR whose numerics are final
    std::vector<Code> code;
  };

  Class &class_of(const std::vector<Argument> &arguments);
  void compile_all(Class &made, const std::vector<Argument> &arguments);
  std::vector<Bytes> expected(const Class &made, const Layout &layout,
                              const std::vector<Bytes> &initial) const;
  bool run(const Code &code, const Layout &layout, const std::vector<Bytes> &initial,
           std::vector<Bytes> &expected, bool &is_first, int number);

  KernelSource source_;
  double tolerance_ = 0;
  size_t plans_per_isa_ = 20;
  std::vector<std::unique_ptr<Class>> classes_;
  int runs_ = 0;
  int safe_runs_ = 0;
};

/// "x86-64-v2", ...: those that this machine has.
std::vector<std::string> runnable_isas();

} // namespace tilewright
