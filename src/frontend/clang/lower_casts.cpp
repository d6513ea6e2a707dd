#include "frontend/clang/chunks.hpp"
#include "frontend/clang/lower.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

/// The same bits cut into other leaves: vectors and integers of different lane widths, and <N x i1> as an integer.
void lower_bitcast(FunctionContext& to, const llvm::CastInst& cast) {
    const Shape& from = to.shape(*cast.getOperand(0));
    const Shape& target = to.shape(cast);
    const Slots a = to.operand(*cast.getOperand(0));
    const bool same = std::ranges::equal(from.leaves, target.leaves, {}, &Leaf::bits, &Leaf::bits);
    if (same) {
        return to.rename(cast, a);
    }
    const std::vector<Chunk> value = chunks_of(from, a);
    Slots pieces;
    unsigned position = 0;
    for (const Chunk& wanted : chunks_of(target, {})) {
        pieces.push_back(gather(to, value, position, wanted.bits));
        position += wanted.bits;
    }
    to.copy_to(to.define(cast), pieces);
}

/// Integers and pointers without regard to sign: truncation, zero-extension and the casts between the two. Returns one lane.
Slots resized(FunctionContext& to, llvm::ArrayRef<Slot> lane, unsigned from, unsigned target) {
    if (target > 64) {
        if (from > 64) {
            Slots pair(lane.begin(), lane.end());
            if (target < from) {
                const Slot fresh = to.scratch(2);
                to.code.emit(Op::Mov, fresh, pair[0]);
                to.code.emit(Op::Trunc, slot_after(fresh, 1), pair[1], 0, mask_of(target - 64));
                return {fresh, slot_after(fresh, 1)};
            }
            return pair;
        }
        const Slot fresh = to.scratch(2);
        to.code.emit(Op::Mov, fresh, lane[0]);
        to.code.emit(Op::Mov, slot_after(fresh, 1), to.constant(0));
        return {fresh, slot_after(fresh, 1)};
    }
    // Integers are kept zero-extended, so only a narrower one needs work.
    return {target < std::min(from, 64u) ? to.compute(Op::Trunc, lane[0], 0, mask_of(target)) : lane[0]};
}

void lower_resize(FunctionContext& to, const llvm::CastInst& cast) {
    const Shape& from = to.shape(*cast.getOperand(0));
    const Shape& target = to.shape(cast);
    const Slots a = to.operand(*cast.getOperand(0));
    Slots all;
    for (std::size_t lane = 0; lane < target.leaves.size(); ++lane) {
        const Leaf& source = from.leaves[lane];
        all.append(resized(to, llvm::ArrayRef(a).slice(source.slot, source.slots()), source.bits, target.leaves[lane].bits));
    }
    to.rename(cast, all);
}

void emit_conversion(FunctionContext& to, unsigned opcode, Slot dst, Slot a, const Leaf& from, const Leaf& target) {
    const auto format = [](const Leaf& leaf) { return static_cast<std::uint32_t>(leaf.format); };
    switch (opcode) {
    case llvm::Instruction::SExt:
        return to.code.emit(target.bits > 64 ? Op::WSext : Op::Sext, dst, a, 0, Instr::pack(from.bits, target.bits));
    case llvm::Instruction::FPToSI:
        return to.code.emit(Op::FToSi, dst, a, 0, Instr::pack(format(from), target.bits));
    case llvm::Instruction::FPToUI:
        return to.code.emit(Op::FToUi, dst, a, 0, Instr::pack(format(from), target.bits));
    case llvm::Instruction::SIToFP:
        return to.code.emit(Op::SiToF, dst, a, 0, Instr::pack(format(target), from.bits));
    case llvm::Instruction::UIToFP:
        return to.code.emit(Op::UiToF, dst, a, 0, Instr::pack(format(target), from.bits));
    default: // FPTrunc, FPExt
        return to.code.emit(Op::FConv, dst, a, 0, Instr::pack(format(from), format(target)));
    }
}

} // namespace

void lower_cast(FunctionContext& to, const llvm::CastInst& cast) {
    switch (cast.getOpcode()) {
    case llvm::Instruction::BitCast:
        return lower_bitcast(to, cast);
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::AddrSpaceCast:
        return lower_resize(to, cast);
    default:
        break;
    }
    const Shape& from = to.shape(*cast.getOperand(0));
    const Shape& target = to.shape(cast);
    const Slots a = to.operand(*cast.getOperand(0));
    const Slot dst = to.define(cast);
    for (std::size_t lane = 0; lane < target.leaves.size(); ++lane) {
        emit_conversion(to, cast.getOpcode(), slot_after(dst, target.leaves[lane].slot), a[from.leaves[lane].slot],
                        from.leaves[lane], target.leaves[lane]);
    }
}

} // namespace heddle::clang_frontend
