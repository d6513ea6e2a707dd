// PendingStores: what the store buffers of all threads hold, as stores that are pending and a partial order between them.
//
// The idea is the delayed flushing of Štill and Barnat (Model Checking of C++ Programs under the x86-TSO Memory Model, 2018, section 3): a store
// leaves its buffer only when a load could notice, and a store that must have left it already, because a later one of the same buffer was read,
// is merely marked *flushed*. Marks alone are not exact. With x=1; y=1 in one buffer and y=2; x=2 in the other, a load may read x=1 as the last
// of the two stores to x; y=2 is marked then. Nothing in the paper's description forbids the next load to take y=2 as the last of the
// two stores to y, although y=2 left before x=2, x=2 before x=1, and x=1 before y=1 (the litmus test 2+2W, forbidden on x86). So we keep
// what is known of the order in which the stores reach memory:
//
//   - a store comes after the earlier ones of its buffer: all stores of its thread (tso), those to the same bytes (pso);
//   - a store that is pushed comes after all that are flushed: they have reached memory, it has not;
//   - a store that a load finds not flushed comes after all that are flushed at that moment;
//   - when a load finds several stores to its bytes flushed, one of them is the last, and the others come before it.
//
// The order is transitive, and stays so when stores are taken out. Sound and complete, because every total order of the stores that are left which
// respects the relation can be extended to those that were taken out (a partial order together with a total order of some of its
// elements that contains it there has no cycle): what was not decided need not be.
//
// A flushed store is written to memory as soon as nothing else that is pending could come before it there; one that a flushed store of the same
// bytes comes after can no longer be seen and is dropped. So flushed stores stay only while others contend with them, one a thread and
// range of bytes, and a store that was not flushed counts against the bound of a buffer.
#pragma once

#include "machine/value.hpp"
#include "model/store_buffer.hpp"
#include "program/address.hpp"
#include "search/stateful/partial_order.hpp"
#include "support/function_ref.hpp"
#include "support/ids.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

struct PendingStore {
    Address address = 0;
    Value value{};
    PlaceId place{};
    std::uint32_t thread = 0;
    std::uint32_t tag = 0; ///< whatever the driver likes to know it by; not part of what is compared
    std::uint32_t message =
        0; ///< what an acquire that reads it learns (RaceState::MessageId); 0: nothing, or nobody asks for races
    std::uint8_t size = 0;
    bool flushed = false; ///< it has reached memory, or must seem to
    bool fenced = false;  ///< pso: a store fence of its thread came after it

    [[nodiscard]] bool overlaps(Address from, std::uint64_t bytes) const {
        return address < from + bytes && from < address + size;
    }
    [[nodiscard]] bool covers(Address from, std::uint64_t bytes) const {
        return address <= from && from + bytes <= address + size;
    }
    [[nodiscard]] bool overlaps(const PendingStore& o) const { return overlaps(o.address, o.size); }
};

/// More ways than anybody could go through.
struct TooManyWays {};

class PendingStores {
  public:
    /// Positions of stores whose orders are tried; nobody could try the orders of more.
    class Set {
      public:
        static constexpr std::uint32_t kMost = 20;
        void push_back(std::size_t store) {
            if (count_ == kMost) {
                throw TooManyWays{};
            }
            positions_[count_++] = static_cast<std::uint32_t>(store);
        }
        void erase(std::size_t at) {
            std::copy(begin() + at + 1, end(), begin() + at);
            --count_;
        }
        [[nodiscard]] std::size_t size() const { return count_; }
        [[nodiscard]] bool empty() const { return count_ == 0; }
        [[nodiscard]] bool contains(std::size_t store) const { return std::find(begin(), end(), store) != end(); }
        [[nodiscard]] std::size_t operator[](std::size_t k) const { return positions_[k]; }
        [[nodiscard]] std::uint32_t* begin() { return positions_; }
        [[nodiscard]] std::uint32_t* end() { return positions_ + count_; }
        [[nodiscard]] const std::uint32_t* begin() const { return positions_; }
        [[nodiscard]] const std::uint32_t* end() const { return positions_ + count_; }

      private:
        std::uint32_t positions_[kMost];
        std::uint32_t count_ = 0;
    };

