#include "all_plans.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "language/shape_class.h"
#include "measure/guarded_buffer.h"
#include "native/target.h"
#include "runtime/check_arguments.h"
#include "runtime/execute.h"

namespace tilewright {

namespace {

std::vector<Argument> arguments_of(const KernelSource &source, const Layout &layout,
                                   const std::vector<std::byte *> &arrays) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < layout.places.size(); ++i) {
    const Placement &place = layout.places[i];
    arguments.push_back({.data = arrays[place.array] + place.offset * sizeof(float),
                         .type = ElementType::f32,
                         .extents = place.extents,
                         .strides = place.strides,
                         .read_only = source.parameters[i].read_only});
  }
  return arguments;
}

std::vector<std::vector<std::byte>> initial_bytes(const Layout &layout) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 2);
  std::vector<std::vector<std::byte>> arrays;
  for (const Array &array : layout.arrays) {
    std::vector<std::byte> &bytes =
        arrays.emplace_back(array.elements * sizeof(float), std::byte(0xff));
    for (size_t at = 0; at < bytes.size() && !array.blank; at += sizeof(float)) {
      float value = normal(random);
      std::memcpy(&bytes[at], &value, sizeof value);
    }
  }
  return arrays;
}

template <typename Arrays>
std::vector<std::byte *> addresses(Arrays &arrays) {
  std::vector<std::byte *> all;
  for (auto &array : arrays)
    all.push_back(array.data());
  return all;
}

GuardedBuffer guarded_copy(const std::vector<std::byte> &bytes, int choice) {
  GuardedBuffer buffer = choice % 3 == 0   ? GuardedBuffer::ends_at_page(bytes.size())
                         : choice % 3 == 1 ? GuardedBuffer::begins_at_page(bytes.size())
                                           : GuardedBuffer::padded(bytes.size(), choice * 4 % 124);
  std::copy(bytes.begin(), bytes.end(), buffer.data());
  return buffer;
}

/// The first element that differs, in words. Any two NaNs are the same.
std::string difference(const std::vector<std::byte> &expected, const std::byte *actual,
                       double tolerance) {
  for (size_t at = 0; at < expected.size(); at += sizeof(float)) {
    float want, got;
    std::memcpy(&want, &expected[at], sizeof want);
    std::memcpy(&got, actual + at, sizeof got);
    bool same = std::memcmp(&want, &got, sizeof want) == 0 ||
                (std::isnan(want) && std::isnan(got)) ||
                std::abs(double(got) - want) <= tolerance * (1 + std::abs(want));
    if (same)
      continue;
    char text[128];
    std::snprintf(text, sizeof text, "element %zu: expected %a, got %a", at / sizeof(float), want,
                  got);
    return text;
  }
  return {};
}

/// One program after another, in two calls. Whether the safe body ran.
bool launch(const CompiledKernel &kernel, const std::vector<Argument> &arguments, int number) {
  const runtime::LaunchViews views(arguments);
  bool safe = false;
  for (size_t phase = 0; phase < kernel.phases.size(); ++phase) {
    const int64_t programs = *runtime::count_programs(kernel, kernel.phases[phase], arguments);
    const int64_t cut = programs > 1 ? number % programs : 0;
    for (auto [begin, end] : {std::pair<int64_t, int64_t>(0, cut), {cut, programs}}) {
      if (begin == end)
        continue;
      std::vector<GuardedBuffer> workspaces;
      Result<runtime::ExecuteReport> ran = runtime::run_programs(
          kernel, phase, views.launch(), begin, end, [&](int64_t bytes) -> Result<tw_worker> {
            workspaces.push_back(GuardedBuffer::padded(bytes));
            return tw_worker{workspaces.back().data(), bytes};
          });
      EXPECT_TRUE(ran) << ran.error().message();
      for (const GuardedBuffer &workspace : workspaces)
        EXPECT_EQ(workspace.guard_damage(), "") << "the workspace";
      safe |= ran && ran->safe_body;
    }
  }
  return safe;
}

std::string numbers(std::string text, const Dimensions &dimensions) {
  for (int64_t number : dimensions)
    text += " " + std::to_string(number);
  return text;
}

std::string describe(const Layout &layout) {
  std::string text;
  for (const Placement &place : layout.places)
    text += " array " + std::to_string(place.array) + " + " + std::to_string(place.offset) +
            numbers(" extents", place.extents) + numbers(" strides", place.strides) + ";";
  return text;
}

} // namespace

Placement place(int array, int64_t offset, Dimensions extents) {
  Dimensions strides = row_major_strides(extents);
  return {array, offset, std::move(extents), std::move(strides)};
}

