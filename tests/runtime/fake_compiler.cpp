#include "fake_compiler.h"

#include <thread>

namespace tilewright {

struct TileModule::Content {
  std::string name;
  std::vector<Parameter> parameters;
};

TileModule::TileModule(std::unique_ptr<Content> content) : content_(std::move(content)) {}
TileModule::TileModule(TileModule &&) noexcept = default;
TileModule &TileModule::operator=(TileModule &&) noexcept = default;
TileModule::~TileModule() = default;

Result<Recorded> record(const KernelSource &source, std::span<const Argument>) {
  ++fake::compiler->records;
  if (source.body)
    source.body();
  auto content =
      std::make_unique<TileModule::Content>(TileModule::Content{source.name, source.parameters});
  return Recorded{TileModule(std::move(content)), fake::compiler->dynamic};
}

static Result<std::shared_ptr<CompiledKernel>> compile_safe_body() {
  ++fake::compiler->safe_compiles;
  std::this_thread::sleep_for(fake::compiler->compile_time);
  if (fake::compiler->safe_error)
    return *fake::compiler->safe_error;
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->phases = fake::compiler->safe_phases;
  return kernel;
}

Result<std::shared_ptr<CompiledKernel>> compile(TileModule module, const CompileOptions &) {
  ++fake::compiler->compiles;
  std::this_thread::sleep_for(fake::compiler->compile_time);
  if (fake::compiler->error)
    return *fake::compiler->error;
  auto kernel = std::make_shared<CompiledKernel>();
  kernel->name = module.content().name;
  kernel->parameters = module.content().parameters;
  kernel->checks = fake::compiler->checks;
  kernel->phases = fake::compiler->phases;
  kernel->notes = fake::compiler->notes;
  if (!fake::compiler->safe_phases.empty())
    kernel->safe_body = std::make_shared<OnDemand<CompiledKernel>>(compile_safe_body);
  return kernel;
}

namespace fake {

Compiler *compiler = nullptr;

KernelSource double_rows() {
  KernelSource source;
  source.name = "double_rows";
  source.where = {"user.cpp", 12};
  source.parameters = {{ElementType::f32, 2, true}, {ElementType::f32, 2, false}};
  return source;
}

static tw_status run_double_rows(const tw_launch *launch, int64_t begin, int64_t end, tw_worker *) {
  const tw_view &x = launch->views[0];
  const tw_view &y = launch->views[1];
  for (int64_t r = begin; r < end; ++r)
    for (int64_t c = 0; c < x.extents[1]; ++c)
      static_cast<float *>(y.data)[r * y.strides[0] + c * y.strides[1]] =
          2 * static_cast<const float *>(x.data)[r * x.strides[0] + c * x.strides[1]];
  return TW_OK;
}

void compile_double_rows(Compiler &answer, int64_t task_programs) {
  answer.dynamic = {{true, false}, {true, false}};
  answer.phases = {{"double_rows", run_double_rows, 0, {{0, 0}}, task_programs}};
  answer.checks = {{.view = 1, .dim = 0, .other_view = 0, .other_dim = 0, .axis = "r"}};
}

} // namespace fake
} // namespace tilewright
