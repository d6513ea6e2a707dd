#include "search/stateful/state_set.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {

StateSet::StateSet(bool compacted, Workforce* workforce, bool pending)
    : compacted_(compacted), words_(compacted ? 3
                                    : pending ? 5
                                              : 4),
      numbering_(workforce), records_(words_) {}

std::uint64_t StateSet::hash_of_record(const std::uint32_t* r) const {
    return compacted_ ? std::uint64_t{r[1]} << 32 | r[0] : hash_of(packed(r));
}

/// One state, as Numbering sees it.
class StateSet::Adding {
  public:
    Adding(StateSet& to, std::span<const std::uint32_t> key, Id parent) : to_(to), key_(key), parent_(parent) {}

    [[nodiscard]] bool is_it(std::uint32_t k) const {
        const std::uint32_t* const record = to_.records_[k];
        std::uint32_t different = 0; // a few words: no call is worth it
        for (std::size_t w = 0; w < key_.size(); ++w) {
            different |= key_[w] ^ record[w];
        }
        return different == 0;
    }
    [[nodiscard]] std::uint64_t hash_of(std::uint32_t k) const { return to_.hash_of_record(to_.records_[k]); }
    void reserve(std::uint32_t k) { to_.records_.reserve(k); }
    void make(std::uint32_t k) {
        std::uint32_t* const record = to_.records_[k];
        std::memcpy(record, key_.data(), key_.size_bytes());
        record[to_.words_ - 1] = parent_;
    }

  private:
    StateSet& to_;
    std::span<const std::uint32_t> key_;
    Id parent_;
};

StateSet::Found StateSet::insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent) {
    const Numbering::Found found = numbering_.find_or_make(hash, Adding(*this, key, parent));
    return {.id = found.number, .fresh = found.fresh};
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

} // namespace heddle::stateful
