// Integer intrinsics: those that the machine has, and those expanded into what it has. All of them work lane by lane.
#include "frontend/clang/lower.hpp"

#include <llvm/IR/Intrinsics.h>

#include <functional>

namespace heddle::clang_frontend {

namespace {

using llvm::CmpInst;

/// Calls `lane(dst, operand slots, leaf)` for each lane of a result that has the shape of its operands.
void for_each_lane(FunctionContext& to, const llvm::CallBase& call, unsigned operands,
                   const std::function<void(Slot, const Slots&, const Leaf&)>& lane) {
    llvm::SmallVector<Slots, 3> values;
    for (unsigned i = 0; i < operands; ++i) {
        values.push_back(to.operand(*call.getArgOperand(i)));
    }
    const Slot dst = to.define(call);
    for (const Leaf& leaf : to.shape(call).leaves) {
        Slots arguments;
        for (const Slots& value : values) {
            arguments.push_back(value[leaf.slot]);
        }
        lane(slot_after(dst, leaf.slot), arguments, leaf);
    }
}

/// dst = condition ? a : b, both halves of a pair.
void emit_select(FunctionContext& to, Slot dst, Slot condition, Slot a, Slot b, unsigned bits) {
    for (unsigned k = 0; k < (bits > 64 ? 2u : 1u); ++k) {
        to.code.emit(Op::Select, slot_after(dst, k), condition, slot_after(a, k), Instr::pack(slot_after(b, k), 0, 0, 0));
    }
}

Slot integer_constant(FunctionContext& to, const llvm::APInt& value) {
    if (value.getBitWidth() <= 64) {
        return to.constant(value.getZExtValue());
    }
    const llvm::APInt wide = value.zext(128);
    return to.constant_pair(wide.extractBitsAsZExtValue(64, 0), wide.extractBitsAsZExtValue(64, 64));
}

Slot compared(FunctionContext& to, CmpInst::Predicate predicate, Slot a, Slot b, unsigned bits) {
    const Slot result = to.scratch();
    emit_compare(to, predicate, result, a, b, bits);
    return result;
}

/// Ctpop, Ctlz, Cttz, Bswap, BitReverse of 128 bits from those of the halves.
void emit_wide_bits(FunctionContext& to, Op op, Slot dst, Slot a) {
    const Slot high = slot_after(a, 1);
    switch (op) {
    case Op::Bswap:
    case Op::BitReverse:
        to.code.emit(op, dst, high, 0, 64);
        to.code.emit(op, slot_after(dst, 1), a, 0, 64);
        return;
    case Op::Ctpop:
        to.code.emit(Op::Add, dst, to.compute(op, a, 0, 64), to.compute(op, high, 0, 64), mask_of(64));
        break;
    default: {
        // Count in the half that decides; if it is zero, in the other one too.
        const Slot first = op == Op::Ctlz ? high : a;
        const Slot second = op == Op::Ctlz ? a : high;
        const Slot beyond = to.compute(Op::Add, to.compute(op, second, 0, 64), to.constant(64), mask_of(64));
        const Slot empty = compared(to, CmpInst::ICMP_EQ, first, to.constant(0), 64);
        to.code.emit(Op::Select, dst, empty, beyond, Instr::pack(to.compute(op, first, 0, 64), 0, 0, 0));
        break;
    }
    }
    to.code.emit(Op::Mov, slot_after(dst, 1), to.constant(0));
}

bool lower_bits(FunctionContext& to, const llvm::CallBase& call, Op op) {
    const unsigned bits = to.shape(call).leaves.front().bits;
    if (bits > 64 && bits != 128) {
        return false;
    }
    for_each_lane(to, call, 1, [&](Slot dst, const Slots& a, const Leaf& leaf) {
        if (leaf.bits > 64) {
            emit_wide_bits(to, op, dst, a[0]);
        } else {
            to.code.emit(op, dst, a[0], 0, leaf.bits);
        }
    });
    return true;
}

bool lower_funnel(FunctionContext& to, const llvm::CallBase& call, Op op) {
    if (to.shape(call).leaves.front().bits > 64) {
        return false;
    }
    for_each_lane(to, call, 3, [&](Slot dst, const Slots& a, const Leaf& leaf) {
        to.code.emit(op, dst, a[0], a[1], Instr::pack(a[2], static_cast<std::uint16_t>(leaf.bits), 0, 0));
    });
    return true;
}

void lower_choice(FunctionContext& to, const llvm::CallBase& call, CmpInst::Predicate predicate) {
    for_each_lane(to, call, 2, [&](Slot dst, const Slots& a, const Leaf& leaf) {
        emit_select(to, dst, compared(to, predicate, a[0], a[1], leaf.bits), a[0], a[1], leaf.bits);
    });
}

void lower_abs(FunctionContext& to, const llvm::CallBase& call) {
    for_each_lane(to, call, 1, [&](Slot dst, const Slots& a, const Leaf& leaf) {
        const Slot zero = integer_constant(to, llvm::APInt(leaf.bits, 0));
        const Slot negated = to.scratch(leaf.slots());
        emit_integer(to, Op::Sub, negated, zero, a[0], leaf.bits);
        emit_select(to, dst, compared(to, CmpInst::ICMP_SLT, a[0], zero, leaf.bits), negated, a[0], leaf.bits);
    });
}

/// scmp, ucmp: -1, 0 or 1.
void lower_three_way(FunctionContext& to, const llvm::CallBase& call, CmpInst::Predicate less, CmpInst::Predicate greater) {
    const Slots a = to.operand(*call.getArgOperand(0));
    const Slots b = to.operand(*call.getArgOperand(1));
    const Shape& operands = to.shape(*call.getArgOperand(0));
    const Slot dst = to.define(call);
    for (std::size_t lane = 0; lane < operands.leaves.size(); ++lane) {
        const Leaf& leaf = operands.leaves[lane];
        const Leaf& result = to.shape(call).leaves[lane];
        to.code.emit(Op::Sub, slot_after(dst, result.slot), compared(to, greater, a[leaf.slot], b[leaf.slot], leaf.bits),
                     compared(to, less, a[leaf.slot], b[leaf.slot], leaf.bits), mask_of(result.bits));
    }
}

struct OverflowOp {
    Op narrow;
    Op wide;
};

std::optional<OverflowOp> overflow_op(llvm::Intrinsic::ID id) {
    switch (id) {
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::uadd_sat:
        return OverflowOp{Op::UAddO, Op::WUAddO};
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::sadd_sat:
        return OverflowOp{Op::SAddO, Op::WSAddO};
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::usub_sat:
        return OverflowOp{Op::USubO, Op::WUSubO};
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::ssub_sat:
        return OverflowOp{Op::SSubO, Op::WSSubO};
    case llvm::Intrinsic::umul_with_overflow:
        return OverflowOp{Op::UMulO, Op::WUMulO};
    case llvm::Intrinsic::smul_with_overflow:
        return OverflowOp{Op::SMulO, Op::WSMulO};
    default:
        return std::nullopt;
    }
}

/// The result of one lane (one slot or two), then whether it overflowed.
Slot with_overflow(FunctionContext& to, OverflowOp op, Slot a, Slot b, const Leaf& leaf) {
    return to.compute(leaf.bits > 64 ? op.wide : op.narrow, a, b, leaf.bits, leaf.slots() + 1);
}

/// {lanes of results, lanes of overflow bits}
void lower_with_overflow(FunctionContext& to, const llvm::CallBase& call, OverflowOp op) {
    const Slots a = to.operand(*call.getArgOperand(0));
    const Slots b = to.operand(*call.getArgOperand(1));
    Slots results;
    Slots overflows;
    for (const Leaf& leaf : to.shape(*call.getArgOperand(0)).leaves) {
        const Slot both = with_overflow(to, op, a[leaf.slot], b[leaf.slot], leaf);
        for (unsigned k = 0; k < leaf.slots(); ++k) {
            results.push_back(slot_after(both, k));
        }
        overflows.push_back(slot_after(both, leaf.slots()));
    }
    results.append(overflows);
    to.rename(call, results);
}

void lower_saturating(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id, OverflowOp op) {
    for_each_lane(to, call, 2, [&](Slot dst, const Slots& a, const Leaf& leaf) {
        const Slot both = with_overflow(to, op, a[0], a[1], leaf);
        Slot limit = 0;
        if (id == llvm::Intrinsic::uadd_sat) {
            limit = integer_constant(to, llvm::APInt::getMaxValue(leaf.bits));
        } else if (id == llvm::Intrinsic::usub_sat) {
            limit = integer_constant(to, llvm::APInt(leaf.bits, 0));
        } else {
            // A signed overflow is in the direction of the first operand's sign.
            const Slot negative =
                compared(to, CmpInst::ICMP_SLT, a[0], integer_constant(to, llvm::APInt(leaf.bits, 0)), leaf.bits);
            limit = to.scratch(leaf.slots());
            emit_select(to, limit, negative, integer_constant(to, llvm::APInt::getSignedMinValue(leaf.bits)),
                        integer_constant(to, llvm::APInt::getSignedMaxValue(leaf.bits)), leaf.bits);
        }
        emit_select(to, dst, slot_after(both, leaf.slots()), limit, both, leaf.bits);
    });
}

/// vector.reduce.*: the lanes one after the other, `step` putting the next one to what there is.
void lower_reduction(FunctionContext& to, const llvm::CallBase& call,
                     const std::function<void(Slot, Slot, Slot, unsigned)>& step) {
    const Slots vector = to.operand(*call.getArgOperand(0));
    const Leaf leaf = to.shape(call).leaves.front();
    Slot current = vector[0];
    for (unsigned lane = 1; lane < lanes_of(call.getArgOperand(0)->getType()); ++lane) {
        const Slot next = to.scratch(leaf.slots());
        step(next, current, vector[std::size_t{lane} * leaf.slots()], leaf.bits);
        current = next;
    }
    to.rename(call, leaf.slots() == 2 ? Slots{current, slot_after(current, 1)} : Slots{current});
}

bool lower_integer_reduction(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    const auto by = [&](Op op) {
        lower_reduction(to, call, [&](Slot dst, Slot a, Slot b, unsigned bits) { emit_integer(to, op, dst, a, b, bits); });
        return true;
    };
    const auto best = [&](CmpInst::Predicate predicate) {
        lower_reduction(to, call, [&](Slot dst, Slot a, Slot b, unsigned bits) {
            emit_select(to, dst, compared(to, predicate, a, b, bits), a, b, bits);
        });
        return true;
    };
    switch (id) {
    case llvm::Intrinsic::vector_reduce_add:
        return by(Op::Add);
    case llvm::Intrinsic::vector_reduce_mul:
        return by(Op::Mul);
    case llvm::Intrinsic::vector_reduce_and:
        return by(Op::And);
    case llvm::Intrinsic::vector_reduce_or:
        return by(Op::Or);
    case llvm::Intrinsic::vector_reduce_xor:
        return by(Op::Xor);
    case llvm::Intrinsic::vector_reduce_smax:
        return best(CmpInst::ICMP_SGT);
    case llvm::Intrinsic::vector_reduce_smin:
        return best(CmpInst::ICMP_SLT);
    case llvm::Intrinsic::vector_reduce_umax:
        return best(CmpInst::ICMP_UGT);
    case llvm::Intrinsic::vector_reduce_umin:
        return best(CmpInst::ICMP_ULT);
    default:
        return false;
    }
}

} // namespace

bool lower_integer_intrinsic(FunctionContext& to, const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    if (to.shape(call).huge || (call.arg_size() > 0 && to.shape(*call.getArgOperand(0)).huge)) {
        return false;
    }
    switch (id) {
    case llvm::Intrinsic::ctpop:
        return lower_bits(to, call, Op::Ctpop);
    case llvm::Intrinsic::ctlz:
        return lower_bits(to, call, Op::Ctlz);
    case llvm::Intrinsic::cttz:
        return lower_bits(to, call, Op::Cttz);
    case llvm::Intrinsic::bswap:
        return lower_bits(to, call, Op::Bswap);
    case llvm::Intrinsic::bitreverse:
        return lower_bits(to, call, Op::BitReverse);
    case llvm::Intrinsic::fshl:
        return lower_funnel(to, call, Op::FunnelShl);
    case llvm::Intrinsic::fshr:
        return lower_funnel(to, call, Op::FunnelShr);
    case llvm::Intrinsic::abs:
        lower_abs(to, call);
        return true;
    case llvm::Intrinsic::smax:
        lower_choice(to, call, CmpInst::ICMP_SGT);
        return true;
    case llvm::Intrinsic::smin:
        lower_choice(to, call, CmpInst::ICMP_SLT);
        return true;
    case llvm::Intrinsic::umax:
        lower_choice(to, call, CmpInst::ICMP_UGT);
        return true;
    case llvm::Intrinsic::umin:
        lower_choice(to, call, CmpInst::ICMP_ULT);
        return true;
    case llvm::Intrinsic::scmp:
        lower_three_way(to, call, CmpInst::ICMP_SLT, CmpInst::ICMP_SGT);
        return true;
    case llvm::Intrinsic::ucmp:
        lower_three_way(to, call, CmpInst::ICMP_ULT, CmpInst::ICMP_UGT);
        return true;
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::ssub_sat:
        lower_saturating(to, call, id, *overflow_op(id));
        return true;
    default:
        break;
    }
    if (const auto op = overflow_op(id)) {
        lower_with_overflow(to, call, *op);
        return true;
    }
    return lower_integer_reduction(to, call, id);
}

} // namespace heddle::clang_frontend
