#include "native/wide_masks.h"

#include <map>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace tilewright::native {

namespace {

/// Bits per element of the data that `user` applies `mask` to.
unsigned masked_bits(const llvm::Instruction &user, const llvm::Value *mask) {
  const llvm::Type *data = nullptr;
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&user)) {
    if (select->getCondition() == mask)
      data = select->getType();
  } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&user)) {
    switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      data = call->getType();
      break;
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      data = call->getArgOperand(0)->getType();
      break;
    default:
      break;
    }
  }
  unsigned bits = data ? data->getScalarSizeInBits() : 32;
  return bits >= 8 ? bits : 32; // pointers have no size of their own
}

/// A mask's uses in one block other than its own.
struct Elsewhere {
  unsigned bits = 0;
  llvm::SmallVector<llvm::Use *> uses;
};

} // namespace

void keep_masks_wide(llvm::Function &function) {
  llvm::SmallVector<llvm::Instruction *> masks;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    if (type && type->getElementType()->isIntegerTy(1) && type->getNumElements() > 1)
      masks.push_back(&instruction);
  }
  for (llvm::Instruction *mask : masks) {
    // In the order of uses, which is deterministic; addresses of blocks are not.
    llvm::SmallVector<std::pair<llvm::BasicBlock *, Elsewhere>> blocks;
    for (llvm::Use &use : mask->uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      llvm::BasicBlock *block = user->getParent();
      if (block == mask->getParent() || llvm::isa<llvm::PHINode>(user))
        continue;
      auto *known = llvm::find_if(blocks, [&](auto &entry) { return entry.first == block; });
      if (known == blocks.end()) {
        blocks.emplace_back(block, Elsewhere{});
        known = &blocks.back();
      }
      known->second.bits = std::max(known->second.bits, masked_bits(*user, mask));
      known->second.uses.push_back(&use);
    }
    std::map<unsigned, llvm::Value *> wide;
    for (auto &[block, elsewhere] : blocks) {
      llvm::Value *&value = wide[elsewhere.bits];
      if (!value) {
        auto after = mask->getInsertionPointAfterDef();
        if (!after)
          break;
        llvm::IRBuilder<> builder(mask->getParent(), *after);
        auto *type = llvm::cast<llvm::FixedVectorType>(mask->getType());
        value =
            builder.CreateSExt(mask, llvm::FixedVectorType::get(builder.getIntNTy(elsewhere.bits),
                                                                type->getNumElements()));
      }
      llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
      llvm::Value *narrow =
          builder.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
      for (llvm::Use *use : elsewhere.uses)
        use->set(narrow);
    }
  }
}

} // namespace tilewright::native
