// Masks that live across blocks, for instruction sets without mask registers.
#pragma once

namespace llvm {
class Function;
}

namespace tilewright::native {

/// Before: any function. After: where a vector of i1 is used in another block than the one that
/// makes it, it travels as a vector of integers as wide as the elements it masks, whose sign bits
/// are the mask; that is the form in which masked loads, stores and blends take it. Instruction
/// selection, which sees one block at a time, would otherwise pass it as a narrower vector and
/// widen it again before every use.
void keep_masks_wide(llvm::Function &function);

} // namespace tilewright::native
