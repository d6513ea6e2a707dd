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
#include <cstring>
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

/// Copies words of which there are mostly few: no call is worth it.
inline void copy_words(std::uint32_t* to, const std::uint32_t* from, std::size_t count) {
    constexpr std::size_t kFew = 16;
    if (count > kFew) {
        std::memcpy(to, from, count * sizeof *to);
        return;
    }
    std::size_t k = 0;
    for (; k + 2 <= count; k += 2) {
        std::uint64_t two = 0;
        std::memcpy(&two, from + k, sizeof two);
        std::memcpy(to + k, &two, sizeof two);
    }
    if (k < count) {
        to[k] = from[k];
    }
}

/// Assignment, quick where the lists have the same length.
inline void copy_list(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
    if (to.size() == from.size()) {
        copy_words(to.data(), from.data(), from.size());
    } else {
        to = from;
    }
}

/// Words of values: mostly few, which are copied at once.
class ValueWords {
  public:
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] const std::uint32_t* data() const { return count_ <= kHere ? here_ : elsewhere_.data(); }
    [[nodiscard]] std::span<const std::uint32_t> span() const { return {data(), count_}; }
    /// Becomes so many, which are to be written.
    std::uint32_t* make(std::size_t count) {
        count_ = static_cast<std::uint32_t>(count);
        if (count <= kHere) {
            return here_;
        }
        elsewhere_.resize(count);
        return elsewhere_.data();
    }
    void copy(const ValueWords& from) {
        count_ = from.count_;
        if (count_ <= kHere) {
            std::memcpy(here_, from.here_, sizeof here_);
        } else {
            elsewhere_ = from.elsewhere_;
        }
    }

  private:
    static constexpr std::size_t kHere = 12;
    std::uint32_t here_[kHere] = {}; ///< if there are no more
    std::uint32_t count_ = 0;
    std::vector<std::uint32_t> elsewhere_{};
};

/// How a value is written in words of 32 bits: mostly it is one.
class ValueForm {
  public:
    static constexpr unsigned kBits = 3;
    static constexpr std::size_t kMostWords = 8;
    explicit ValueForm(unsigned bits) : bits_(bits) {}
    explicit ValueForm(const Value& v)
        : bits_((v.lo >> 32 != 0 ? kLong : 0) | (v.hi != 0 ? kWide : 0) | (v.defined() ? 0 : kUndefined)) {}
    [[nodiscard]] unsigned bits() const { return bits_; }
    [[nodiscard]] std::size_t words() const {
        return 1u + ((bits_ & kLong) != 0 ? 1 : 0) + ((bits_ & kWide) != 0 ? 2 : 0) + ((bits_ & kUndefined) != 0 ? 4 : 0);
    }
    void put(const Value& v, std::uint32_t* to) const {
        put_word(v.lo, (bits_ & kLong) != 0, to);
        if ((bits_ & kWide) != 0) {
            put_word(v.hi, true, to);
        }
        if ((bits_ & kUndefined) != 0) {
            put_word(v.undef_lo, true, to);
            put_word(v.undef_hi, true, to);
        }
    }
    [[nodiscard]] Value take(const std::uint32_t* from) const {
        Value v;
        v.lo = take_word((bits_ & kLong) != 0, from);
        if ((bits_ & kWide) != 0) {
            v.hi = take_word(true, from);
        }
        if ((bits_ & kUndefined) != 0) {
            v.undef_lo = take_word(true, from);
            v.undef_hi = take_word(true, from);
        }
        return v;
    }

  private:
    static constexpr unsigned kLong = 1, kWide = 2, kUndefined = 4;
    static void put_word(std::uint64_t word, bool both, std::uint32_t*& to) {
        *to++ = static_cast<std::uint32_t>(word);
        if (both) {
            *to++ = static_cast<std::uint32_t>(word >> 32);
        }
    }
    static std::uint64_t take_word(bool both, const std::uint32_t*& from) {
        std::uint64_t word = *from++;
        if (both) {
            word |= std::uint64_t{*from++} << 32;
        }
        return word;
    }
    unsigned bits_;
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
        if (other.has_image()) {
            shape_ = other.shape_;
            values_.copy(other.values_);
        }
        shape_id_ = other.shape_id_;
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
    /// Some of others than `thread` to these bytes?
    [[nodiscard]] bool has_of_others(std::uint32_t thread, Address from, std::uint64_t bytes) const;

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

    // Their image: a shape, which says everything but the values, in words of 64 bits, and the values, in words of 32. Equal for equal sets. What happens to pending stores
    // does not depend on their values, so shapes are few.
    void encode_shape(std::vector<std::uint64_t>& into) const;
    void encode_values(std::vector<std::uint32_t>& into) const;
    /// They become what these words say, which is looked at when somebody asks. Pre: they are some, and the shape stays. `part`: see part().
    void refer_to(std::span<const std::uint64_t> shape, std::uint32_t shape_id, std::span<const std::uint32_t> values,
                  std::uint32_t part = kNoPart) {
        copy_words(values_.make(values.size()), values.data(), values.size());
        refer(shape, shape_id, part);
    }
    void refer_to(std::span<const std::uint64_t> shape, std::uint32_t shape_id, const ValueWords& values) {
        values_.copy(values);
        refer(shape, shape_id, kNoPart);
    }
    /// A shape of this number is not of Parts::shapes but of PendingMoves: no state had it when it was met.
    static constexpr std::uint32_t kPassing = 1u << 31;
    /// Are shape_id() and values() what they are?
    [[nodiscard]] bool has_image() const { return shape_id_ != kNoPart; }
    [[nodiscard]] std::uint32_t shape_id() const { return shape_id_; }            ///< kNoPart: has no image
    [[nodiscard]] std::span<const std::uint64_t> shape() const { return shape_; } ///< Pre: has_image
    [[nodiscard]] std::span<const std::uint32_t> values() const {
        return has_image() ? values_.span() : std::span<const std::uint32_t>();
    }
    void clear() {
        stores_.clear();
        order_.clear();
        part_ = kNoPart;
        shape_id_ = kNoPart;
        is_there_ = true;
    }

  private:
    // Of the first word of a shape.
    static constexpr unsigned kUnflushedAt = 24;
    static constexpr std::uint64_t kCount = (std::uint64_t{1} << kUnflushedAt) - 1;
    static constexpr std::uint32_t kFirstThreads = 64 - kUnflushedAt;

    void refer(std::span<const std::uint64_t> shape, std::uint32_t shape_id, std::uint32_t part) {
        shape_ = shape;
        shape_id_ = shape_id;
        part_ = part;
        is_there_ = false;
    }
    [[nodiscard]] bool can_settle(std::size_t store, bool& visible) const;

    const std::vector<PendingStore>& stores() const {
        if (!is_there_) {
            decode();
        }
        return stores_;
    }
    /// To be called before any change.
    void change() {
        stores();
        part_ = kNoPart;
        shape_id_ = kNoPart;
    }
    void decode() const;

    mutable std::vector<PendingStore> stores_; ///< by thread, those of a thread in the order of its program
    mutable PartialOrder order_;               ///< of them, in which they reach memory
    std::span<const std::uint64_t> shape_{};   ///< the image, if it has one
    ValueWords values_{};                      ///< and the rest of it
    std::uint32_t shape_id_ = kNoPart;         ///< kNoPart: it has none
    mutable bool is_there_ = true;             ///< false: the first two are still to be made from the image
    std::uint32_t part_ = kNoPart;             ///< see part()
};

} // namespace heddle::stateful
