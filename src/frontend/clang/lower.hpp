// Lowering by theme: each takes one instruction and appends its code. All of them define the instruction's result, also when they
// cannot lower it and leave an Op::Unsupported in its place.
#pragma once

#include "frontend/clang/function_context.hpp"
#include "frontend/clang/link.hpp"
#include "support/diagnostic.hpp"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <expected>
#include <string>

namespace heddle::clang_frontend {

/// The whole module: what the start function reaches.
std::expected<Program, Diagnostic> lower_module(const LinkedModule& linked);

heddle::Function lower_function(ModuleContext& module, const llvm::Function& function);

// lower_control.cpp
void lower_terminator(FunctionContext& to, const llvm::Instruction& terminator);
/// Whether the comparison becomes part of the branch that uses it.
bool is_fused(const llvm::Instruction& instruction);
/// Finds loop variables that can be updated in place.
void coalesce_phis(FunctionContext& to);

// lower_loops.cpp
/// Finds the loops that get an Op::Loop, before any code is emitted: their entries and heads are all over it.
void find_loops(FunctionContext& to);
/// The Op::Loop of the block, if it is a head.
void lower_loop_head(FunctionContext& to, const llvm::BasicBlock& block);

// lower_arithmetic.cpp
void lower_binary(FunctionContext& to, const llvm::BinaryOperator& operation);
void lower_negation(FunctionContext& to, const llvm::UnaryOperator& operation);
void lower_compare(FunctionContext& to, const llvm::CmpInst& compare);
void lower_select(FunctionContext& to, const llvm::SelectInst& select);
void lower_freeze(FunctionContext& to, const llvm::FreezeInst& freeze);
/// dst = a op b on one scalar; Op is the narrow one, its wide sister is taken when needed.
void emit_integer(FunctionContext& to, Op narrow, Slot dst, Slot a, Slot b, unsigned bits);
/// dst = (a compared with b), by LLVM's predicate, swapping the operands where the machine has only the other direction.
void emit_compare(FunctionContext& to, llvm::CmpInst::Predicate predicate, Slot dst, Slot a, Slot b, unsigned bits);
/// The branch that does the same comparison, and whether its operands are swapped.
struct CompareOp {
    Op narrow;
    Op wide;
    Op branch;
    bool swapped;
};
CompareOp compare_op(llvm::CmpInst::Predicate predicate);

// lower_casts.cpp
void lower_cast(FunctionContext& to, const llvm::CastInst& cast);

// lower_huge.cpp
/// Integers of more than 128 bits: what the code for bit-fields needs, as lists of slots.
void lower_huge(FunctionContext& to, const llvm::Instruction& instruction);

// lower_aggregates.cpp
void lower_extract_value(FunctionContext& to, const llvm::ExtractValueInst& extract);
void lower_insert_value(FunctionContext& to, const llvm::InsertValueInst& insert);
void lower_extract_element(FunctionContext& to, const llvm::ExtractElementInst& extract);
void lower_insert_element(FunctionContext& to, const llvm::InsertElementInst& insert);
void lower_shuffle(FunctionContext& to, const llvm::ShuffleVectorInst& shuffle);

// lower_memory.cpp
void lower_load(FunctionContext& to, const llvm::LoadInst& load);
void lower_store(FunctionContext& to, const llvm::StoreInst& store);
void lower_rmw(FunctionContext& to, const llvm::AtomicRMWInst& rmw);
void lower_cmpxchg(FunctionContext& to, const llvm::AtomicCmpXchgInst& exchange);
void lower_fence(FunctionContext& to, const llvm::FenceInst& fence);
void lower_alloca(FunctionContext& to, const llvm::AllocaInst& variable);
void lower_gep(FunctionContext& to, const llvm::GetElementPtrInst& path);
void emit_copy(FunctionContext& to, Op op, Slot target, Slot source, Slot length, bool is_volatile);
Order order_of(llvm::AtomicOrdering ordering);

// lower_calls.cpp
void lower_call(FunctionContext& to, const llvm::CallInst& call);

// lower_varargs.cpp
/// Lays the unnamed arguments (from `first` on) out in the caller's frame; the slot of the area's address.
Slot lay_out_unnamed(FunctionContext& to, const llvm::CallBase& call, unsigned first);
void lower_va_start(FunctionContext& to, const llvm::CallBase& call);

// lower_atomic_calls.cpp, lower_math_calls.cpp: library functions that are instructions for us; false when the name is not one.
bool lower_atomic_call(FunctionContext& to, const llvm::CallBase& call, llvm::StringRef name);
bool lower_math_call(FunctionContext& to, const llvm::CallBase& call, llvm::StringRef name);

// lower_asm.cpp
void lower_asm(FunctionContext& to, const llvm::CallBase& call);

// lower_intrinsics.cpp and the two after it; the latter answer false for what is not theirs.
void lower_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id);
bool lower_integer_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id);
bool lower_float_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id);

/// The instruction cannot be lowered: leaves an Op::Unsupported in its place.
inline void lower_unsupported(FunctionContext& to, const llvm::Instruction& instruction, const std::string& what) {
    to.unsupported(what);
    if (!instruction.getType()->isVoidTy()) {
        to.define(instruction);
    }
}

/// The lanes of a vector, 1 for a scalar.
inline unsigned lanes_of(const llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}
/// The k-th of neighbouring slots.
inline Slot slot_after(Slot first, unsigned k) { return static_cast<Slot>(first + k); }

} // namespace heddle::clang_frontend
