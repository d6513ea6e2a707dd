// StateSet: the states that were found, each with the one it was first reached from. Safe for several workers at a time.
//
// A state is three numbers of parts and its parent's number: 16 bytes, and 5 to 11 in the table that finds it. Compacted, it is 64 bits of hash
// and the parent: two states with the same hash are then taken for one, and what only the second leads to is missed.
#pragma once

#include "search/stateful/state.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace heddle::stateful {

class StateSet {
  public:
    using Id = std::uint32_t;
    static constexpr Id kNone = 0xffff'ffff;

    explicit StateSet(bool compacted);
    ~StateSet();
    StateSet(const StateSet&) = delete;
    StateSet& operator=(const StateSet&) = delete;

    struct Found {
        Id id;
        bool fresh;
    };
    Found insert(const Packed& state, Id parent);
    [[nodiscard]] Found insert_hash(std::uint64_t hash, Id parent);
    [[nodiscard]] bool is_compacted() const { return words_ == 3; }
    [[nodiscard]] Packed state(Id id) const; ///< Pre: not compacted
    [[nodiscard]] std::uint64_t hash(Id id) const; ///< Pre: compacted
    [[nodiscard]] Id parent(Id id) const { return record(id)[words_ - 1]; }
    [[nodiscard]] std::uint64_t size() const;
    [[nodiscard]] std::size_t bytes() const;

  private:
    static constexpr std::size_t kShards = 16; ///< the lower bits of a number say which
    static constexpr std::size_t kPageBits = 14;
    static constexpr std::size_t kPages = std::size_t{1} << (32 - 4 - kPageBits);
    struct Shard {
        std::mutex mutex; // of all that follows, for writing
        std::vector<std::uint32_t> table{}; ///< open addressing: local number + 1, 0: free
        std::unique_ptr<std::atomic<std::uint32_t*>[]> pages{};
        std::uint32_t size = 0;
        std::size_t bytes = 0;
    };
    Found insert(std::uint64_t hash, std::span<const std::uint32_t> key, Id parent);
    [[nodiscard]] std::uint64_t hash_of_record(const std::uint32_t* record) const;
    [[nodiscard]] std::uint32_t* local_record(const Shard& shard, std::uint32_t local) const {
        return shard.pages[local >> kPageBits].load(std::memory_order_acquire) + (local & ((1u << kPageBits) - 1)) * words_;
    }
    [[nodiscard]] const std::uint32_t* record(Id id) const { return local_record((*shards_)[id & (kShards - 1)], id >> 4); }
    void grow(Shard& shard) const;

    const std::size_t words_; ///< of a record: the key and the parent
    std::unique_ptr<std::array<Shard, kShards>> shards_;
};

} // namespace heddle::stateful
