#include "native/compile_object.h"

#include <map>
#include <mutex>
#include <vector>

#include "native/wide_masks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace tilewright::native {

namespace {

/// Code generators that nobody uses at the moment.
struct Pool {
  std::mutex mutex;
  std::map<std::string, std::vector<std::unique_ptr<llvm::TargetMachine>>> idle;
};

Pool &pool() {
  static auto *instance = new Pool; // never destroyed: threads may compile during exit
  return *instance;
}

void initialize_llvm() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const Target &target, std::string &error) {
  initialize_llvm();
  llvm::Triple triple(target.triple);
  const llvm::Target *known = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!known)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // fuse only what is marked `contract`
  options.NoTrappingFPMath = true;
  return std::unique_ptr<llvm::TargetMachine>(
      known->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
                                 llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

bool has_mask_registers(const llvm::TargetMachine &machine) {
  return machine.getTargetCPU() == "x86-64-v4"; // the only target that make_machine meets with them
}

/// Passes that look for what our code does not have, or that make it worse. Loop strength reduction
/// takes a third of code generation and gives more pointers to increment, where x86 and AArch64
/// address `base + index * size` directly. A second scheduling, after register allocation, is left
/// to processors, which reorder what they execute.
bool is_superfluous(llvm::StringRef pass) {
  static const llvm::StringSet<> names = {
      "Canonicalize Freeze Instructions in Loops",
      "Loop Strength Reduction",
      "Merge contiguous icmps into a memcmp",
      "Expand memcmp() to load/stores",
      "Expand IR instructions",
      "Lower Garbage Collection Instructions",
      "Shadow Stack GC Lowering",
      "Constant Hoisting",
      "Partially inline calls to library functions",
      "ObjC ARC contraction",
      "Safe Stack instrumentation pass",
      "Lower AMX intrinsics",
      "Lower AMX type for load/store",
      "Post RA top-down list latency scheduler",
  };
  return names.contains(pass);
}

/// LLVM's list of passes for code generation without the superfluous ones.
class CodeGenerationPasses : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override {
    if (is_superfluous(pass->getPassName()))
      delete pass;
    else
      PassManager::add(pass);
  }
};

Error internal(const std::string &text) { return Error{ErrorKind::internal, text, {}}; }

Result<std::string> emit(llvm::TargetMachine &machine, llvm::Module &module,
                         llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  CodeGenerationPasses passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return internal("the code generator cannot write this kind of file");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

} // namespace

Result<CodeGenerator> CodeGenerator::borrow(const Target &target) {
  std::string key = target.triple + '|' + target.cpu + '|' + target.features;
  {
    std::scoped_lock lock(pool().mutex);
    auto &idle = pool().idle[key];
    if (!idle.empty()) {
      CodeGenerator lent(key, std::move(idle.back()));
      idle.pop_back();
      return lent;
    }
  }
  std::string error;
  auto machine = make_machine(target, error);
  if (!machine)
    return internal("no code generator for " + target.triple + ": " + error);
  return CodeGenerator(std::move(key), std::move(machine));
}

CodeGenerator::CodeGenerator(std::string key, std::unique_ptr<llvm::TargetMachine> machine)
    : key_(std::move(key)), machine_(std::move(machine)) {}

CodeGenerator::CodeGenerator(CodeGenerator &&) noexcept = default;

CodeGenerator::~CodeGenerator() {
  if (!machine_)
    return;
  std::scoped_lock lock(pool().mutex);
  pool().idle[key_].push_back(std::move(machine_));
}

std::string CodeGenerator::data_layout() const {
  return machine_->createDataLayout().getStringRepresentation();
}

void CodeGenerator::optimize(llvm::Module &module) const {
  using namespace llvm;
  LoopAnalysisManager loop_analyses;
  FunctionAnalysisManager function_analyses;
  CGSCCAnalysisManager call_graph_analyses;
  ModuleAnalysisManager module_analyses;
  PassBuilder builder(machine_.get());
  builder.registerModuleAnalyses(module_analyses);
  builder.registerCGSCCAnalyses(call_graph_analyses);
  builder.registerFunctionAnalyses(function_analyses);
  builder.registerLoopAnalyses(loop_analyses);
  builder.crossRegisterProxies(loop_analyses, function_analyses, call_graph_analyses,
                               module_analyses);

  // What the lowering leaves to do: turn loops around, move what does not change out of them, and
  // join equal address computations. GVN, SROA and dead code elimination find nothing more.
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  LoopPassManager loop_passes;
  loop_passes.addPass(LoopRotatePass());
  loop_passes.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());

  bool sanitize = false;
  for (Function &function : module)
    if (!function.isDeclaration()) {
      passes.run(function, function_analyses);
      if (!has_mask_registers(*machine_))
        keep_masks_wide(function);
      sanitize |= function.hasFnAttribute(Attribute::SanitizeAddress);
    }
  if (sanitize) {
    module_analyses.invalidate(module, PreservedAnalyses::none());
    AddressSanitizerPass(AddressSanitizerOptions()).run(module, module_analyses);
  }
}

Result<std::string> CodeGenerator::object(llvm::Module &module) const {
  return emit(*machine_, module, llvm::CodeGenFileType::ObjectFile);
}

Result<std::string> CodeGenerator::assembly(const llvm::Module &module) const {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  return emit(*machine_, *copy, llvm::CodeGenFileType::AssemblyFile);
}

} // namespace tilewright::native
