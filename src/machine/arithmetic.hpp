// The arithmetic that is not worth a place in the interpreter's hot loop: wide integers, floating point, bit counting, overflow.
#pragma once

#include "program/instr.hpp"

#include <array>
#include <cstdint>

namespace heddle {

/// What an instruction computes: `count` slots from dst on. When any operand has undefined bits, so have all bits of `widths`.
struct ArithmeticResult {
    std::array<std::uint64_t, 3> values{};
    std::array<std::uint8_t, 3> widths{}; ///< in bits, of each slot
    unsigned count = 0;
    bool undefined = false; ///< the result is undefined although the operands are not (a value out of range)
    bool division_by_zero = false;
    bool division_overflow = false;
};

ArithmeticResult compute(const Instr& instr, const std::uint64_t* slots);

} // namespace heddle