std::vector<std::string> runnable_isas() {
  std::vector<std::string> isas;
  for (const char *isa : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (Result<native::Target> target = native::named(isa); target && native::runs_here(*target))
      isas.push_back(isa);
  return isas;
}

void AllPlans::check(const Layout &layout, Guard guard) {
  SCOPED_TRACE(source_.name + describe(layout));
  std::vector<Bytes> initial = initial_bytes(layout);
  std::vector<Argument> arguments = arguments_of(source_, layout, addresses(initial));
  Status admitted = runtime::check_arguments(source_.name, source_.parameters, arguments);
  ASSERT_TRUE(admitted) << admitted.error().message();
  Class &made = class_of(arguments);
  std::vector<Bytes> right = expected(made, layout, initial);
  bool is_first = true;
  int safe = 0;
  for (const Code &code : made.code) {
    SCOPED_TRACE(code.plan);
    safe += run(code, layout, initial, right, is_first, runs_++);
    if (testing::Test::HasFailure())
      return;
  }
  safe_runs_ += safe;
  EXPECT_TRUE(guard != Guard::holds || safe == 0) << "the guard failed in " << safe << " plans";
  EXPECT_TRUE(guard != Guard::fails || safe > 0) << "the guard held in every plan";
}

AllPlans::Class &AllPlans::class_of(const std::vector<Argument> &arguments) {
  Result<Recorded> recorded = record(source_, arguments);
  EXPECT_TRUE(recorded) << recorded.error().message();
  ShapeClass shape = shape_class(recorded->dynamic, arguments);
  for (const std::unique_ptr<Class> &known : classes_)
    if (known->shape == shape)
      return *known;
  Class &made = *classes_.emplace_back(std::make_unique<Class>());
  made.shape = shape;
  compile_all(made, arguments);
  return made;
}

void AllPlans::compile_all(Class &made, const std::vector<Argument> &arguments) {
  auto code = [&](const CompileOptions &options, const std::string &what) {
    auto kernel = compile(std::move(record(source_, arguments)->module), options);
    ASSERT_TRUE(kernel) << options.isa << ' ' << what << ": " << kernel.error().message();
    made.code.push_back({options.isa + " " + what, std::move(*kernel)});
  };
  for (const std::string &isa : runnable_isas()) {
    CompileOptions options;
    options.isa = isa;
    code(options, "the planner's plan");
    Result<std::vector<std::string>> plans =
        declared_plans(record(source_, arguments)->module, options);
    ASSERT_TRUE(plans) << plans.error().message();
    const bool all = std::getenv("TILEWRIGHT_ALL_PLANS");
    const size_t step = all ? 1 : plans->size() / plans_per_isa_ + 1;
    for (size_t i = (made.code.size() + classes_.size()) % step; i < plans->size(); i += step) {
      options.plan_json = (*plans)[i];
      code(options, options.plan_json);
    }
  }
  CompileOptions simplify;
  simplify.stop_after = "simplify";
  simplify.after_stage = [&](const std::string &, const std::string &text) {
    made.simplified = text;
  };
  ASSERT_TRUE(compile(std::move(record(source_, arguments)->module), simplify));
}

std::vector<AllPlans::Bytes> AllPlans::expected(const Class &made, const Layout &layout,
                                                const std::vector<Bytes> &initial) const {
  std::vector<Bytes> arrays = initial;
  Result<TileModule> module = parse_tile(made.simplified, "simplified.tile");
  EXPECT_TRUE(module) << module.error().message();
  Status done = evaluate_reference(*module, arguments_of(source_, layout, addresses(arrays)));
  EXPECT_TRUE(done) << done.error().message();
  return arrays;
}

/// Runs on copies of the arrays; whether the safe body ran. After the first run of a kernel with a
/// tolerance its own bits are what is expected.
bool AllPlans::run(const Code &code, const Layout &layout, const std::vector<Bytes> &initial,
                   std::vector<Bytes> &expected, bool &is_first, int number) {
  std::vector<GuardedBuffer> arrays;
  for (const Bytes &bytes : initial)
    arrays.push_back(guarded_copy(bytes, number + static_cast<int>(arrays.size())));
  std::vector<Argument> arguments = arguments_of(source_, layout, addresses(arrays));
  Status fits = runtime::check_extents(source_.name, code.kernel->checks, arguments);
  EXPECT_TRUE(fits) << fits.error().message();
  bool safe = launch(*code.kernel, arguments, number);
  for (size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(arrays[i].guard_damage(), "") << "array " << i;
    EXPECT_EQ(difference(expected[i], arrays[i].data(), is_first ? tolerance_ : 0), "")
        << "array " << i;
    if (is_first && tolerance_ > 0)
      expected[i].assign(arrays[i].data(), arrays[i].data() + arrays[i].bytes());
  }
  is_first = false;
  return safe;
}

} // namespace tilewright
