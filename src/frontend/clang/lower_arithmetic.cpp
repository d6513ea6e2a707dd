// Arithmetic, comparisons, selects. Vectors are taken apart lane by lane.
//
// The flags nsw, nuw, exact and the like are ignored: they allow a poison result, and the wrapped one is one of the values that poison may be.
// (An overflow is no error that Heddle looks for.)
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/STLExtras.h>

namespace heddle::clang_frontend {

namespace {

Op float_op(unsigned opcode) {
    switch (opcode) {
    case llvm::Instruction::FAdd:
        return Op::FAdd;
    case llvm::Instruction::FSub:
        return Op::FSub;
    case llvm::Instruction::FMul:
        return Op::FMul;
    case llvm::Instruction::FDiv:
        return Op::FDiv;
    default:
        return Op::FRem;
    }
}

Op integer_op(unsigned opcode) {
    switch (opcode) {
    case llvm::Instruction::Add:
        return Op::Add;
    case llvm::Instruction::Sub:
        return Op::Sub;
    case llvm::Instruction::Mul:
        return Op::Mul;
    case llvm::Instruction::UDiv:
        return Op::UDiv;
    case llvm::Instruction::URem:
        return Op::URem;
    case llvm::Instruction::SDiv:
        return Op::SDiv;
    case llvm::Instruction::SRem:
        return Op::SRem;
    case llvm::Instruction::Shl:
        return Op::Shl;
    case llvm::Instruction::LShr:
        return Op::LShr;
    case llvm::Instruction::AShr:
        return Op::AShr;
    case llvm::Instruction::And:
        return Op::And;
    case llvm::Instruction::Or:
        return Op::Or;
    default:
        return Op::Xor;
    }
}

/// The sister for pairs; And, Or and Xor have none.
Op wide_op(Op narrow) {
    switch (narrow) {
    case Op::Add:
        return Op::WAdd;
    case Op::Sub:
        return Op::WSub;
    case Op::Mul:
        return Op::WMul;
    case Op::UDiv:
        return Op::WUDiv;
    case Op::URem:
        return Op::WURem;
    case Op::SDiv:
        return Op::WSDiv;
    case Op::SRem:
        return Op::WSRem;
    case Op::Shl:
        return Op::WShl;
    case Op::LShr:
        return Op::WLShr;
    default:
        return Op::WAShr;
    }
}

} // namespace

void emit_integer(FunctionContext& to, Op narrow, Slot dst, Slot a, Slot b, unsigned bits) {
    const bool bitwise = narrow == Op::And || narrow == Op::Or || narrow == Op::Xor;
    if (bitwise) {
        to.code.emit(narrow, dst, a, b);
        if (bits > 64) {
            to.code.emit(narrow, slot_after(dst, 1), slot_after(a, 1), slot_after(b, 1));
        }
    } else if (bits > 64) {
        to.code.emit(wide_op(narrow), dst, a, b, bits);
    } else {
        const bool masks = narrow == Op::Add || narrow == Op::Sub || narrow == Op::Mul;
        to.code.emit(narrow, dst, a, b, masks ? mask_of(bits) : bits);
    }
}

CompareOp compare_op(llvm::CmpInst::Predicate predicate) {
    switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
        return {Op::CmpEq, Op::WCmpEq, Op::BrEq, false};
    case llvm::CmpInst::ICMP_NE:
        return {Op::CmpNe, Op::WCmpNe, Op::BrNe, false};
    case llvm::CmpInst::ICMP_UGT:
        return {Op::CmpUlt, Op::WCmpUlt, Op::BrUlt, true};
    case llvm::CmpInst::ICMP_UGE:
        return {Op::CmpUle, Op::WCmpUle, Op::BrUle, true};
    case llvm::CmpInst::ICMP_ULT:
        return {Op::CmpUlt, Op::WCmpUlt, Op::BrUlt, false};
    case llvm::CmpInst::ICMP_ULE:
        return {Op::CmpUle, Op::WCmpUle, Op::BrUle, false};
    case llvm::CmpInst::ICMP_SGT:
        return {Op::CmpSlt, Op::WCmpSlt, Op::BrSlt, true};
    case llvm::CmpInst::ICMP_SGE:
        return {Op::CmpSle, Op::WCmpSle, Op::BrSle, true};
    case llvm::CmpInst::ICMP_SLT:
        return {Op::CmpSlt, Op::WCmpSlt, Op::BrSlt, false};
    default:
        return {Op::CmpSle, Op::WCmpSle, Op::BrSle, false};
    }
}

