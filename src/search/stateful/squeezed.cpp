#include "search/stateful/squeezed.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <bit>

namespace heddle::stateful {
namespace {

// The number of words, then for each of them, or for several in a row, a byte that says what follows. Its two upper bits: zeros in a row, all ones in a row, words in a row that are as those they are
// like; so many in the other bits, or, if these have no room, in the number that follows. Otherwise it is one word, and the byte says how many bytes its two halves have, which follow, lower half first, and
// whether it is written by the bits in which it differs from the word it is like (`kDiffers`): a place in the code or an address near the other one is a byte or two then. Or so many words (a number that
// follows) have come in, or gone, with respect to those they are like: a thread has come to have one more object on its stack.
constexpr std::uint8_t kZeros = 0x40, kOnes = 0x80, kSame = 0xc0, kSorts = 0xc0;
constexpr std::uint32_t kLongRow = 63;
constexpr unsigned kCounts = 5; // a half has 0 to 4 bytes
constexpr unsigned kDiffers = kCounts * kCounts;
constexpr std::uint8_t kCameIn = 2 * kDiffers, kGone = kCameIn + 1;
static_assert(kGone < kZeros);

unsigned bytes_of(std::uint32_t half) { return (static_cast<unsigned>(std::bit_width(half)) + 7) / 8; }
std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
unsigned bytes_of(std::uint64_t word) { return bytes_of(low(word)) + bytes_of(high(word)); }

std::uint8_t* put(std::uint8_t* to, std::uint32_t half) {
    for (; half != 0; half >>= 8) {
        *to++ = static_cast<std::uint8_t>(half);
    }
    return to;
}

std::uint8_t* put_number(std::uint8_t* to, std::uint32_t number) {
    for (; number >= 0x80; number >>= 7) {
        *to++ = static_cast<std::uint8_t>(number | 0x80);
    }
    *to++ = static_cast<std::uint8_t>(number);
    return to;
}

std::uint64_t take(const std::uint8_t*& from, unsigned bytes) {
    std::uint64_t half = 0;
    for (unsigned k = 0; k < bytes; ++k) {
        half |= std::uint64_t{*from++} << (8 * k);
    }
    return half;
}

} // namespace

void squeeze_number(std::uint32_t number, std::vector<std::uint8_t>& into) {
    std::uint8_t bytes[5];
    into.insert(into.end(), bytes, put_number(bytes, number));
}

std::uint32_t unsqueeze_number(const std::uint8_t*& from) {
    std::uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = *from++;
        number |= std::uint32_t{byte & 0x7fu} << shift;
        if (byte < 0x80) {
            return number;
        }
    }
}

namespace {

bool is_plain(std::uint64_t word) { return word == 0 || word == ~std::uint64_t{0}; }

/// Of the words from `from` on, how many of the next few are as those of `like` from `at` on. Those that are easily written anyway do not count.
constexpr std::size_t kFew = 8;
std::size_t in_common(std::span<const std::uint64_t> words, std::size_t from, std::span<const std::uint64_t> like,
                      std::size_t at) {
    const std::size_t n = std::min({kFew, words.size() - from, like.size() - std::min(at, like.size())});
    std::size_t common = 0;
    for (std::size_t k = 0; k < n; ++k) {
        common += words[from + k] == like[at + k] && !is_plain(words[from + k]) ? 1u : 0u;
    }
    return common;
}

/// Words differ from here on. Have they rather come in before, or gone? Their number, less than 0 for gone; 0: no, or nobody can tell.
std::ptrdiff_t came_in(std::span<const std::uint64_t> words, std::size_t from, std::span<const std::uint64_t> like,
                       std::size_t at) {
    constexpr std::size_t kMost = 8, kWorthIt = 2;
    // Mostly one word is another and all that follow are the same; then there are too few of them to be better anywhere.
    static_assert(kFew + kMost <= 32);
    std::uint32_t counting = 0; // bits of the words from `from` on that would count
    for (std::size_t k = 0; k < std::min(kFew + kMost, words.size() - from); ++k) {
        counting |= is_plain(words[from + k]) ? 0 : 1u << k;
    }
    const auto at_most = [&](std::size_t k) {
        return static_cast<std::size_t>(std::popcount(counting >> k & ((1u << kFew) - 1)));
    };
    std::size_t best = in_common(words, from, like, at) + kWorthIt;
    std::ptrdiff_t found = 0;
    for (std::size_t k = 1; k <= kMost; ++k) {
        if (const std::size_t gone = at_most(0) > best ? in_common(words, from, like, at + k) : 0; gone > best) {
            best = gone;
            found = -static_cast<std::ptrdiff_t>(k);
        }
        if (const std::size_t came = at_most(k) > best ? in_common(words, from + k, like, at) : 0; came > best) {
            best = came;
            found = static_cast<std::ptrdiff_t>(k);
        }
    }
    return found;
}

std::uint8_t* put_row(std::uint8_t* to, std::uint8_t sort, std::size_t row) {
    *to++ = static_cast<std::uint8_t>(sort | std::min<std::size_t>(row, kLongRow));
    return row >= kLongRow ? put_number(to, static_cast<std::uint32_t>(row)) : to;
}

std::uint8_t* put_word(std::uint8_t* to, std::uint64_t word, std::uint64_t like) {
    const bool differs = bytes_of(word ^ like) < bytes_of(word);
    const std::uint64_t written = differs ? word ^ like : word;
    *to++ = static_cast<std::uint8_t>(bytes_of(low(written)) + kCounts * bytes_of(high(written)) + (differs ? kDiffers : 0));
    return put(put(to, low(written)), high(written));
}

} // namespace

