#include "search/stateful/interner.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

constexpr unsigned kShardBits = 4;

} // namespace

Interner::Interner(bool shared)
    : shard_bits_(shared ? kShardBits : 0), shards_(std::make_unique<Shard[]>(std::size_t{1} << shard_bits_)) {}

void Interner::grow(Shard& s) {
    const std::size_t size = std::max<std::size_t>(64, s.table.size() * 2);
    std::vector<std::uint64_t> table(size, 0);
    for (const std::uint64_t slot : s.table) {
        if (slot == 0) {
            continue;
        }
        std::size_t at = (slot >> 32) & (size - 1);
        while (table[at] != 0) {
            at = (at + 1) & (size - 1);
        }
        table[at] = slot;
    }
    s.bytes += (size - s.table.size()) * sizeof(std::uint64_t);
    s.table = std::move(table);
}

const std::uint32_t* Interner::keep(Shard& s, std::span<const std::uint32_t> words) {
    const std::size_t wide = (words.size() + 1) / 2;
    if (wide > s.chunk_left) {
        // Small ones at first, so that a small check stays small.
        const std::size_t usual = std::min<std::size_t>(std::size_t{64} << std::min<std::size_t>(s.chunks.size(), 12), 1u << 16);
        const std::size_t size = std::max(wide, usual);
        s.chunks.push_back(std::make_unique<std::uint64_t[]>(size));
        s.chunk_next = s.chunks.back().get();
        s.chunk_left = size;
        s.bytes += size * sizeof(std::uint64_t);
    }
    auto* to = reinterpret_cast<std::uint32_t*>(s.chunk_next);
    std::ranges::copy(words, to);
    s.chunk_next += wide;
    s.chunk_left -= wide;
    return to;
}

Interner::Id Interner::intern(std::span<const std::uint32_t> words) {
    const std::uint64_t hash = hash_words(words.data(), words.size());
    const auto shard = static_cast<std::uint32_t>((hash >> 48) & ((1u << shard_bits_) - 1));
    const auto low = static_cast<std::uint32_t>(hash);
    Shard& s = shards_[shard];
    const auto held = guard(s);
    if ((std::size_t{s.size} + 1) * 4 > s.table.size() * 3) {
        grow(s);
    }
    std::size_t at = low & (s.table.size() - 1);
    for (; s.table[at] != 0; at = (at + 1) & (s.table.size() - 1)) {
        if (s.table[at] >> 32 != low) {
            continue;
        }
        const std::uint32_t local = static_cast<std::uint32_t>(s.table[at]) - 1;
        const auto known = s.entries[local]->words();
        if (known.size() == words.size() && std::equal(known.begin(), known.end(), words.begin())) {
            return local << shard_bits_ | shard;
        }
    }
    const std::uint32_t local = s.size++;
    HEDDLE_CHECK(local < (1u << 31 >> shard_bits_), "more parts of states than can be numbered");
    s.entries.reserve(local);
    Entry& e = *s.entries[local];
    e.count = static_cast<std::uint32_t>(words.size());
    if (words.size() <= Entry::kShort) {
        std::ranges::copy(words, e.here);
    } else {
        e.elsewhere = keep(s, words);
    }
    s.table[at] = std::uint64_t{low} << 32 | (local + 1);
    s.bytes += sizeof(Entry);
    return local << shard_bits_ | shard;
}

std::span<const std::uint32_t> Interner::operator[](Id id) const {
    return shards_[id & ((1u << shard_bits_) - 1)].entries[id >> shard_bits_]->words();
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
        n += s.bytes;
    }
    return n;
}

} // namespace heddle::stateful
