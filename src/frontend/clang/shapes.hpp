// How values of LLVM types lie in slots and in memory: the list of their scalar leaves.
#pragma once

#include "program/instr.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Type.h>

#include <cstdint>
#include <memory>
#include <string>

namespace heddle::clang_frontend {

/// One scalar of a value.
struct Leaf {
    enum class Kind : std::uint8_t { Integer, Pointer, Float };
    Kind kind = Kind::Integer;
    Float format = Float::F32; ///< of a Float
    unsigned bits = 0;         ///< 80 for x86 long double
    unsigned slot = 0;         ///< its first slot, counted from the value's first
    std::uint64_t offset = 0;  ///< its first byte in memory, counted from the value's first

    [[nodiscard]] unsigned slots() const { return (bits + 63) / 64; }
    [[nodiscard]] unsigned bytes() const { return (bits + 7) / 8; }
    /// The bits of its k-th slot.
    [[nodiscard]] unsigned bits_of_slot(unsigned k) const { return k + 1 < slots() ? 64 : bits - 64 * k; }
    /// An integer that the machine has no instructions for: packed bit-fields make them. See lower_huge.cpp.
    [[nodiscard]] bool huge() const { return bits > 128; }
};

struct Shape {
    llvm::SmallVector<Leaf, 1> leaves;
    unsigned slots = 0;
    std::string unsupported;   ///< not empty: values of this type do not exist in a Program; says which type it is
    bool huge = false;         ///< has huge leaves
    bool lies_in_bytes = true; ///< false: in memory its leaves share bytes (vectors of i1)

    [[nodiscard]] bool supported() const { return unsupported.empty(); }
};

class Shapes {
  public:
    explicit Shapes(const llvm::DataLayout& layout) : layout_(layout) {}
    const Shape& of(llvm::Type* type);

  private:
    void append(llvm::Type* type, std::uint64_t offset, Shape& shape);
    void append_vector(llvm::Type* type, std::uint64_t offset, Shape& shape);

    const llvm::DataLayout& layout_;
    llvm::DenseMap<llvm::Type*, std::unique_ptr<Shape>> shapes_;
};

/// The low `bits` bits set; all for 64 and more.
constexpr std::uint64_t mask_of(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

} // namespace heddle::clang_frontend
