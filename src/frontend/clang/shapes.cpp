#include "frontend/clang/shapes.hpp"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::clang_frontend {

namespace {

/// Larger aggregates are values only in hand-written code; they would not fit a frame anyway.
constexpr std::size_t kMaxLeaves = 4096;
constexpr unsigned kMaxIntegerBits = 2048;

std::string name_of(llvm::Type* type) {
    std::string text;
    llvm::raw_string_ostream out(text);
    type->print(out, /*IsForDebug=*/false, /*NoDetails=*/true);
    return text;
}

void append_scalar(Leaf leaf, Shape& shape) {
    leaf.slot = shape.slots;
    shape.slots += leaf.slots();
    shape.leaves.push_back(leaf);
}

} // namespace

const Shape& Shapes::of(llvm::Type* type) {
    std::unique_ptr<Shape>& known = shapes_[type];
    if (!known) {
        auto shape = std::make_unique<Shape>();
        append(type, 0, *shape);
        if (!shape->supported()) {
            shape->leaves.clear();
            shape->slots = 0;
        }
        known = std::move(shape); // append does not call of(), so `known` is still valid
    }
    return *known;
}

void Shapes::append(llvm::Type* type, std::uint64_t offset, Shape& shape) {
    if (!shape.supported()) {
        return;
    }
    if (shape.leaves.size() > kMaxLeaves) {
        shape.unsupported = "a value of more than " + std::to_string(kMaxLeaves) + " elements";
        return;
    }
    switch (type->getTypeID()) {
    case llvm::Type::VoidTyID:
    case llvm::Type::LabelTyID:
    case llvm::Type::MetadataTyID:
        return;
    case llvm::Type::IntegerTyID:
        if (type->getIntegerBitWidth() > kMaxIntegerBits) {
            break;
        }
        shape.huge = shape.huge || type->getIntegerBitWidth() > 128;
        return append_scalar({.kind = Leaf::Kind::Integer, .bits = type->getIntegerBitWidth(), .offset = offset}, shape);
    case llvm::Type::PointerTyID:
        if (layout_.getPointerTypeSizeInBits(type) != 64) {
            break;
        }
        return append_scalar({.kind = Leaf::Kind::Pointer, .bits = 64, .offset = offset}, shape);
    case llvm::Type::FloatTyID:
        return append_scalar({.kind = Leaf::Kind::Float, .format = Float::F32, .bits = 32, .offset = offset}, shape);
    case llvm::Type::DoubleTyID:
        return append_scalar({.kind = Leaf::Kind::Float, .format = Float::F64, .bits = 64, .offset = offset}, shape);
    case llvm::Type::X86_FP80TyID:
        return append_scalar({.kind = Leaf::Kind::Float, .format = Float::F80, .bits = 80, .offset = offset}, shape);
    case llvm::Type::StructTyID: {
        auto* structure = llvm::cast<llvm::StructType>(type);
        if (!structure->isSized()) {
            break;
        }
        const llvm::StructLayout* fields = layout_.getStructLayout(structure);
        for (unsigned i = 0; i < structure->getNumElements(); ++i) {
            append(structure->getElementType(i), offset + fields->getElementOffset(i).getFixedValue(), shape);
        }
        return;
    }
    case llvm::Type::ArrayTyID: {
        llvm::Type* element = type->getArrayElementType();
        const std::uint64_t stride = layout_.getTypeAllocSize(element).getFixedValue();
        for (std::uint64_t i = 0; i < type->getArrayNumElements() && shape.supported(); ++i) {
            append(element, offset + i * stride, shape);
        }
        return;
    }
    case llvm::Type::FixedVectorTyID:
        return append_vector(type, offset, shape);
    default:
        break;
    }
    shape.unsupported = "a value of type " + name_of(type);
}

void Shapes::append_vector(llvm::Type* type, std::uint64_t offset, Shape& shape) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(type);
    llvm::Type* element = vector->getElementType();
    // Vectors are packed by bits, not by allocation size as arrays are.
    const std::uint64_t bits = layout_.getTypeSizeInBits(element).getFixedValue();
    if (bits > 128) {
        shape.unsupported = "a value of type " + name_of(type);
        return;
    }
    shape.lies_in_bytes = shape.lies_in_bytes && bits % 8 == 0;
    for (unsigned i = 0; i < vector->getNumElements() && shape.supported(); ++i) {
        append(element, offset + i * (bits / 8), shape);
    }
}

} // namespace heddle::clang_frontend
