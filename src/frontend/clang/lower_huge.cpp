// Integers of more than 128 bits.
//
// clang makes them for runs of bit-fields in packed structs: it loads the run as one integer, shifts and masks by constants, and stores it
// back. That much is done here, slot by slot. Arithmetic on such integers (C23's _BitInt) is not.
#include "frontend/clang/chunks.hpp"
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/STLExtras.h>

#include <functional>

namespace heddle::clang_frontend {

namespace {

void refuse(FunctionContext& to, const llvm::Instruction& instruction) {
    lower_unsupported(to, instruction,
                      std::string("instruction '") + instruction.getOpcodeName() + "' on an integer of more than 128 bits");
}

/// 64 copies of the value's sign bit.
Slot sign_of(FunctionContext& to, const std::vector<Chunk>& value) {
    const Chunk& top = value.back();
    const Slot extended = top.bits == 64 ? top.slot : to.compute(Op::Sext, top.slot, 0, Instr::pack(top.bits, 64));
    return to.compute(Op::AShr, extended, to.constant(63), 64);
}

/// The result is the bits from `first` on of `value`, above which `fill` repeats.
void cut(FunctionContext& to, const llvm::Instruction& instruction, std::vector<Chunk> value, unsigned first, Slot fill) {
    unsigned bits = 0;
    for (const Chunk& chunk : value) {
        bits += chunk.bits;
    }
    const Leaf leaf = to.shape(instruction).leaves.front();
    for (; bits < first + leaf.bits; bits += 64) {
        value.push_back({fill, 64});
    }
    Slots pieces;
    for (unsigned k = 0; k < leaf.slots(); ++k) {
        pieces.push_back(gather(to, value, first + 64 * k, leaf.bits_of_slot(k)));
    }
    to.copy_to(to.define(instruction), pieces);
}

void lower_shift(FunctionContext& to, const llvm::BinaryOperator& shift) {
    const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
    const Shape& shape = to.shape(shift);
    if (!amount || amount->getValue().uge(shape.leaves.front().bits)) {
        return refuse(to, shift);
    }
    const auto by = static_cast<unsigned>(amount->getZExtValue());
    std::vector<Chunk> value = chunks_of(shape, to.operand(*shift.getOperand(0)));
    if (shift.getOpcode() == llvm::Instruction::Shl) {
        std::vector<Chunk> zeros;
        for (unsigned left = by; left > 0; left -= std::min(left, 64u)) {
            zeros.push_back({to.constant(0), std::min(left, 64u)});
        }
        value.insert(value.begin(), zeros.begin(), zeros.end());
        return cut(to, shift, std::move(value), 0, to.constant(0));
    }
    const Slot fill = shift.getOpcode() == llvm::Instruction::AShr ? sign_of(to, value) : to.constant(0);
    cut(to, shift, std::move(value), by, fill);
}

void lower_bitwise(FunctionContext& to, const llvm::BinaryOperator& operation, Op op) {
    const Slots a = to.operand(*operation.getOperand(0));
    const Slots b = to.operand(*operation.getOperand(1));
    const Slot dst = to.define(operation);
    for (unsigned k = 0; k < a.size(); ++k) {
        to.code.emit(op, slot_after(dst, k), a[k], b[k]);
    }
}

void lower_equality(FunctionContext& to, const llvm::ICmpInst& compare) {
    const Slots a = to.operand(*compare.getOperand(0));
    const Slots b = to.operand(*compare.getOperand(1));
    Slot difference = to.constant(0);
    for (unsigned k = 0; k < a.size(); ++k) {
        difference = to.compute(Op::Or, difference, to.compute(Op::Xor, a[k], b[k]));
    }
    const Op op = compare.getPredicate() == llvm::CmpInst::ICMP_EQ ? Op::CmpEq : Op::CmpNe;
    to.code.emit(op, to.define(compare), difference, to.constant(0), 64);
}

/// Calls `access(k, offset, bytes, bits)` for each slot of an integer in memory.
void for_each_word(const Leaf& leaf, const std::function<void(unsigned, std::int64_t, unsigned, unsigned)>& access) {
    for (unsigned k = 0; k < leaf.slots(); ++k) {
        access(k, 8 * std::int64_t{k}, std::min(8u, leaf.bytes() - 8 * k), leaf.bits_of_slot(k));
    }
}

void lower_load(FunctionContext& to, const llvm::LoadInst& load, const Leaf& leaf) {
    const MemoryPlace place = to.place_of(*load.getPointerOperand());
    const Slot dst = to.define(load);
    for_each_word(leaf, [&](unsigned k, std::int64_t offset, unsigned bytes, unsigned bits) {
        to.load(slot_after(dst, k), place, offset, bytes, bits, load.isVolatile() ? kVolatile : std::uint16_t{0});
    });
}

void lower_store(FunctionContext& to, const llvm::StoreInst& store, const Leaf& leaf) {
    const Slots value = to.operand(*store.getValueOperand());
    const MemoryPlace place = to.place_of(*store.getPointerOperand());
    for_each_word(leaf, [&](unsigned k, std::int64_t offset, unsigned bytes, unsigned) {
        to.store(value[k], place, offset, bytes, store.isVolatile() ? kVolatile : std::uint16_t{0});
    });
}

} // namespace

void lower_huge(FunctionContext& to, const llvm::Instruction& instruction) {
    const auto scalar = [&](const llvm::Value& value) { return to.shape(value).leaves.size() == 1; };
    if (instruction.isAtomic() ||
        !llvm::all_of(instruction.operand_values(), [&](const llvm::Value* operand) { return scalar(*operand); })) {
        return refuse(to, instruction);
    }
    switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
        return lower_bitwise(to, llvm::cast<llvm::BinaryOperator>(instruction), Op::And);
    case llvm::Instruction::Or:
        return lower_bitwise(to, llvm::cast<llvm::BinaryOperator>(instruction), Op::Or);
    case llvm::Instruction::Xor:
        return lower_bitwise(to, llvm::cast<llvm::BinaryOperator>(instruction), Op::Xor);
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
        return lower_shift(to, llvm::cast<llvm::BinaryOperator>(instruction));
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt: {
        const llvm::Value& from = *instruction.getOperand(0);
        return cut(to, instruction, chunks_of(to.shape(from), to.operand(from)), 0, to.constant(0));
    }
    case llvm::Instruction::SExt: {
        const llvm::Value& from = *instruction.getOperand(0);
        const std::vector<Chunk> value = chunks_of(to.shape(from), to.operand(from));
        return cut(to, instruction, value, 0, sign_of(to, value));
    }
    case llvm::Instruction::ICmp:
        if (llvm::cast<llvm::ICmpInst>(instruction).isEquality()) {
            return lower_equality(to, llvm::cast<llvm::ICmpInst>(instruction));
        }
        return refuse(to, instruction);
    case llvm::Instruction::Load:
        if (scalar(instruction)) {
            return lower_load(to, llvm::cast<llvm::LoadInst>(instruction), to.shape(instruction).leaves.front());
        }
        return refuse(to, instruction);
    case llvm::Instruction::Store: {
        const auto& store = llvm::cast<llvm::StoreInst>(instruction);
        return lower_store(to, store, to.shape(*store.getValueOperand()).leaves.front());
    }
    default:
        return refuse(to, instruction);
    }
}

} // namespace heddle::clang_frontend
