// LLVM IR to a relocatable object. The only file that sets up LLVM's passes and code generators.
#pragma once

#include <memory>
#include <string>

#include "native/target.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace tilewright::native {

/// LLVM's code generator for one target. Making one is slow, and one serves one thread at a time;
/// so they are lent out from a pool that lives as long as the process.
class CodeGenerator {
public:
  /// A code generator for `target`; an internal error when this LLVM does not know the target.
  static Result<CodeGenerator> borrow(const Target &target);
  CodeGenerator(CodeGenerator &&) noexcept;
  ~CodeGenerator(); // gives it back

  std::string data_layout() const;

  /// Runs the short list of passes that vector IR needs; the loop and SLP vectorisers are not among
  /// them. Instruments functions marked sanitize_address.
  void optimize(llvm::Module &module) const;

  /// The object's bytes. Consumes the module's contents.
  Result<std::string> object(llvm::Module &module) const;

  /// The assembly text of a copy of the module.
  Result<std::string> assembly(const llvm::Module &module) const;

private:
  CodeGenerator(std::string key, std::unique_ptr<llvm::TargetMachine> machine);
  std::string key_;
  std::unique_ptr<llvm::TargetMachine> machine_;
};

} // namespace tilewright::native
