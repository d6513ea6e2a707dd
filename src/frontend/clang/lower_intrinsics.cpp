// Intrinsics: memory, control and what is nothing to us. Arithmetic ones are in lower_integer_intrinsics.cpp and lower_float_intrinsics.cpp.
#include "frontend/clang/lower.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace heddle::clang_frontend {

namespace {

/// Hints to the optimiser, debug information and other things without an effect that a program could see.
bool is_nothing(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::pseudoprobe:
    case llvm::Intrinsic::clear_cache:
        return true;
    default:
        return false;
    }
}

/// Intrinsics whose result is their first argument.
bool is_identity(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::arithmetic_fence:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::threadlocal_address: // the operand itself is lowered to the address of this thread's copy
        return true;
    default:
        return false;
    }
}

void lower_memory_transfer(FunctionContext& to, const llvm::CallBase& call, Op op) {
    const auto* flag = llvm::cast<llvm::ConstantInt>(call.getArgOperand(3));
    const Slot length = to.operand(*call.getArgOperand(2)).front();
    const Slot target = to.single(*call.getArgOperand(0));
    emit_copy(to, op, target, to.single(*call.getArgOperand(1)), length, flag->isOne());
}

/// A variable's lifetime starts or ends: its bytes are undefined again. For objects of their own (Op::Alloca) the marks are ignored: their
/// address may be anywhere, and the marks say nothing about accesses that are allowed.
void lower_lifetime(FunctionContext& to, const llvm::CallBase& call) {
    const auto byte = to.local_byte(*call.getArgOperand(1));
    const auto* size = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (byte && byte->offset == 0 && (size->isMinusOne() || size->getZExtValue() >= to.result.locals[byte->local].size)) {
        to.code.emit(Op::LocalUndef, 0, 0, 0, byte->local);
    }
}

void emit_asm_fence(FunctionContext& to, FenceKind kind) {
    const Order order = kind == FenceKind::MFence ? Order::SeqCst : Order::NonAtomic;
    to.code.emit(Op::Fence, 0, 0, 0, Instr::pack(static_cast<std::uint16_t>(order), static_cast<std::uint16_t>(kind), 0, 0));
}

/// Part of a vector by a constant index.
void lower_subvector(FunctionContext& to, const llvm::CallBase& call, bool insert) {
    const llvm::Value* vector = call.getArgOperand(0);
    const std::uint64_t index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(insert ? 2 : 1))->getZExtValue();
    Slots all = to.operand(*vector);
    const std::size_t first = index * (all.size() / lanes_of(vector->getType()));
    if (insert) {
        const Slots part = to.operand(*call.getArgOperand(1));
        std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
        to.rename(call, all);
    } else {
        to.rename(call, llvm::ArrayRef(all).slice(first, to.shape(call).slots));
    }
}

bool lower_memory_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
        lower_memory_transfer(to, call, Op::MemCpy);
        return true;
    case llvm::Intrinsic::memmove:
        lower_memory_transfer(to, call, Op::MemMove);
        return true;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline:
        lower_memory_transfer(to, call, Op::MemSet);
        return true;
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
        lower_lifetime(to, call);
        return true;
    case llvm::Intrinsic::stacksave:
        to.code.emit(Op::StackSave, to.define(call));
        return true;
    case llvm::Intrinsic::stackrestore:
        to.code.emit(Op::StackRestore, 0, to.single(*call.getArgOperand(0)));
        return true;
    case llvm::Intrinsic::vastart:
        lower_va_start(to, call);
        return true;
    case llvm::Intrinsic::vacopy: {
        const Slot target = to.single(*call.getArgOperand(0));
        emit_copy(to, Op::MemCpy, target, to.single(*call.getArgOperand(1)), to.constant(24), false);
        return true;
    }
    case llvm::Intrinsic::objectsize:
        // The answer for an object that the compiler knows nothing about.
        to.rename(call, {to.constant(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne()
                                         ? 0
                                         : mask_of(call.getType()->getIntegerBitWidth()))});
        return true;
    case llvm::Intrinsic::ptrmask: {
        const Slot pointer = to.single(*call.getArgOperand(0));
        const Slot mask = to.single(*call.getArgOperand(1));
        to.code.emit(Op::And, to.define(call), pointer, mask);
        return true;
    }
    case llvm::Intrinsic::invariant_start:
        to.rename(call, {to.constant(0)});
        return true;
    default:
        return false;
    }
}

bool lower_x86_intrinsic(FunctionContext& to, llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::x86_sse2_mfence:
        emit_asm_fence(to, FenceKind::MFence);
        return true;
    case llvm::Intrinsic::x86_sse2_lfence:
        emit_asm_fence(to, FenceKind::LFence);
        return true;
    case llvm::Intrinsic::x86_sse_sfence:
        emit_asm_fence(to, FenceKind::SFence);
        return true;
    case llvm::Intrinsic::x86_sse2_pause:
        to.code.emit(Op::Builtin, kNoSlot, 0, 0, Instr::pack(static_cast<std::uint32_t>(Builtin::Yield), to.code.list({})));
        return true;
    default:
        return false;
    }
}

} // namespace

void lower_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    if (is_nothing(id)) {
        return;
    }
    if (is_identity(id)) {
        return to.rename(call, to.operand(*call.getArgOperand(0)));
    }
    if (lower_memory_intrinsic(to, call, id) || lower_x86_intrinsic(to, id) || lower_integer_intrinsic(to, call, id) ||
        lower_float_intrinsic(to, call, id)) {
        return;
    }
    switch (id) {
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap:
        return to.code.emit(Op::Unreachable, 0, 0, 0, 1);
    case llvm::Intrinsic::is_constant:
        return to.rename(call, {to.constant(0)});
    case llvm::Intrinsic::vector_insert:
        return lower_subvector(to, call, true);
    case llvm::Intrinsic::vector_extract:
        return lower_subvector(to, call, false);
    default:
        return lower_unsupported(to, call, "intrinsic " + call.getCalledFunction()->getName().str());
    }
}

} // namespace heddle::clang_frontend
