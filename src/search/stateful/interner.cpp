#include "search/stateful/interner.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

constexpr unsigned kShardBits = 4;
constexpr unsigned kShardAt =
    28; ///< these bits of a hash say which shard: above those that say where in it, below those that are kept there

} // namespace

Interner::Interner(bool shared)
    : shard_bits_(shared ? kShardBits : 0), shards_(std::make_unique<Shard[]>(std::size_t{1} << shard_bits_)) {}

const std::uint32_t* Interner::keep(Shard& s, std::span<const std::uint32_t> words) {
    const std::size_t wide = (words.size() + 1) / 2;
    if (wide > s.chunk_left) {
        // Small ones at first, so that a small check stays small.
        const std::size_t usual = std::min<std::size_t>(std::size_t{64} << std::min<std::size_t>(s.chunks.size(), 12), 1u << 16);
        const std::size_t size = std::max(wide, usual);
        s.chunks.push_back(std::make_unique<std::uint64_t[]>(size));
        s.chunk_next = s.chunks.back().get();
        s.chunk_left = size;
    }
    s.bytes += wide * sizeof(std::uint64_t);
    auto* to = reinterpret_cast<std::uint32_t*>(s.chunk_next);
    std::ranges::copy(words, to);
    s.chunk_next += wide;
    s.chunk_left -= wide;
    return to;
}

Interner::Id Interner::intern(std::span<const std::uint32_t> words, bool wide) {
    const std::uint64_t hash = hash_words(words.data(), words.size());
    const auto shard = static_cast<std::uint32_t>((hash >> kShardAt) & ((1u << shard_bits_) - 1));
    Shard& s = shards_[shard];
    const auto held = guard(s);
    if (!s.table.has_room_for(s.size)) {
        s.table.grow(s.size, [&](std::uint32_t k) {
            const auto known = s.entries[k]->words();
            return hash_words(known.data(), known.size());
        });
    }
    const std::uint32_t local = s.table.find_or_put(hash, s.size, [&](std::uint32_t k) {
        const auto known = s.entries[k]->words();
        return known.size() == words.size() && std::equal(known.begin(), known.end(), words.begin());
    });
    if (local == s.size) {
        HEDDLE_CHECK(local < (1u << 31 >> shard_bits_), "more parts of states than can be numbered");
        ++s.size;
        s.entries.reserve(local);
        Entry& e = *s.entries[local];
        if (Entry::is_here(words.size(), wide)) {
            e.count = static_cast<std::uint32_t>(words.size());
            std::ranges::copy(words, e.here);
        } else {
            e.count = static_cast<std::uint32_t>(words.size()) | kElsewhere;
            const std::uint32_t* const elsewhere = keep(s, words);
            std::memcpy(e.here + 1, &elsewhere, sizeof elsewhere);
        }
        s.bytes += sizeof(Entry);
    }
    return local << shard_bits_ | shard;
}

std::optional<Interner::Id> Interner::find(std::span<const std::uint64_t> wide) {
    const std::span words(reinterpret_cast<const std::uint32_t*>(wide.data()), wide.size() * 2);
    const std::uint64_t hash = hash_words(words.data(), words.size());
    const auto shard = static_cast<std::uint32_t>((hash >> kShardAt) & ((1u << shard_bits_) - 1));
    Shard& s = shards_[shard];
    const auto held = guard(s);
    const auto local = s.table.find(hash, [&](std::uint32_t k) { return std::ranges::equal(s.entries[k]->words(), words); });
    return local ? std::optional(*local << shard_bits_ | shard) : std::nullopt;
}

std::size_t Interner::size() const {
    std::size_t n = 0;
    for (Shard& s : std::span(shards_.get(), std::size_t{1} << shard_bits_)) {
        const std::scoped_lock guard(s.mutex);
        n += s.size;
    }
    return n;
}

std::size_t Interner::bytes() const {
    std::size_t n = 0;
    for (Shard& s : std::span(shards_.get(), std::size_t{1} << shard_bits_)) {
        const std::scoped_lock guard(s.mutex);
        n += s.bytes + s.table.bytes();
    }
    return n;
}

} // namespace heddle::stateful
