// Structs, arrays and vectors as values: lists of slots, so that taking one apart or putting one together is mostly a matter of names.
#include "frontend/clang/lower.hpp"

namespace heddle::clang_frontend {

namespace {

/// The range of slots that a path of indices names inside a value of the type.
struct SlotRange {
    unsigned first;
    unsigned count;
};

SlotRange range_of(FunctionContext& to, llvm::Type* type, llvm::ArrayRef<unsigned> path) {
    unsigned first = 0;
    for (const unsigned index : path) {
        if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
            for (unsigned i = 0; i < index; ++i) {
                first += to.module.shapes.of(structure->getElementType(i)).slots;
            }
            type = structure->getElementType(index);
        } else {
            type = type->getArrayElementType();
            first += index * to.module.shapes.of(type).slots;
        }
    }
    return {first, to.module.shapes.of(type).slots};
}

/// 1 when the vector index equals `lane`.
Slot is_lane(FunctionContext& to, Slot index, unsigned lane, unsigned bits) {
    return to.compute(Op::CmpEq, index, to.constant(lane), bits);
}

unsigned index_bits(const llvm::Value& index) { return std::min(index.getType()->getIntegerBitWidth(), 64u); }

} // namespace

void lower_extract_value(FunctionContext& to, const llvm::ExtractValueInst& extract) {
    const Slots value = to.operand(*extract.getAggregateOperand());
    const SlotRange range = range_of(to, extract.getAggregateOperand()->getType(), extract.getIndices());
    to.rename(extract, llvm::ArrayRef(value).slice(range.first, range.count));
}

void lower_insert_value(FunctionContext& to, const llvm::InsertValueInst& insert) {
    Slots value = to.operand(*insert.getAggregateOperand());
    const Slots part = to.operand(*insert.getInsertedValueOperand());
    const SlotRange range = range_of(to, insert.getType(), insert.getIndices());
    std::copy(part.begin(), part.end(), value.begin() + range.first);
    to.rename(insert, value);
}

void lower_extract_element(FunctionContext& to, const llvm::ExtractElementInst& extract) {
    const Slots vector = to.operand(*extract.getVectorOperand());
    const unsigned width = to.shape(extract).slots;
    const unsigned lanes = lanes_of(extract.getVectorOperand()->getType());
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand()); index && index->getValue().ult(lanes)) {
        return to.rename(extract, llvm::ArrayRef(vector).slice(index->getZExtValue() * width, width));
    }
    const Slot index = to.operand(*extract.getIndexOperand()).front();
    const Slot dst = to.define(extract);
    for (unsigned k = 0; k < width; ++k) {
        to.code.emit(Op::Undef, slot_after(dst, k));
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const Slot here = is_lane(to, index, lane, index_bits(*extract.getIndexOperand()));
        for (unsigned k = 0; k < width; ++k) {
            const Slot part = slot_after(dst, k);
            to.code.emit(Op::Select, part, here, vector[lane * width + k], Instr::pack(part, 0, 0, 0));
        }
    }
}

void lower_insert_element(FunctionContext& to, const llvm::InsertElementInst& insert) {
    Slots vector = to.operand(*insert.getOperand(0));
    const Slots element = to.operand(*insert.getOperand(1));
    const std::size_t width = element.size();
    const unsigned lanes = lanes_of(insert.getType());
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2)); index && index->getValue().ult(lanes)) {
        std::copy(element.begin(), element.end(), vector.begin() + static_cast<std::ptrdiff_t>(index->getZExtValue() * width));
        return to.rename(insert, vector);
    }
    const Slot index = to.operand(*insert.getOperand(2)).front();
    const Slot dst = to.define(insert);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const Slot here = is_lane(to, index, lane, index_bits(*insert.getOperand(2)));
        for (std::size_t k = 0; k < width; ++k) {
            const auto at = static_cast<unsigned>(lane * width + k);
            to.code.emit(Op::Select, slot_after(dst, at), here, element[k], Instr::pack(vector[at], 0, 0, 0));
        }
    }
}

void lower_shuffle(FunctionContext& to, const llvm::ShuffleVectorInst& shuffle) {
    Slots both = to.operand(*shuffle.getOperand(0));
    both.append(to.operand(*shuffle.getOperand(1)));
    const unsigned width = to.module.shapes.of(shuffle.getType()->getElementType()).slots;
    Slots result;
    for (const int lane : shuffle.getShuffleMask()) {
        if (lane < 0) {
            result.append(to.operand(*llvm::UndefValue::get(shuffle.getType()->getElementType())));
        } else {
            const Slots::iterator first = both.begin() + static_cast<std::ptrdiff_t>(lane) * width;
            result.append(first, first + width);
        }
    }
    to.rename(shuffle, result);
}

} // namespace heddle::clang_frontend
