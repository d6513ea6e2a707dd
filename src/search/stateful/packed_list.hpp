// Lists of numbers of parts, as they are kept: a byte, two or four for each number, by the largest of them. There are few parts in a small check, and a list of a large one has
// numbers of the same size mostly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::stateful {

namespace packed_list {
// The first byte has the length and the width; where the length has no room there, it follows in four bytes.
constexpr std::uint32_t kLong = 63;
constexpr unsigned kWidthBits = 2;

template <class T> std::uint8_t* put(std::uint8_t* to, std::span<const std::uint32_t> list) {
    for (const std::uint32_t number : list) {
        const T short_number = static_cast<T>(number);
        std::memcpy(to, &short_number, sizeof(T));
        to += sizeof(T);
    }
    return to;
}

template <class T> void take(const std::uint8_t* from, std::span<std::uint32_t> into) {
    for (std::uint32_t& number : into) {
        T short_number = 0;
        std::memcpy(&short_number, from, sizeof(T));
        number = short_number;
        from += sizeof(T);
    }
}
} // namespace packed_list

/// `into` becomes the written form of `list`: equal for equal lists.
inline void pack_list(std::span<const std::uint32_t> list, std::vector<std::uint32_t>& into) {
    using namespace packed_list;
    std::uint32_t all = 0;
    for (const std::uint32_t number : list) {
        all |= number;
    }
    const unsigned code = all < 1u << 8 ? 0 : all < 1u << 16 ? 1 : 2;
    const std::size_t head = list.size() < kLong ? 1 : 5;
    into.resize((head + (list.size() << code) + 3) / 4);
    into.back() = 0; // what is left over of it
    auto* to = reinterpret_cast<std::uint8_t*>(into.data());
    const auto length = static_cast<std::uint32_t>(list.size());
    *to++ = static_cast<std::uint8_t>((length < kLong ? length : kLong) << kWidthBits | code);
    if (length >= kLong) {
        std::memcpy(to, &length, sizeof length);
        to += sizeof length;
    }
    code == 0 ? put<std::uint8_t>(to, list) : code == 1 ? put<std::uint16_t>(to, list) : put<std::uint32_t>(to, list);
}

/// And back.
inline void unpack_list(std::span<const std::uint32_t> packed, std::vector<std::uint32_t>& into) {
    using namespace packed_list;
    const auto* from = reinterpret_cast<const std::uint8_t*>(packed.data());
    const unsigned code = *from & ((1u << kWidthBits) - 1);
    std::uint32_t length = *from++ >> kWidthBits;
    if (length == kLong) {
        std::memcpy(&length, from, sizeof length);
        from += sizeof length;
    }
    into.resize(length);
    code == 0 ? take<std::uint8_t>(from, into) : code == 1 ? take<std::uint16_t>(from, into) : take<std::uint32_t>(from, into);
}

} // namespace heddle::stateful
