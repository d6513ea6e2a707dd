// StateSet: the states that were found, each with the one it was first reached from. Safe for several workers at a time.
//
// A state is three numbers of parts, one more where stores may be pending, and its parent's number: 16 or 20 bytes, and 5 to 11 in the table that finds it (half of that where there are few). Compacted, it is 64 bits of hash
// and the parent: two states with the same hash are then taken for one, and what only the second leads to is missed.
#pragma once

#include "search/stateful/numbering.hpp"
#include "search/stateful/stable_array.hpp"
#include "search/stateful/state.hpp"

#include <span>

namespace heddle::stateful {

class StateSet {
  public:
    using Id = std::uint32_t;
    static constexpr Id kNone = 0xffff'ffff;

    /// `workforce`: who will use it; null: one worker. `pending`: states may have pending stores.
    StateSet(bool compacted, Workforce* workforce, bool pending);
    StateSet(const StateSet&) = delete;
    StateSet& operator=(const StateSet&) = delete;

    struct Found {
        Id id;
        bool fresh;
    };
    Found insert(const Packed& state, Id parent);
    [[nodiscard]] Found insert_hash(std::uint64_t hash, Id parent);
    [[nodiscard]] bool is_compacted() const { return compacted_; }
    [[nodiscard]] Packed state(Id id) const { return packed(record(id)); } ///< Pre: not compacted
    [[nodiscard]] std::uint64_t hash(Id id) const;                         ///< Pre: compacted
    [[nodiscard]] Id parent(Id id) const { return record(id)[words_ - 1]; }
    [[nodiscard]] std::uint64_t size() const { return numbering_.size(); }
    [[nodiscard]] std::size_t bytes() const { return size() * words_ * sizeof(std::uint32_t) + numbering_.bytes(); }

  private:
    class Adding;
    Found insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent);
    [[nodiscard]] const std::uint32_t* record(Id id) const { return records_[id]; }
    [[nodiscard]] Packed packed(const std::uint32_t* record) const;
    /// What `insert` is given for this record.
    [[nodiscard]] std::uint64_t hash_of_record(const std::uint32_t* record) const;

    const bool compacted_;
    const std::size_t words_; ///< of a record: the key and the parent
    Numbering numbering_;
    StableArray<std::uint32_t> records_; ///< by number
};

} // namespace heddle::stateful
