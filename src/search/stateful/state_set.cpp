#include "search/stateful/state_set.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

constexpr unsigned kShardAt = 28; ///< as in an Interner

} // namespace

StateSet::StateSet(bool compacted, bool shared, bool pending)
    : compacted_(compacted), words_(compacted ? 3
                                    : pending ? 5
                                              : 4),
      shard_bits_(shared ? 4 : 0) {
    for (unsigned k = 0; k < (1u << shard_bits_); ++k) {
        shards_.push_back(std::make_unique<Shard>(words_));
    }
}

std::uint64_t StateSet::hash_of_record(const std::uint32_t* r) const {
    return compacted_ ? std::uint64_t{r[1]} << 32 | r[0] : hash_of(packed(r));
}

StateSet::Found StateSet::insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent) {
    const auto shard = static_cast<std::uint32_t>((hash >> kShardAt) & ((1u << shard_bits_) - 1));
    Shard& s = *shards_[shard];
    // One worker needs no lock.
    const auto held = shard_bits_ != 0 ? std::unique_lock(s.mutex) : std::unique_lock(s.mutex, std::defer_lock);
    if (!s.table.has_room_for(s.size)) {
        s.table.grow(s.size, [&](std::uint32_t k) { return hash_of_record(s.records[k]); });
    }
    const std::uint32_t local =
        s.table.find_or_put(hash, s.size, [&](std::uint32_t k) { return std::equal(key.begin(), key.end(), s.records[k]); });
    const bool fresh = local == s.size;
    if (fresh) {
        HEDDLE_CHECK(local < (1u << 31 >> shard_bits_), "more states than can be numbered");
        ++s.size;
        s.records.reserve(local);
        std::uint32_t* const record = s.records[local];
        std::memcpy(record, key.data(), key.size_bytes());
        record[words_ - 1] = parent;
    }
    return {.id = local << shard_bits_ | shard, .fresh = fresh};
}

StateSet::Found StateSet::insert(const Packed& state, Id parent) {
    const std::uint32_t key[4] = {state.threads, state.memory, state.rest, state.pending};
    return insert(hash_of(state), std::span(key, words_ - 1), parent);
}

StateSet::Found StateSet::insert_hash(std::uint64_t hash, Id parent) {
    const std::uint32_t key[2] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32)};
    return insert(hash, key, parent);
}

Packed StateSet::packed(const std::uint32_t* r) const {
    return {.threads = r[0], .memory = r[1], .rest = r[2], .pending = words_ == 5 ? r[3] : kNoPart};
}

std::uint64_t StateSet::hash(Id id) const {
    const std::uint32_t* r = record(id);
    return std::uint64_t{r[1]} << 32 | r[0];
}

std::uint64_t StateSet::size() const {
    std::uint64_t n = 0;
    for (const auto& s : shards_) {
        const std::scoped_lock guard(s->mutex);
        n += s->size;
    }
    return n;
}

std::size_t StateSet::bytes() const {
    std::size_t n = 0;
    for (const auto& s : shards_) {
        const std::scoped_lock guard(s->mutex);
        n += s->size * words_ * sizeof(std::uint32_t) + s->table.bytes();
    }
    return n;
}

} // namespace heddle::stateful
