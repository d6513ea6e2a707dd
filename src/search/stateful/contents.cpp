#include "search/stateful/contents.hpp"

#include <algorithm>

namespace heddle::stateful {

Interner::Id Contents::intern(const Block& block) {
    const std::uint64_t size = block.size();
    if (size <= kMostWhole) {
        return intern_whole(block.bytes(), block.undef(), size);
    }
    std::vector<std::uint32_t> words = {kInPieces, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size >> 32)};
    for (std::uint64_t at = 0; at < size; at += kPiece) {
        words.push_back(
            intern_whole(block.bytes() + at, block.undef() ? block.undef() + at : nullptr, std::min(kPiece, size - at)));
    }
    return interner_.intern(Part(words));
}

Interner::Id Contents::intern_whole(const std::uint8_t* bytes, const std::uint8_t* undef, std::uint64_t size) {
    const bool undefined = undef && std::any_of(undef, undef + size, [](std::uint8_t b) { return b != 0; });
    const std::size_t words = words_for(size);
    scratch_.assign(1 + words * (undefined ? 2 : 1), 0);
    scratch_[0] = static_cast<std::uint32_t>(size << kSizeAt) | (undefined ? kUndefined : 0);
    std::memcpy(scratch_.data() + 1, bytes, size);
    if (undefined) {
        std::memcpy(scratch_.data() + 1 + words, undef, size);
    }
    return interner_.intern(Part(scratch_));
}

Value Contents::load_whole(Part part, std::uint64_t offset, unsigned size) {
    const unsigned low = std::min(size, 8u);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(part.data() + 1) + offset;
    Value v;
    std::memcpy(&v.lo, bytes, low);
    std::memcpy(&v.hi, bytes + low, size - low);
    if ((part[0] & kUndefined) != 0) {
        const auto* undef = reinterpret_cast<const std::uint8_t*>(part.data() + 1 + words_for(part[0] >> kSizeAt)) + offset;
        std::memcpy(&v.undef_lo, undef, low);
        std::memcpy(&v.undef_hi, undef + low, size - low);
    }
    return v;
}

Value Contents::load_pieces(Part part, std::uint64_t offset, unsigned size) const {
    Value v;
    for (unsigned done = 0; done < size;) { // an access may go from one into the next
        const std::uint64_t at = offset + done;
        const auto here = static_cast<unsigned>(std::min<std::uint64_t>(size - done, kPiece - at % kPiece));
        put_part(v, done, here, load_whole(interner_[pieces_of(part)[at / kPiece]], at % kPiece, here));
        done += here;
    }
    return v;
}

Interner::Id Contents::learn(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v) {
    constexpr std::size_t kFirst = 64, kMost = 1u << 14; // a small check stays small, a large one does not go far for it
    if (learnt_ == changes_.size() && changes_.size() < kMost) {
        std::vector<Change> old(std::max(kFirst, changes_.size() * 2));
        changes_.swap(old);
        for (const Change& c : old) {
            if (c.size != 0) {
                changes_[slot(c.before, c.offset, c.value)] = c;
            }
        }
        learnt_ = 0;
    }
    ++learnt_;
    const Interner::Id after = put(id, offset, size, v);
    changes_[slot(id, offset, v.lo)] = {.before = id, .after = after, .offset = offset, .value = v.lo, .size = size};
    return after;
}

Interner::Id Contents::put(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v) {
    const Part part = interner_[id];
    if (!is_in_pieces(part)) {
        return store_whole(id, offset, size, v);
    }
    std::vector<std::uint32_t> words(part.begin(), part.end());
    for (unsigned done = 0; done < size;) {
        const std::uint64_t at = offset + done;
        const auto here = static_cast<unsigned>(std::min<std::uint64_t>(size - done, kPiece - at % kPiece));
        Interner::Id& piece = words[kPiecesAt + at / kPiece];
        piece = store_whole(piece, at % kPiece, here, part_of(v, done, here));
        done += here;
    }
    return interner_.intern(Part(words));
}

Interner::Id Contents::store_whole(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v) {
    const Part part = interner_[id];
    scratch_.assign(part.begin(), part.end());
    const std::size_t words = words_for(part[0] >> kSizeAt);
    const unsigned low = std::min(size, 8u);
    auto* bytes = reinterpret_cast<std::uint8_t*>(scratch_.data() + 1) + offset;
    std::memcpy(bytes, &v.lo, low);
    std::memcpy(bytes + low, &v.hi, size - low);
    if ((part[0] & kUndefined) != 0 || !v.defined()) {
        scratch_.resize(1 + 2 * words, 0);
        auto* undef = reinterpret_cast<std::uint8_t*>(scratch_.data() + 1 + words) + offset;
        std::memcpy(undef, &v.undef_lo, low);
        std::memcpy(undef + low, &v.undef_hi, size - low);
        const bool undefined = std::any_of(scratch_.begin() + 1 + static_cast<std::ptrdiff_t>(words), scratch_.end(),
                                           [](std::uint32_t w) { return w != 0; });
        scratch_[0] = (scratch_[0] & ~kUndefined) | (undefined ? kUndefined : 0);
        if (!undefined) {
            scratch_.resize(1 + words);
        }
    }
    return interner_.intern(Part(scratch_));
}

} // namespace heddle::stateful
