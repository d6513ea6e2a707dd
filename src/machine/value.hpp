// A value of up to 16 bytes on its way between a thread and memory.
#pragma once

#include <cstdint>

namespace heddle {

struct Value {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;       ///< bytes 8..15; zero for smaller values
    std::uint64_t undef_lo = 0; ///< the bits of lo that are undefined: never written by the program
    std::uint64_t undef_hi = 0;

    [[nodiscard]] bool defined() const { return (undef_lo | undef_hi) == 0; }
    friend bool operator==(const Value&, const Value&) = default;
};

constexpr std::uint64_t mask_of_bits(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// Bytes [offset, offset + size) of `whole`.
Value part_of(const Value& whole, unsigned offset, unsigned size);
/// Puts them back.
void put_part(Value& whole, unsigned offset, unsigned size, const Value& part);

} // namespace heddle
