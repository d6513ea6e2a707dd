// ForcedOrder: can a history have a run at all? What must come before what, until that is a contradiction or nothing more follows.
//
// For the models that are machines with store buffers. Of each access the accesses that certainly come before it are kept (a store: reaches memory), at first those of program order as far
// as the buffers keep it. Which store a read has read is not known; it is one of those of its value. One that comes after the read, or that has certainly
// been overwritten before it, is none. If there is no other, the history has no run. If there is one, then the read comes after it (unless it may have read it from its thread's own buffer),
// before every store that comes later, and every other store that comes before the read comes before that one too. If there are several, what comes before
// all of them comes before the read.
//
// Updates that replace a value need one store of it each. If there are only just enough, then in the end one of them has the last: all the others, and all stores of the value, come
// before it. If only one of them can be that (the others' threads have stored the value again: they have released the lock), it is. So who has a lock comes after all who have had it.
//
// Nothing is said of histories with more accesses than fit.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle {

class ForcedOrder {
  public:
    ForcedOrder(const History& history, Buffer buffer, Realizer::Initial initial)
        : history_(history), buffer_(buffer), initial_(std::move(initial)) {}

    /// If the thread does `next`, which is not in the history, after so much of it: is that certainly no history of any run?
    [[nodiscard]] bool is_impossible(ThreadId t, const HistoryOp& next, const Lengths& lengths);

  private:
    static constexpr std::uint32_t kMost = 128;
    /// A set of accesses.
    struct Set {
        std::array<std::uint64_t, kMost / 64> words{};
        [[nodiscard]] bool has(std::uint32_t e) const { return ((words[e / 64] >> (e % 64)) & 1) != 0; }
        void insert(std::uint32_t e) { words[e / 64] |= std::uint64_t{1} << (e % 64); }
        Set& operator|=(const Set& o) {
            words[0] |= o.words[0];
            words[1] |= o.words[1];
            return *this;
        }
        Set& operator&=(const Set& o) {
            words[0] &= o.words[0];
            words[1] &= o.words[1];
            return *this;
        }
        void remove(const Set& o) {
            words[0] &= ~o.words[0];
            words[1] &= ~o.words[1];
        }
        [[nodiscard]] bool empty() const { return (words[0] | words[1]) == 0; }
    };
    struct Access {
        std::uint32_t thread;
        std::uint32_t op;
        std::uint32_t cell;
        ValueId read;
        ValueId written;
        bool reads;
        bool stores;
        [[nodiscard]] bool replaces() const { return reads && stores && read != written; }
    };
    struct Cell {
        LocationId location;
        ValueId initial;
        std::vector<std::uint32_t> stores;
    };
    /// While program order is walked.
    struct Thread {
        bool begun = false;
        std::uint32_t done = 0;
        Set always;                         ///< comes before whatever the thread does next
        std::vector<std::uint32_t> pending; ///< its stores that may not be in memory
    };

    void clear();
    /// False: they are too many.
    bool walk_program_order(ThreadId t, const HistoryOp& next, const Lengths& lengths);
    /// All that follows. False: a contradiction.
    bool saturate();
    bool add_access(Thread& thread, OpAt at, const HistoryOp& op);
    void drain(Thread& thread);
    std::uint32_t cell_of(LocationId l);
    /// `a` comes before `b`. False: that is a contradiction.
    bool order(std::uint32_t a, std::uint32_t b);
    bool look_at_read(std::uint32_t r);
    bool have_read(std::uint32_t r, std::uint32_t source);
    bool have_read_initial(std::uint32_t r);
    bool come_after_all(std::uint32_t r);
    bool look_at_update(std::uint32_t u);
    /// Is the store certainly in memory, or at least in the thread's buffer, when `r` reads?
    [[nodiscard]] bool is_seen(std::uint32_t store, std::uint32_t r) const {
        return before_[r].has(store) || (accesses_[store].thread == accesses_[r].thread && accesses_[store].op < accesses_[r].op);
    }

    /// Is it an earlier store of the read's own thread, which may find it in the buffer?
    [[nodiscard]] bool may_be_forwarded(std::uint32_t store, std::uint32_t r) const {
        return buffer_ != Buffer::None && accesses_[store].thread == accesses_[r].thread && accesses_[store].op < accesses_[r].op;
    }

    const History& history_;
    Buffer buffer_;
    Realizer::Initial initial_;
    std::vector<Access> accesses_;
    std::vector<Set> before_; ///< by access; transitive
    std::vector<Cell> cells_;
    std::size_t cell_count_ = 0;
    std::vector<std::uint32_t> cell_of_; ///< by location: index into cells_ plus one; 0: none
    std::vector<Thread> threads_;
    std::vector<std::uint32_t> sources_; ///< of the read that is looked at
    bool changed_ = false;
};

} // namespace heddle