void squeeze(std::span<const std::uint64_t> words, std::span<const std::uint64_t> like, std::vector<std::uint8_t>& into) {
    // What a word takes at most: twice words that have come in, or gone, before it (two bytes each; `came_in` finds three more in common of eight each time), and nine for itself.
    constexpr std::size_t kMostOfOne = 16;
    const std::size_t first = into.size();
    into.resize(first + kMostOfOne * (words.size() + 1));
    std::uint8_t* to = put_number(into.data() + first, static_cast<std::uint32_t>(words.size()));
    const auto row = [&](std::size_t from, auto&& fits) {
        std::size_t k = from;
        while (k < words.size() && fits(k)) {
            ++k;
        }
        return k - from;
    };
    std::ptrdiff_t shift = 0;   // word k is like word k - shift
    std::size_t came_until = 0; // words before this one have come in: they are like zeros
    const auto there = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(k) - shift); };
    for (std::size_t k = 0; k < words.size();) {
        const std::uint64_t word = words[k];
        const auto is_same = [&](std::size_t at) { return there(at) < like.size() && words[at] == like[there(at)]; };
        const std::size_t same = k >= came_until ? row(k, is_same) : 0;
        const std::size_t alike = is_plain(word) ? row(k, [&](std::size_t at) { return words[at] == word; }) : 0;
        if (same != 0 || alike != 0) {
            to = put_row(to, same >= alike ? kSame : word == 0 ? kZeros : kOnes, std::max(same, alike));
            k += std::max(same, alike);
            continue;
        }
        const bool has_like = k >= came_until && there(k) < like.size();
        if (const std::ptrdiff_t n = has_like ? came_in(words, k, like, there(k)) : 0; n != 0) {
            *to++ = n > 0 ? kCameIn : kGone;
            to = put_number(to, static_cast<std::uint32_t>(n > 0 ? n : -n));
            shift += n;
            came_until = n > 0 ? k + static_cast<std::size_t>(n) : came_until;
            continue;
        }
        to = put_word(to, word, has_like ? like[there(k)] : 0);
        ++k;
    }
    into.resize(static_cast<std::size_t>(to - into.data()));
}

const std::uint8_t* unsqueeze(const std::uint8_t* from, std::vector<std::uint64_t>& words) {
    const std::size_t count = unsqueeze_number(from);
    words.resize(std::max(words.size(), count), 0); // those that go are at the end then
    for (std::size_t k = 0; k < count;) {
        const unsigned head = *from++;
        const auto here = words.begin() + static_cast<std::ptrdiff_t>(k);
        if (const unsigned sort = head & kSorts; sort != 0) {
            const std::size_t row = (head & kLongRow) < kLongRow ? head & kLongRow : unsqueeze_number(from);
            HEDDLE_CHECK(row != 0 && row <= count - k, "squeezed words that are damaged");
            if (sort != kSame) {
                std::fill_n(here, row, sort == kOnes ? ~std::uint64_t{0} : 0);
            }
            k += row;
        } else if (head == kCameIn) {
            words.insert(here, unsqueeze_number(from), 0);
        } else if (head == kGone) {
            const std::size_t gone = unsqueeze_number(from);
            words.erase(here, here + static_cast<std::ptrdiff_t>(gone));
            words.resize(std::max(words.size(), count), 0);
        } else {
            const unsigned counts = head % kDiffers;
            const std::uint64_t lower = take(from, counts % kCounts);
            const std::uint64_t written = lower | take(from, counts / kCounts) << 32;
            words[k] = head >= kDiffers ? words[k] ^ written : written;
            ++k;
        }
    }
    words.resize(count);
    return from;
}

} // namespace heddle::stateful
