// Code that has no effect but to let time pass. Shared by the passes about delay loops.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

namespace heddle::clang_frontend {

/// Computes its result from its operands and does nothing else, traps included. What it computes with may be undefined.
bool only_computes(const llvm::Instruction& instruction);

/// For the compiler only: debug information, lifetimes, assumptions.
bool is_note(const llvm::Instruction& instruction);

/// A note, a hint to the processor or the scheduler, or a call of a function that does nothing but give some. Its result is used by nobody.
bool only_pauses(const llvm::Instruction& instruction);

/// The inline assembly has no instruction but such hints (lower_asm.cpp).
bool is_pausing_assembly(const llvm::CallBase& call);

/// There is nothing in the block but a jump to another.
const llvm::BranchInst* only_jump_of(const llvm::BasicBlock& block);

} // namespace heddle::clang_frontend
