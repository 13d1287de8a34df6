#include "native/jit.h"

#include <dlfcn.h>

#include "native/debuggers.h"
#include "native/libm.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/Orc/SymbolStringPool.h"
#include "llvm/Support/Process.h"

namespace tilewright::native {

namespace {

namespace jitlink = llvm::jitlink;

jitlink::InProcessMemoryManager &memory_manager() {
  static auto *manager =
      new jitlink::InProcessMemoryManager(llvm::sys::Process::getPageSizeEstimate());
  return *manager;
}

/// Mapped code and what knows of it. Debuggers forget the code before it is unmapped.
struct Mapping {
  jitlink::JITLinkMemoryManager::FinalizedAlloc allocation;
  std::shared_ptr<void> gdb;

  Mapping() = default;
  Mapping(const Mapping &) = delete;
  ~Mapping() {
    gdb.reset();
    if (allocation)
      llvm::consumeError(memory_manager().deallocate(std::move(allocation)));
  }
};

/// What a link leaves behind, filled in by LinkContext.
struct Outcome {
  std::shared_ptr<Mapping> mapping = std::make_shared<Mapping>();
  std::map<std::string, CodeSymbol> symbols;
  std::map<std::string, uint64_t> sections;
  std::string failure;
};

class LinkContext final : public jitlink::JITLinkContext {
public:
  explicit LinkContext(Outcome &outcome) : JITLinkContext(nullptr), outcome_(outcome) {}

  jitlink::JITLinkMemoryManager &getMemoryManager() override { return memory_manager(); }

  void notifyFailed(llvm::Error error) override {
    outcome_.failure = llvm::toString(std::move(error));
  }

  void lookup(const LookupMap &symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> resume) override {
    jitlink::AsyncLookupResult found;
    for (const auto &[symbol, flags] : symbols) {
      std::string name = (*symbol).str();
      void *address = find_library_function(name);
      if (!address)
        address = dlsym(RTLD_DEFAULT, name.c_str());
      if (!address && flags == jitlink::SymbolLookupFlags::RequiredSymbol)
        return resume->run(
            llvm::createStringError("a kernel calls '" + name + "', which is not in this process"));
      found[symbol] = {llvm::orc::ExecutorAddr::fromPtr(address),
                       llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    resume->run(std::move(found));
  }

  llvm::Error notifyResolved(jitlink::LinkGraph &graph) override {
    for (jitlink::Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && symbol->isCallable() && symbol->getScope() != jitlink::Scope::Local)
        outcome_.symbols[(*symbol->getName()).str()] = {symbol->getAddress().getValue(),
                                                        symbol->getSize()};
    for (jitlink::Section &section : graph.sections())
      if (!section.empty())
        outcome_.sections[section.getName().str()] =
            jitlink::SectionRange(section).getStart().getValue();
    return llvm::Error::success();
  }

  void notifyFinalized(jitlink::JITLinkMemoryManager::FinalizedAlloc allocation) override {
    outcome_.mapping->allocation = std::move(allocation);
  }

private:
  Outcome &outcome_;
};

Error internal(const std::string &text) { return Error{ErrorKind::internal, text, {}}; }

} // namespace

Result<LinkedCode> link(const std::string &object) {
  auto names = std::make_shared<llvm::orc::SymbolStringPool>();
  auto graph = jitlink::createLinkGraphFromObject(llvm::MemoryBufferRef(object, "kernel"), names);
  if (!graph)
    return internal("link: " + llvm::toString(graph.takeError()));
  Outcome outcome;
  // Returns once all is done: this memory manager and this lookup call back at once.
  jitlink::link(std::move(*graph), std::make_unique<LinkContext>(outcome));
  if (!outcome.failure.empty())
    return internal("link: " + outcome.failure);

  outcome.mapping->gdb = register_with_gdb(object, outcome.sections);
  tell_perf(outcome.symbols);
  LinkedCode code;
  for (const auto &[name, symbol] : outcome.symbols)
    code.symbols[name] = reinterpret_cast<void *>(symbol.address);
  code.keep_alive = std::move(outcome.mapping);
  return code;
}

} // namespace tilewright::native