void emit_compare(FunctionContext& to, llvm::CmpInst::Predicate predicate, Slot dst, Slot a, Slot b, unsigned bits) {
    const CompareOp op = compare_op(predicate);
    if (op.swapped) {
        std::swap(a, b);
    }
    to.code.emit(bits > 64 ? op.wide : op.narrow, dst, a, b, bits);
}

void lower_binary(FunctionContext& to, const llvm::BinaryOperator& operation) {
    const Slots a = to.operand(*operation.getOperand(0));
    const Slots b = to.operand(*operation.getOperand(1));
    const Slot dst = to.define(operation);
    for (const Leaf& leaf : to.shape(operation).leaves) {
        const Slot lane = slot_after(dst, leaf.slot);
        if (leaf.kind == Leaf::Kind::Float) {
            to.code.emit(float_op(operation.getOpcode()), lane, a[leaf.slot], b[leaf.slot],
                         static_cast<std::uint64_t>(leaf.format));
        } else {
            emit_integer(to, integer_op(operation.getOpcode()), lane, a[leaf.slot], b[leaf.slot], leaf.bits);
        }
    }
}

void lower_negation(FunctionContext& to, const llvm::UnaryOperator& operation) {
    const Slots a = to.operand(*operation.getOperand(0));
    const Slot dst = to.define(operation);
    for (const Leaf& leaf : to.shape(operation).leaves) {
        to.code.emit(Op::FNeg, slot_after(dst, leaf.slot), a[leaf.slot], 0, static_cast<std::uint64_t>(leaf.format));
    }
}

void lower_compare(FunctionContext& to, const llvm::CmpInst& compare) {
    const Slots a = to.operand(*compare.getOperand(0));
    const Slots b = to.operand(*compare.getOperand(1));
    const Slot dst = to.define(compare);
    for (const auto& [lane, leaf] : llvm::enumerate(to.shape(*compare.getOperand(0)).leaves)) {
        const Slot result = slot_after(dst, static_cast<unsigned>(lane));
        if (leaf.kind == Leaf::Kind::Float) {
            to.code.emit(Op::FCmp, result, a[leaf.slot], b[leaf.slot],
                         Instr::pack(compare.getPredicate(), static_cast<std::uint32_t>(leaf.format)));
        } else {
            emit_compare(to, compare.getPredicate(), result, a[leaf.slot], b[leaf.slot], leaf.bits);
        }
    }
}

void lower_select(FunctionContext& to, const llvm::SelectInst& select) {
    const Slots condition = to.operand(*select.getCondition());
    const Slots then = to.operand(*select.getTrueValue());
    const Slots otherwise = to.operand(*select.getFalseValue());
    const Slot dst = to.define(select);
    const bool by_lane = select.getCondition()->getType()->isVectorTy();
    for (const auto& [lane, leaf] : llvm::enumerate(to.shape(select).leaves)) {
        for (unsigned k = leaf.slot; k < leaf.slot + leaf.slots(); ++k) {
            to.code.emit(Op::Select, slot_after(dst, k), condition[by_lane ? lane : 0], then[k],
                         Instr::pack(otherwise[k], 0, 0, 0));
        }
    }
}

void lower_freeze(FunctionContext& to, const llvm::FreezeInst& freeze) {
    const Slots a = to.operand(*freeze.getOperand(0));
    const Slot dst = to.define(freeze);
    for (unsigned k = 0; k < a.size(); ++k) {
        to.code.emit(Op::Freeze, slot_after(dst, k), a[k]);
    }
}

} // namespace heddle::clang_frontend
