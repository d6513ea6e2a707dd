#include "search/stateful/state_set.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {

StateSet::StateSet(bool compacted, bool shared, bool pending)
    : compacted_(compacted), words_(compacted ? 3
                                    : pending ? 5
                                              : 4),
      shard_bits_(shared ? 4 : 0) {
    for (unsigned k = 0; k < (1u << shard_bits_); ++k) {
        shards_.push_back(std::make_unique<Shard>(words_));
    }
}

void StateSet::grow(Shard& s) {
    const std::size_t size = std::max<std::size_t>(64, s.table.size() * 2);
    std::vector<std::uint64_t> table(size, 0);
    for (const std::uint64_t slot : s.table) {
        if (slot != 0) {
            std::size_t at = (slot >> 32) & (size - 1);
            while (table[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            table[at] = slot;
        }
    }
    s.bytes += (size - s.table.size()) * sizeof(std::uint64_t);
    s.table = std::move(table);
}

StateSet::Found StateSet::insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent) {
    const auto shard = static_cast<std::uint32_t>((hash >> 48) & ((1u << shard_bits_) - 1));
    Shard& s = *shards_[shard];
    // One worker needs no lock.
    const auto held = shard_bits_ != 0 ? std::unique_lock(s.mutex) : std::unique_lock(s.mutex, std::defer_lock);
    if ((std::size_t{s.size} + 1) * 4 > s.table.size() * 3) {
        grow(s);
    }
    const auto low = static_cast<std::uint32_t>(hash);
    std::size_t at = low & (s.table.size() - 1);
    for (; s.table[at] != 0; at = (at + 1) & (s.table.size() - 1)) {
        if (s.table[at] >> 32 != low) {
            continue;
        }
        const std::uint32_t known = static_cast<std::uint32_t>(s.table[at]) - 1;
        if (std::equal(key.begin(), key.end(), s.records[known])) {
            return {.id = known << shard_bits_ | shard, .fresh = false};
        }
    }
    const std::uint32_t local = s.size++;
    HEDDLE_CHECK(local < (1u << 31 >> shard_bits_), "more states than can be numbered");
    s.records.reserve(local);
    std::uint32_t* const record = s.records[local];
    std::memcpy(record, key.data(), key.size_bytes());
    record[words_ - 1] = parent;
    s.table[at] = std::uint64_t{low} << 32 | (local + 1);
    s.bytes += words_ * sizeof(std::uint32_t);
    return {.id = local << shard_bits_ | shard, .fresh = true};
}

StateSet::Found StateSet::insert(const Packed& state, Id parent) {
    const std::uint32_t key[4] = {state.threads, state.memory, state.rest, state.pending};
    return insert(hash_of(state), std::span(key, words_ - 1), parent);
}

StateSet::Found StateSet::insert_hash(std::uint64_t hash, Id parent) {
    const std::uint32_t key[2] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32)};
    return insert(hash, key, parent);
}

Packed StateSet::state(Id id) const {
    const std::uint32_t* r = record(id);
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
        n += s->bytes;
    }
    return n;
}

} // namespace heddle::stateful
