#include "machine/value.hpp"

#include <array>
#include <cstring>

namespace heddle {
namespace {

std::array<std::uint8_t, 32> bytes_of(const Value& v) {
    std::array<std::uint8_t, 32> b{};
    std::memcpy(b.data(), &v.lo, 8);
    std::memcpy(b.data() + 8, &v.hi, 8);
    std::memcpy(b.data() + 16, &v.undef_lo, 8);
    std::memcpy(b.data() + 24, &v.undef_hi, 8);
    return b;
}

Value value_of(const std::array<std::uint8_t, 32>& b) {
    Value v;
    std::memcpy(&v.lo, b.data(), 8);
    std::memcpy(&v.hi, b.data() + 8, 8);
    std::memcpy(&v.undef_lo, b.data() + 16, 8);
    std::memcpy(&v.undef_hi, b.data() + 24, 8);
    return v;
}

} // namespace

Value part_of(const Value& whole, unsigned offset, unsigned size) {
    const auto from = bytes_of(whole);
    std::array<std::uint8_t, 32> to{};
    std::memcpy(to.data(), from.data() + offset, size);
    std::memcpy(to.data() + 16, from.data() + 16 + offset, size);
    return value_of(to);
}

void put_part(Value& whole, unsigned offset, unsigned size, const Value& part) {
    auto to = bytes_of(whole);
    const auto from = bytes_of(part);
    std::memcpy(to.data() + offset, from.data(), size);
    std::memcpy(to.data() + 16 + offset, from.data() + 16, size);
    whole = value_of(to);
}

} // namespace heddle
