// PendingMoves: what an operation of a thread does to the stores that are pending, in all the ways it can go. Of one worker.
//
// A way says which stores reach memory, in which order, what is pending then, and what a load gets from its own thread's buffer. All of this follows from the operation and from the
// *shape* of what is pending: the values that are stored, what memory holds, and where the other threads stand do not matter. So it is worked out once for each pair of a shape
// (Parts::shapes) and an operation, and looked up after that (Tuning::remember_moves): a way then says which of the values go where. There are few shapes, so nearly all is looked up, and
// a world need not look at the stores themselves most of the time.
//
// Exact because what is looked up is compared word by word: a shape's number stands for all that is kept of pending stores but their values (PendingStores::encode_shape), and no
// operation of PendingStores asks for a value. An operation that has more to it than a key has room for is not remembered. Nor are tags of stores, so nothing is where somebody wants to tell a
// story of them (Log).
#pragma once

#include "search/stateful/interner.hpp"
#include "search/stateful/pending_stores.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::stateful {

/// A store that leaves.
struct Landed {
    PendingStore store;
    bool visible; ///< memory takes its value; false: it is overwritten before anybody looks
};

/// The bytes of an access that a thread finds in its own buffer.
struct OwnBytes {
    Value value{};
    std::uint32_t which = 0; ///< bits by position in the access
    /// What the thread reads if memory has what `memory()` gives.
    template <class F> [[nodiscard]] Value over(F&& memory, unsigned size) const {
        return which == 0 ? memory() : which == (1u << size) - 1 ? value : partly_over(memory(), size);
    }
    [[nodiscard]] Value partly_over(const Value& memory, unsigned size) const;
};
OwnBytes own_bytes(const PendingStores& pending, std::uint32_t thread, Address address, unsigned size);

struct Operation {
    enum class Kind : std::uint8_t {
        Load,
        Update, ///< of an update, its read: the buffer is drained, and what is found is in memory
        Drain,
        FenceStores, ///< of pso
        Push,
        PushAndDrain, ///< a store with a fence behind it
        LandAll,      ///< all stores to the bytes reach memory, and what contends with them
    };
    Kind kind = Kind::Load;
    bool after_all = false; ///< Push: see PendingStores::push
    PendingStore store{};   ///< what is pushed; of the others the thread and the bytes
};

class PendingMoves {
  public:
    /// One way to go. What it refers to is there until the next operation is asked about.
    struct Way {
        std::span<const Landed> landed{}; ///< in this order
        OwnBytes own{};                   ///< of a Load or an Update
        bool contended = false;           ///< others' stores to the bytes were pending: what became of them was decided
        bool unchanged = false;           ///< what is pending stays as it is
        /// Otherwise what is pending then: this; or, if it is null, what these say (PendingStores::refer_to), kNoPart being nothing.
        PendingStores* pending = nullptr;
        std::uint32_t shape = 0;
        const ValueWords* values = nullptr;
    };

    /// `bound`: stores in a buffer; 0: any number.
    PendingMoves(Interner& shapes, Buffer buffer, std::uint64_t bound, bool remember)
        : shapes_(shapes), buffer_(buffer), bound_(bound), remember_(remember) {}

    /// Calls `visit` with each way; it may ask for others meanwhile, and change `before` if there is only one way. `tagged`: tags of stores are wanted. May give `before` its image.
    template <class F> void each(PendingStores& before, const Operation& operation, bool tagged, F&& visit) {
        if (!remember_ || tagged || operation.store.message >= kMostMessages) {
            return each_worked_out(before, operation, visit);
        }
        const auto [first, count] = find(before, operation); // not a reference: who is visited may ask for others
        for (std::uint32_t k = 0; k < count; ++k) {
            Way out;
            put_together(out, first + k, before, operation);
            visit(out);
        }
    }
    /// `pending` becomes what the way leaves.
    void take(const Way& way, PendingStores& pending) const;
    /// Forgets what it has met if that is more. Not while somebody is being visited.
    void trim(std::size_t many);

  private:
    struct Key {
        std::array<std::uint64_t, 3> words;
        friend bool operator==(const Key&, const Key&) = default;
    };
    /// Words of the values that there are, then those of what is pushed: a value is known by where it begins.
    struct From {
        std::uint32_t first;
        std::uint32_t form; ///< ValueForm
    };
    struct KnownLanded {
        PendingStore store; ///< but for the value
        From from;
    };
    struct KnownOwn {
        From from;
        std::uint8_t size;   ///< of the store
        std::uint8_t offset; ///< in it, of the access
    };
    struct KnownWay {
        std::uint32_t shape;
        std::uint32_t values, value_count; ///< of words_: which words, by position, the values are
        std::uint32_t landed, landed_count;
        std::optional<KnownOwn> own; ///< one store of its own has all the bytes
        bool in_pieces;              ///< several have, or memory has some of them: those who go this way look
        bool contended;
        bool unchanged;
    };
    struct Range { ///< of ways_
        std::uint32_t first;
        std::uint32_t count;
    };
    struct Known {
        Key key;
        Range ways;
    };
    static std::uint64_t hash(const Key& key);
    /// The position of the key in slots_, or where it would be.
    [[nodiscard]] std::size_t slot(const Key& key) const;
    std::uint32_t learn(const Key& key, const PendingStores& before, const Operation& operation);
    static constexpr std::uint32_t kMostMessages = 1u << 16; ///< a key has no room for more
    /// `each`, without remembering.
    void each_worked_out(const PendingStores& before, const Operation& operation, FunctionRef<void(const Way&)> visit) const;
    /// What is remembered, or learnt now.
    Range find(PendingStores& before, const Operation& operation);
    /// The way of this number, of an operation on `before`.
    void put_together(Way& out, std::uint32_t way, const PendingStores& before, const Operation& operation);
    /// What `out` refers to. `values`: that there are.
    void fill(Way& out, const KnownWay& way, std::span<const std::uint32_t> values, const Operation& operation);
    /// The number of its shape, which may be a passing one.
    std::uint32_t shape_of(const PendingStores& pending);
    void give_image(PendingStores& pending) {
        if (!pending.has_image() && !pending.empty()) {
            make_image(pending);
        }
    }
    void make_image(PendingStores& pending);
    void grow();

    [[nodiscard]] std::span<const std::uint64_t> shape(std::uint32_t id) const {
        return (id & PendingStores::kPassing) != 0 ? passing_.wide(id & ~PendingStores::kPassing) : shapes_.wide(id);
    }

    Interner& shapes_;
    Interner passing_{nullptr}; ///< shapes that are met within a step: most are of no state, and should not be kept with those
    const Buffer buffer_;
    const std::uint64_t bound_;
    const bool remember_;
    // Open addressing, half full at most. What is in the others is known by its position, and they are never shortened while somebody is visited.
    std::vector<std::uint32_t> slots_; ///< 1 + position in known_; 0: free
    std::vector<Known> known_;
    std::vector<KnownWay> ways_;
    std::vector<std::uint32_t> words_;
    std::vector<KnownLanded> landed_;
    // To work with:
    std::vector<std::uint64_t> wide_;
    std::vector<std::uint32_t> values_;
    ValueWords left_;           ///< of Way::values
    std::vector<Landed> lands_; ///< of Way::landed
};

} // namespace heddle::stateful