    PendingStores() = default;
    PendingStores(const PendingStores&) = default;
    PendingStores& operator=(const PendingStores& other) {
        if (empty() && other.empty()) { // mostly nothing is pending
            return *this;
        }
        if (other.is_there_) {
            stores_ = other.stores_;
            order_ = other.order_;
        }
        is_there_ = other.is_there_;
        words_ = other.words_;
        part_ = other.part_;
        return *this;
    }
    PendingStores(PendingStores&&) = default;
    PendingStores& operator=(PendingStores&&) = default;
    ~PendingStores() = default;

    [[nodiscard]] bool empty() const { return is_there_ && stores_.empty(); }
    [[nodiscard]] std::span<const PendingStore> all() const { return stores(); }
    [[nodiscard]] std::span<PendingStore> all_to_change() {
        change();
        return stores_;
    }
    /// The number of the part that they were taken from, if they were not changed since.
    static constexpr std::uint32_t kNoPart = ~std::uint32_t{0};
    [[nodiscard]] std::uint32_t part() const { return part_; }
    [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const {
        stores();
        return order_.is_before(a, b);
    }
    [[nodiscard]] bool has(std::uint32_t thread) const;
    [[nodiscard]] bool has_unflushed(std::uint32_t thread) const;

    /// A store enters the buffer of its thread. `after_all`: it comes after every earlier store of its thread (a release under pso).
    void push(const PendingStore& store, Buffer buffer, bool after_all);
    /// A store fence of pso.
    void fence_stores(std::uint32_t thread);
    /// Everything of the thread has reached memory by now.
    void flush_thread(std::uint32_t thread);
    /// The store and all that come before it have reached memory by now.
    void flush(std::size_t store);
    /// `store` has not reached memory yet: it comes after all that have.
    void keep(std::size_t store);
    /// a comes before b, and all that follows from it. Pre: not b before a.
    void order(std::size_t a, std::size_t b) {
        change();
        order_.order(a, b);
    }
    /// Takes the store out; what came before it still comes before what came after it.
    void take_out(std::size_t store);
    /// Takes out all that are in [from, from + bytes).
    void take_out(Address from, std::uint64_t bytes);

    /// All that overlap [from, from + bytes), all that overlap those, and so on, ascending: whose order decides what the bytes hold.
    [[nodiscard]] Set contenders(Address from, std::uint64_t bytes) const;
    /// Does some total order put `store` next, among those that are left of `among`?
    [[nodiscard]] bool is_minimal(std::size_t store, const Set& among) const;

    /// Writes out what is flushed and uncontended, oldest first, and drops what can no longer be seen. `written` is called with each store that
    /// leaves; the second argument says whether memory takes its value.
    void settle(FunctionRef<void(const PendingStore&, bool)> written);

    /// As words, the same for equal sets; and back.
    void encode(std::vector<std::uint64_t>& into) const;
    void decode(std::span<const std::uint64_t> words) const;
    /// They become what these words say, which is looked at when somebody asks. Pre: they are some, and the words stay.
    void refer_to(std::span<const std::uint64_t> words, std::uint32_t part) {
        words_ = words;
        part_ = part;
        is_there_ = false;
    }
    void clear() {
        stores_.clear();
        order_.clear();
        part_ = kNoPart;
        is_there_ = true;
    }

  private:
    // Of the first word of what is encoded.
    static constexpr unsigned kUnflushedAt = 24;
    static constexpr std::uint32_t kFirstThreads = 64 - kUnflushedAt;

    [[nodiscard]] bool can_settle(std::size_t store, bool& visible) const;

    const std::vector<PendingStore>& stores() const {
        if (!is_there_) {
            decode(words_);
        }
        return stores_;
    }
    /// To be called before any change.
    void change() {
        stores();
        part_ = kNoPart;
    }

    mutable std::vector<PendingStore> stores_; ///< by thread, those of a thread in the order of its program
    mutable PartialOrder order_;               ///< of them, in which they reach memory
    std::span<const std::uint64_t> words_{};   ///< see refer_to
    mutable bool is_there_ = true;             ///< false: the first two are still to be made from words_
    std::uint32_t part_ = kNoPart;             ///< see part()
};

} // namespace heddle::stateful
