#include "search/stateful/squeezed.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::stateful {
namespace {

// A sequence of bytes, the number of words first (as four bytes), filled up with zeros to whole words of 32 bits. A word that is neither zero nor all ones is a byte with how many bytes its two
// halves have, and these bytes; zeros in a row are one byte, and so are all ones in a row.
constexpr std::uint8_t kZeros = 0x40, kOnes = 0x80;
constexpr std::size_t kMostInARow = 63;
constexpr unsigned kHighAt = 3; // of the number of bytes of the upper half; 0 to 4 need three bits
constexpr std::uint8_t kCount = 7;

unsigned bytes_of(std::uint32_t half) { return (static_cast<unsigned>(std::bit_width(half)) + 7) / 8; }

std::uint8_t* put(std::uint8_t* to, std::uint32_t half, unsigned bytes) {
    for (unsigned k = 0; k < bytes; ++k) {
        *to++ = static_cast<std::uint8_t>(half >> (8 * k));
    }
    return to;
}

std::uint32_t take(const std::uint8_t*& from, unsigned bytes) {
    std::uint32_t half = 0;
    for (unsigned k = 0; k < bytes; ++k) {
        half |= std::uint32_t{*from++} << (8 * k);
    }
    return half;
}

} // namespace

void squeeze(std::span<const std::uint64_t> words, std::vector<std::uint32_t>& into) {
    constexpr std::size_t kMostBytes = 9; // of a word
    into.assign(1 + (words.size() * kMostBytes + 3) / 4, 0);
    into[0] = static_cast<std::uint32_t>(words.size());
    auto* const first = reinterpret_cast<std::uint8_t*>(into.data());
    std::uint8_t* to = first + 4;
    for (std::size_t k = 0; k < words.size();) {
        const std::uint64_t word = words[k];
        if (word == 0 || word == ~std::uint64_t{0}) {
            std::size_t row = 1;
            while (row < kMostInARow && k + row < words.size() && words[k + row] == word) {
                ++row;
            }
            *to++ = static_cast<std::uint8_t>((word == 0 ? kZeros : kOnes) | row);
            k += row;
            continue;
        }
        const auto low = static_cast<std::uint32_t>(word);
        const auto high = static_cast<std::uint32_t>(word >> 32);
        *to++ = static_cast<std::uint8_t>(bytes_of(low) | bytes_of(high) << kHighAt);
        to = put(to, low, bytes_of(low));
        to = put(to, high, bytes_of(high));
        ++k;
    }
    into.resize((static_cast<std::size_t>(to - first) + 3) / 4);
}

void unsqueeze(std::span<const std::uint32_t> squeezed, std::vector<std::uint64_t>& into) {
    into.clear();
    const std::size_t count = squeezed[0];
    const auto* from = reinterpret_cast<const std::uint8_t*>(squeezed.data()) + 4;
    while (into.size() < count) {
        const std::uint8_t head = *from++;
        if ((head & (kZeros | kOnes)) != 0) {
            into.insert(into.end(), head & kMostInARow, (head & kOnes) != 0 ? ~std::uint64_t{0} : 0);
            continue;
        }
        const std::uint32_t low = take(from, head & kCount);
        const std::uint32_t high = take(from, head >> kHighAt & kCount);
        into.push_back(std::uint64_t{high} << 32 | low);
    }
    HEDDLE_CHECK(into.size() == count, "squeezed words that are damaged");
}

} // namespace heddle::stateful
