// Interner: a set of strings of words in which each is known by a number. Grows only; safe for several workers at a time.
//
// States share their parts: thousands of states have the same thread standing at the same place. A part is stored once, and states are
// made of numbers. What a number stands for never moves. Nothing is read or written under a lock (numbering.hpp).
#pragma once

#include "search/stateful/arena.hpp"
#include "search/stateful/numbering.hpp"
#include "search/stateful/stable_array.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace heddle::stateful {

/// Mixes all bits of `words` into 64.
inline std::uint64_t hash_words(const std::uint32_t* words, std::size_t count) {
    std::uint64_t h = 0x9e3779b97f4a7c15u ^ (count * 0xff51afd7ed558ccdu);
    const auto mix = [&h](std::uint64_t word) {
        h = (h ^ word) * 0xc4ceb9fe1a85ec53u;
        h ^= h >> 29;
    };
    std::size_t k = 0;
    for (; k + 2 <= count; k += 2) {
        std::uint64_t two = 0;
        std::memcpy(&two, words + k, sizeof two);
        mix(two);
    }
    if (k < count) {
        mix(words[k]);
    }
    h *= 0x94d049bb133111ebu;
    return h ^ (h >> 32);
}

class Interner {
  public:
    using Id = std::uint32_t;

    /// `workforce`: who will use it; null: one worker.
    explicit Interner(Workforce* workforce);
    Interner(const Interner&) = delete;
    Interner& operator=(const Interner&) = delete;

    /// The number of this string; a new one if it is new.
    Id intern(std::span<const std::uint32_t> words) { return intern(words, hash_words(words.data(), words.size()), false); }
    Id intern(std::span<const std::uint64_t> wide) {
        const std::span words(reinterpret_cast<const std::uint32_t*>(wide.data()), wide.size() * 2);
        return intern(words, hash_words(words.data(), words.size()), true);
    }
    /// The same in two steps: its place in the table is fetched while the caller does something else.
    [[nodiscard]] std::uint64_t prepare(std::span<const std::uint32_t> words) const {
        const std::uint64_t hash = hash_words(words.data(), words.size());
        numbering_.prepare(hash);
        return hash;
    }
    Id intern_prepared(std::span<const std::uint32_t> words, std::uint64_t hash) { return intern(words, hash, false); }
    /// The same; nothing if nobody has interned it yet.
    [[nodiscard]] std::optional<Id> find(std::span<const std::uint64_t> words);
    [[nodiscard]] std::span<const std::uint32_t> operator[](Id id) const { return entries_[id]->words(); }
    /// The string as it was interned, if it was one of 64-bit words.
    [[nodiscard]] std::span<const std::uint64_t> wide(Id id) const {
        const auto words = (*this)[id];
        return {reinterpret_cast<const std::uint64_t*>(words.data()), words.size() / 2};
    }
    /// It will be asked for: first its entry is fetched; then, some time later, `soon`, what that refers to.
    void expect(Id id) const { __builtin_prefetch(entries_[id]); }
    void expect_soon(Id id) const { __builtin_prefetch((*this)[id].data()); }
    [[nodiscard]] std::size_t size() const { return numbering_.size(); }
    /// Of memory in use.
    [[nodiscard]] std::size_t bytes() const;

  private:
    /// Many strings are short, and lie in the entry itself: one place in memory to go to instead of two.
    struct alignas(16) Entry {
        static constexpr std::uint32_t kShort = 3;
        std::uint32_t count = 0;
        std::uint32_t here[kShort]; ///< the words; or, in the last two of these, where they are
        [[nodiscard]] static bool is_here(std::size_t count, bool wide) { return count == 0 || (count <= kShort && !wide); }
        [[nodiscard]] std::span<const std::uint32_t> words() const {
            if ((count & kElsewhere) == 0) {
                return {here, count};
            }
            const std::uint32_t* elsewhere = nullptr;
            std::memcpy(&elsewhere, here + 1, sizeof elsewhere);
            return {elsewhere, count & ~kElsewhere};
        }
    };
    static constexpr std::uint32_t kElsewhere = 1u << 31;
    class Adding;
    /// `wide`: must lie at a multiple of 8 bytes.
    Id intern(std::span<const std::uint32_t> words, std::uint64_t hash, bool wide);

    Numbering numbering_;
    StableArray<Entry> entries_{};                   ///< by number
    std::unique_ptr<Arena<std::uint64_t>[]> arenas_; ///< by worker: of words
};

} // namespace heddle::stateful
