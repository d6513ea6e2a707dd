#include "search/stateful/state_set.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {

StateSet::StateSet(bool compacted) : words_(compacted ? 3 : 4), shards_(std::make_unique<std::array<Shard, kShards>>()) {}

StateSet::~StateSet() {
    for (Shard& s : *shards_) {
        for (std::size_t p = 0; s.pages && p < kPages; ++p) {
            delete[] s.pages[p].load();
        }
    }
}

std::uint64_t StateSet::hash_of_record(const std::uint32_t* r) const {
    return is_compacted() ? std::uint64_t{r[1]} << 32 | r[0] : hash_of({.threads = r[0], .memory = r[1], .rest = r[2]});
}

void StateSet::grow(Shard& s) const {
    const std::size_t size = std::max<std::size_t>(64, s.table.size() * 2);
    std::vector<std::uint32_t> table(size, 0);
    for (const std::uint32_t local : s.table) {
        if (local != 0) {
            std::size_t at = hash_of_record(local_record(s, local - 1)) & (size - 1);
            while (table[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            table[at] = local;
        }
    }
    s.bytes += (size - s.table.size()) * sizeof(std::uint32_t);
    s.table = std::move(table);
}

StateSet::Found StateSet::insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent) {
    const auto shard = static_cast<std::uint32_t>(hash >> 60);
    Shard& s = (*shards_)[shard];
    const std::scoped_lock guard(s.mutex);
    if ((std::size_t{s.size} + 1) * 4 > s.table.size() * 3) {
        grow(s);
    }
    std::size_t at = hash & (s.table.size() - 1);
    for (; s.table[at] != 0; at = (at + 1) & (s.table.size() - 1)) {
        if (std::memcmp(local_record(s, s.table[at] - 1), key.data(), key.size_bytes()) == 0) {
            return {.id = (s.table[at] - 1) << 4 | shard, .fresh = false};
        }
    }
    const std::uint32_t local = s.size++;
    HEDDLE_CHECK(local < (1u << 28) - 1, "more states than can be numbered");
    if (!s.pages) {
        s.pages = std::make_unique<std::atomic<std::uint32_t*>[]>(kPages);
    }
    if (!s.pages[local >> kPageBits].load(std::memory_order_relaxed)) {
        s.pages[local >> kPageBits].store(new std::uint32_t[words_ << kPageBits], std::memory_order_release);
    }
    std::uint32_t* const record = local_record(s, local);
    std::memcpy(record, key.data(), key.size_bytes());
    record[words_ - 1] = parent;
    s.table[at] = local + 1;
    s.bytes += words_ * sizeof(std::uint32_t);
    return {.id = local << 4 | shard, .fresh = true};
}

StateSet::Found StateSet::insert(const Packed& state, Id parent) {
    const std::uint32_t key[3] = {state.threads, state.memory, state.rest};
    return insert(hash_of(state), key, parent);
}

StateSet::Found StateSet::insert_hash(std::uint64_t hash, Id parent) {
    const std::uint32_t key[2] = {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32)};
    return insert(hash, key, parent);
}

Packed StateSet::state(Id id) const {
    const std::uint32_t* r = record(id);
    return {.threads = r[0], .memory = r[1], .rest = r[2]};
}

std::uint64_t StateSet::hash(Id id) const { return hash_of_record(record(id)); }

std::uint64_t StateSet::size() const {
    std::uint64_t n = 0;
    for (Shard& s : *shards_) {
        const std::scoped_lock guard(s.mutex);
        n += s.size;
    }
    return n;
}

std::size_t StateSet::bytes() const {
    std::size_t n = sizeof(*shards_);
    for (Shard& s : *shards_) {
        const std::scoped_lock guard(s.mutex);
        n += s.bytes;
    }
    return n;
}

} // namespace heddle::stateful
