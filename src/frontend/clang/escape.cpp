#include "frontend/clang/escape.hpp"

#include "frontend/clang/callee.hpp"
#include "program/builtin.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

namespace heddle::clang_frontend {

namespace {

/// Whether the machine keeps an address given as this argument to itself. Spawn, ThreadExit and the rest hand theirs on.
bool builtin_keeps(Builtin builtin, unsigned argument) {
    switch (builtin) {
    case Builtin::Free:
    case Builtin::ObjectSize:
    case Builtin::Lock:
    case Builtin::TryLock:
    case Builtin::Unlock:
    case Builtin::WaitLoad:
    case Builtin::WaitRmw:
        return argument == 0;
    case Builtin::Fail:
    case Builtin::Output:
        return argument == 1;
    default:
        return false;
    }
}

/// Intrinsics whose result is their first argument's address, or one into the same object.
bool passes_through(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::ptrmask:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::ssa_copy:
        return true;
    default:
        return false;
    }
}

} // namespace

// The greatest fixed point: all parameters start as kept, and lose that by a finite chain of uses that really let the address
// out. Recursion through functions that only pass the address round in a circle so costs nothing, and is sound: there is no such chain.
EscapeAnalysis::EscapeAnalysis(const llvm::Module& module) {
    std::vector<const llvm::Argument*> open;
    for (const llvm::Function& function : module) {
        if (function.isDeclaration()) {
            continue;
        }
        for (const llvm::Argument& parameter : function.args()) {
            if (parameter.getType()->isPointerTy()) {
                parameters_[&parameter] = Fate::Kept;
                open.push_back(&parameter);
            }
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        std::erase_if(open, [&](const llvm::Argument* parameter) {
            Fate& known = parameters_[parameter];
            const Fate fate = trace(*parameter);
            changed |= fate != known;
            known = fate;
            return fate == Fate::Escapes;
        });
    }
}

EscapeAnalysis::Fate EscapeAnalysis::trace(const llvm::Value& root) const {
    Fate worst = Fate::Kept;
    llvm::SmallPtrSet<const llvm::Value*, 16> seen{&root};
    llvm::SmallVector<const llvm::Value*, 16> open{&root};
    while (!open.empty()) {
        for (const llvm::Use& use : open.pop_back_val()->uses()) {
            bool follow = false;
            worst = std::max(worst, fate_of(use, follow));
            if (worst == Fate::Escapes) {
                return worst;
            }
            if (follow && seen.insert(use.getUser()).second) {
                open.push_back(use.getUser());
            }
        }
    }
    return worst;
}

EscapeAnalysis::Fate EscapeAnalysis::fate_of(const llvm::Use& use, bool& follow) const {
    const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!user) {
        return Fate::Escapes; // a constant, and so who knows what
    }
    switch (user->getOpcode()) {
    case llvm::Instruction::Load:
    case llvm::Instruction::ICmp:
        return Fate::Kept;
    case llvm::Instruction::Store:
        return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex() ? Fate::Kept : Fate::Escapes;
    case llvm::Instruction::AtomicRMW:
        return use.getOperandNo() == llvm::AtomicRMWInst::getPointerOperandIndex() ? Fate::Kept : Fate::Escapes;
    case llvm::Instruction::AtomicCmpXchg:
        // The expected value (1) is only compared; the new one (2) is stored.
        return use.getOperandNo() == 2 ? Fate::Escapes : Fate::Kept;
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PHI:
    case llvm::Instruction::Select:
    case llvm::Instruction::Freeze:
        follow = true;
        return Fate::Kept;
    case llvm::Instruction::Ret:
        return Fate::Returned;
    case llvm::Instruction::Call:
        return fate_in_call(*llvm::cast<llvm::CallBase>(user), use, follow);
    default:
        return Fate::Escapes;
    }
}

EscapeAnalysis::Fate EscapeAnalysis::fate_in_call(const llvm::CallBase& call, const llvm::Use& use, bool& follow) const {
    if (!call.isArgOperand(&use)) {
        return call.isCallee(&use) ? Fate::Kept : Fate::Escapes;
    }
    const unsigned argument = call.getArgOperandNo(&use);
    if (call.isByValArgument(argument)) {
        return Fate::Kept; // copied from
    }
    const llvm::Function* callee = direct_callee(call);
    if (!callee) {
        return Fate::Escapes;
    }
    if (callee->isIntrinsic()) {
        if (passes_through(callee->getIntrinsicID())) {
            follow = true;
            return Fate::Kept;
        }
        // Here nocapture is part of the definition of the operation (memcpy, lifetime.start, va_start, ...).
        switch (callee->getIntrinsicID()) {
        case llvm::Intrinsic::vastart:
        case llvm::Intrinsic::vaend:
        case llvm::Intrinsic::vacopy:
        case llvm::Intrinsic::objectsize:
        case llvm::Intrinsic::prefetch:
        case llvm::Intrinsic::is_constant:
        case llvm::Intrinsic::invariant_start:
        case llvm::Intrinsic::invariant_end:
            return Fate::Kept;
        default:
            return callee->hasParamAttribute(argument, llvm::Attribute::NoCapture) ? Fate::Kept : Fate::Escapes;
        }
    }
    if (callee->isDeclaration()) {
        const auto builtin = find_builtin(std::string_view(callee->getName()));
        return builtin && builtin_keeps(builtin->id, argument) ? Fate::Kept : Fate::Escapes;
    }
    if (argument >= callee->arg_size()) {
        return Fate::Escapes; // an unnamed argument
    }
    const auto fate = parameters_.find(callee->getArg(argument));
    if (fate == parameters_.end() || fate->second == Fate::Escapes) {
        return Fate::Escapes;
    }
    follow = fate->second == Fate::Returned;
    return Fate::Kept;
}

} // namespace heddle::clang_frontend
