// The bytes of an object as a part of a state.
//
// In words of 32 bits: 4 * size + (are some bits undefined), the bytes, the undefined bits if there are any. So an object of up to eight bytes, as most are that threads talk to each other by, lies in its entry (interner.hpp).
// A large object is kept in pieces, each of them such a part: first kInPieces, then its size in two words, and the numbers of the pieces. A step that changes one byte of an array then adds
// one piece and a list, and what is the same all over (the library has tables of zeros) is kept once.
#pragma once

#include "machine/block.hpp"
#include "search/stateful/interner.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::stateful {

class Contents {
  public:
    using Part = std::span<const std::uint32_t>;
    /// `remember`: what a store makes of a part is looked up where it is known (Tuning::remember_moves).
    explicit Contents(Interner& interner, bool remember = true) : interner_(interner), remember_(remember) {}

    Interner::Id intern(const Block& block);
    [[nodiscard]] Value load(Interner::Id id, std::uint64_t offset, unsigned size) const {
        const Part part = interner_[id];
        return is_in_pieces(part) ? load_pieces(part, offset, size) : load_whole(part, offset, size);
    }
    /// The number of the same bytes with `v` at `offset`.
    Interner::Id store(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v) {
        if (!remember_ || size > 8 || !v.defined()) {
            return put(id, offset, size, v);
        }
        if (!changes_.empty()) {
            const Change& c = changes_[slot(id, offset, v.lo)];
            if (c.before == id && c.offset == offset && c.value == v.lo && c.size == size) {
                return c.after;
            }
        }
        return learn(id, offset, size, v);
    }
    [[nodiscard]] Interner::Id nothing() { return interner_.intern(Part()); } ///< of what has ended

    /// Calls `visit` with the aligned words of the object, as they would be read.
    template <class F> void each_word(Interner::Id id, F&& visit) const {
        const Part part = interner_[id];
        for (const Interner::Id piece : pieces_of(part)) {
            each_word(piece, visit);
        }
        for (std::size_t k = 0; k < words_in(part); ++k) {
            std::uint64_t word = 0;
            std::memcpy(&word, part.data() + 1 + 2 * k, sizeof word);
            visit(word);
        }
    }
    /// The number of the same bytes with `change` applied to each aligned word.
    template <class F> Interner::Id changed(Interner::Id id, F&& change) {
        const Part part = interner_[id];
        std::vector<std::uint32_t> words(part.begin(), part.end());
        for (std::size_t k = 0; k < pieces_of(part).size(); ++k) {
            words[kPiecesAt + k] = changed(pieces_of(part)[k], change);
        }
        for (std::size_t k = 0; k < words_in(part); ++k) {
            std::uint64_t word = 0;
            std::memcpy(&word, words.data() + 1 + 2 * k, sizeof word);
            word = change(word);
            std::memcpy(words.data() + 1 + 2 * k, &word, sizeof word);
        }
        return interner_.intern(Part(words));
    }

    /// Of a part that is kept in pieces: their numbers. Of others nothing.
    [[nodiscard]] static std::span<const Interner::Id> pieces_of(Part part) {
        return is_in_pieces(part) ? part.subspan(kPiecesAt) : Part();
    }
    static constexpr std::size_t kPiecesAt = 3;

  private:
    static constexpr std::uint32_t kUndefined = 1, kInPieces = 2;
    static constexpr unsigned kSizeAt = 2;
    static constexpr std::uint64_t kMostWhole = 256, kPiece = 128; ///< bytes; the second of pieces but the last
    static_assert(kPiece % 8 == 0);

    /// What a store has made of a part: parts stay what they are, so it does so again.
    struct Change {
        Interner::Id before = 0;
        Interner::Id after = 0;
        std::uint64_t offset = 0;
        std::uint64_t value = 0;
        std::uint32_t size = 0; ///< 0: nothing is known here
    };
    [[nodiscard]] std::size_t slot(Interner::Id before, std::uint64_t offset, std::uint64_t value) const {
        const std::uint64_t h = ((std::uint64_t{before} << 20 ^ offset) * 0x9e3779b97f4a7c15u ^ value) * 0xc4ceb9fe1a85ec53u;
        return (h >> 32 ^ h >> 15) & (changes_.size() - 1);
    }
    Interner::Id learn(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v);
    /// `store`, without remembering.
    Interner::Id put(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v);

    [[nodiscard]] static bool is_in_pieces(Part part) { return !part.empty() && (part[0] & kInPieces) != 0; }
    [[nodiscard]] static std::size_t words_for(std::uint64_t size) { return (size + 3) / 4; }
    /// Aligned words of 64 bits in a part that is whole.
    [[nodiscard]] static std::size_t words_in(Part part) {
        return part.empty() || is_in_pieces(part) ? 0 : (part[0] >> kSizeAt) / 8;
    }
    Interner::Id intern_whole(const std::uint8_t* bytes, const std::uint8_t* undef, std::uint64_t size);
    Interner::Id store_whole(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v);
    [[nodiscard]] static Value load_whole(Part part, std::uint64_t offset, unsigned size);
    [[nodiscard]] Value load_pieces(Part part, std::uint64_t offset, unsigned size) const;

    Interner& interner_;
    const bool remember_;
    std::vector<Change> changes_; ///< one for each place: the newest stays
    std::size_t learnt_ = 0;      ///< since it has this size
    std::vector<std::uint32_t> scratch_;
};

} // namespace heddle::stateful
