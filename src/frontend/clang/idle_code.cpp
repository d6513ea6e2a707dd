#include "frontend/clang/idle_code.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace heddle::clang_frontend {

namespace {

constexpr unsigned kMostCalls = 4; ///< how deep a pause may be hidden in functions

bool pauses(const llvm::Instruction& instruction, unsigned calls_left);

/// The function always returns and does nothing but pause.
bool pauses(const llvm::Function& function, unsigned calls_left) {
    if (function.getName() == "__heddle_yield") {
        return true;
    }
    if (function.isDeclaration() || calls_left == 0) {
        return false;
    }
    const bool idle = llvm::all_of(llvm::instructions(function), [&](const llvm::Instruction& i) {
        return only_computes(i) || llvm::isa<llvm::BranchInst>(i) || llvm::isa<llvm::ReturnInst>(i) || pauses(i, calls_left - 1);
    });
    llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> back;
    if (idle) {
        llvm::FindFunctionBackedges(function, back);
    }
    return idle && back.empty();
}

bool pauses(const llvm::Instruction& instruction, unsigned calls_left) {
    if (is_note(instruction)) {
        return true;
    }
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->use_empty()) {
        return false;
    }
    if (call->isInlineAsm()) {
        return call->getType()->isVoidTy() && is_pausing_assembly(*call);
    }
    const llvm::Function* callee = call->getCalledFunction();
    return callee && (callee->getIntrinsicID() == llvm::Intrinsic::x86_sse2_pause || pauses(*callee, calls_left));
}

} // namespace

bool only_computes(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::PHI:
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::Select:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::FNeg:
        return true;
    case llvm::Instruction::Call: {
        const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        return intrinsic && intrinsic->doesNotAccessMemory() && intrinsic->willReturn() && !intrinsic->mayHaveSideEffects();
    }
    default:
        return instruction.isCast() || (instruction.isBinaryOp() && !instruction.isIntDivRem());
    }
}

bool is_note(const llvm::Instruction& instruction) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

bool only_pauses(const llvm::Instruction& instruction) { return pauses(instruction, kMostCalls); }

const llvm::BranchInst* only_jump_of(const llvm::BasicBlock& block) {
    for (const llvm::Instruction& instruction : block) {
        if (!is_note(instruction)) {
            const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
            return branch && branch->isUnconditional() ? branch : nullptr;
        }
    }
    return nullptr;
}

} // namespace heddle::clang_frontend
