// Which fields of an instruction are slots, and how many neighbouring slots each names.
//
// One description for everything that walks over code without running it: the verifier, the disassembler, and the front end's last step
// that renumbers slots. Argument lists (Function::operands) are slots throughout and not repeated here; so is the result range of Call,
// whose length only the callee knows.
#pragma once

#include "program/instr.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace heddle {

enum class SlotField : std::uint8_t { Dst, A, B, C };

struct SlotUse {
    SlotField field = SlotField::Dst;
    std::uint8_t count = 1; ///< neighbouring slots
    bool writes = false;
};

class SlotUses {
  public:
    void read(SlotField field, unsigned count = 1) { add({field, static_cast<std::uint8_t>(count), false}); }
    void write(SlotField field, unsigned count = 1) { add({field, static_cast<std::uint8_t>(count), true}); }
    [[nodiscard]] std::span<const SlotUse> all() const { return {uses_.data(), size_}; }

  private:
    void add(SlotUse use) { uses_[size_++] = use; }
    std::array<SlotUse, 4> uses_{};
    std::size_t size_ = 0;
};

SlotUses slot_uses(const Instr& instr);

Slot slot_in(const Instr& instr, SlotField field);
void set_slot_in(Instr& instr, SlotField field, Slot slot);

/// True for what never goes on to the next instruction.
bool is_terminator(Op op);
/// True for a division or remainder of integers, which may fail.
bool divides(Op op);

/// 1 for a float or double, 2 for an 80-bit float.
constexpr unsigned slots_of(Float format) { return format == Float::F80 ? 2 : 1; }
/// The number of arguments of a mathematical function.
constexpr unsigned arity_of(MathFn fn) { return fn < MathFn::CopySign ? 1 : fn < MathFn::Fma ? 2 : 3; }

} // namespace heddle
