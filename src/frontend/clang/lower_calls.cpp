#include "frontend/clang/lower.hpp"

#include "frontend/clang/callee.hpp"

#include <llvm/IR/InlineAsm.h>

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

std::string quoted(const llvm::Function& function) { return "'" + Places::name_of(function) + "'"; }

/// Whether a call through a declaration that disagrees with the definition still passes this value: integers and pointers of a register.
bool agree(const llvm::Type* from, const llvm::Type* target) {
    const auto is_word = [](const llvm::Type* type) {
        return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
    };
    return from == target || (is_word(from) && is_word(target));
}

/// The value as one of the target type; the two agree.
Slots adapted(FunctionContext& to, const Slots& value, llvm::Type* from, llvm::Type* target) {
    if (from != target && target->isIntegerTy() && target->getIntegerBitWidth() < 64) {
        return {to.compute(Op::Trunc, value.front(), 0, mask_of(target->getIntegerBitWidth()))};
    }
    return value;
}

/// The result of a call whose type may disagree with the callee's.
void finish_call(FunctionContext& to, const llvm::CallInst& call, const llvm::Function& callee, Instr instr) {
    llvm::Type* returned = callee.getReturnType();
    if (call.getType()->isVoidTy() || call.use_empty()) {
        instr.dst = kNoSlot;
        to.code.emit(instr);
        if (!call.getType()->isVoidTy()) {
            to.define(call);
        }
        return;
    }
    if (returned == call.getType()) {
        instr.dst = to.define(call);
        to.code.emit(instr);
        return;
    }
    if (returned->isVoidTy() && callee.getName() == "main") {
        instr.dst = kNoSlot;
        to.code.emit(instr);
        return to.rename(call, {to.constant(0)});
    }
    if (!agree(returned, call.getType())) {
        return lower_unsupported(to, call, "call of " + quoted(callee) + " with a wrong type of result");
    }
    instr.dst = to.scratch();
    to.code.emit(instr);
    to.rename(call, adapted(to, {instr.dst}, returned, call.getType()));
}

void lower_direct_call(FunctionContext& to, const llvm::CallInst& call, const llvm::Function& callee) {
    const auto fixed = static_cast<unsigned>(callee.arg_size());
    const unsigned given = call.arg_size();
    // main may take fewer arguments than the start function has for it.
    const bool count_fits = given == fixed || (given > fixed && (callee.isVarArg() || callee.getName() == "main"));
    if (!count_fits) {
        return lower_unsupported(to, call,
                                 "call of " + quoted(callee) + " with " + std::to_string(given) + " arguments; it takes " +
                                     std::to_string(fixed));
    }
    Slots arguments;
    for (unsigned i = 0; i < fixed; ++i) {
        const llvm::Value* argument = call.getArgOperand(i);
        llvm::Type* wanted = callee.getArg(i)->getType();
        if (!agree(argument->getType(), wanted)) {
            return lower_unsupported(to, call,
                                     "call of " + quoted(callee) + " with a wrong type of argument " + std::to_string(i + 1));
        }
        arguments.append(adapted(to, to.operand(*argument), argument->getType(), wanted));
    }
    if (callee.isVarArg()) {
        arguments.push_back(lay_out_unnamed(to, call, fixed));
    }
    finish_call(to, call, callee,
                Instr{Op::Call, kNoSlot, static_cast<Slot>(arguments.size()), 0,
                      Instr::pack(to.module.globals.function(callee).index, to.code.list(arguments))});
}

/// Whether some variadic function with that many named parameters has its address taken, so that a call through a pointer with no unnamed
/// arguments may be one of it. If none has, the call is one through a pointer to a function without a prototype, which clang writes the
/// same way.
bool variadic_target_exists(const FunctionContext& to, unsigned named) {
    return std::ranges::any_of(to.module.module, [&](const llvm::Function& function) {
        return function.isVarArg() && function.arg_size() == named && !function.isIntrinsic() && function.hasAddressTaken();
    });
}

void lower_indirect_call(FunctionContext& to, const llvm::CallInst& call) {
    const llvm::FunctionType* type = call.getFunctionType();
    const unsigned named = type->getNumParams();
    const Slot target = to.single(*call.getCalledOperand());
    Slots arguments;
    for (unsigned i = 0; i < named; ++i) {
        arguments.append(to.operand(*call.getArgOperand(i)));
    }
    if (type->isVarArg() && (call.arg_size() > named || variadic_target_exists(to, named))) {
        arguments.push_back(lay_out_unnamed(to, call, named));
    }
    const bool wanted = !call.getType()->isVoidTy() && !call.use_empty();
    const Slot dst = wanted ? to.define(call) : kNoSlot;
    to.code.emit(Op::CallPtr, dst, target, static_cast<Slot>(arguments.size()),
                 Instr::pack(wanted ? to.shape(call).slots : 0, to.code.list(arguments)));
}

void lower_builtin(FunctionContext& to, const llvm::CallInst& call, const BuiltinSpec& builtin) {
    Slots arguments;
    for (const llvm::Use& argument : call.args()) {
        arguments.append(to.operand(*argument));
    }
    if (arguments.size() != builtin.args) {
        return lower_unsupported(to, call, "call of " + std::string(builtin.c_name) + " with a wrong number of arguments");
    }
    const bool wanted = !call.getType()->isVoidTy() && !call.use_empty();
    const Slot dst = wanted ? to.define(call) : kNoSlot;
    to.code.emit(Op::Builtin, dst, static_cast<Slot>(arguments.size()), 0,
                 Instr::pack(static_cast<std::uint32_t>(builtin.id), to.code.list(arguments)));
    if (wanted && call.getType()->isIntegerTy() && call.getType()->getIntegerBitWidth() < 64) {
        to.code.emit(Op::Trunc, dst, dst, 0, mask_of(call.getType()->getIntegerBitWidth()));
    }
}

void lower_undefined(FunctionContext& to, const llvm::CallInst& call, const llvm::Function& callee) {
    const llvm::StringRef name = callee.getName();
    if (const auto builtin = find_builtin(std::string_view(name))) {
        return lower_builtin(to, call, *builtin);
    }
    if (lower_atomic_call(to, call, name) || lower_math_call(to, call, name)) {
        return;
    }
    if (callee.hasExternalWeakLinkage()) {
        return lower_indirect_call(to, call); // of address 0
    }
    lower_unsupported(to, call, "call of undefined function '" + name.str() + "'");
}

} // namespace

void lower_call(FunctionContext& to, const llvm::CallInst& call) {
    if (call.isInlineAsm()) {
        return lower_asm(to, call);
    }
    const llvm::Function* callee = direct_callee(call);
    if (!callee) {
        return lower_indirect_call(to, call);
    }
    if (callee->isIntrinsic()) {
        return lower_intrinsic(to, call, callee->getIntrinsicID());
    }
    if (callee->isDeclaration()) {
        return lower_undefined(to, call, *callee);
    }
    lower_direct_call(to, call, *callee);
}

} // namespace heddle::clang_frontend
