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
// What follows is kept as the history grows (Level). It is still so when there is more of the history: take what is new out of a run, and it is a run of the old
// history. Unless somebody in the old history has read what is stored anew: then that may be where it has read it, and one goes back to what followed
// before that read (`ousts`). A read of the storing thread itself came earlier, so it does not count.
//
// Nothing is said of histories with more accesses than fit.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace heddle {

class ForcedOrder {
  public:
    /// `keeps_levels`: what follows from a history is kept for those that go on with it.
    ForcedOrder(const History& history, Buffer buffer, Realizer::Initial initial, bool keeps_levels)
        : history_(history), buffer_(buffer), initial_(std::move(initial)), keeps_levels_(keeps_levels) {}

    /// The thread's last operation is in the history.
    void pushed(ThreadId t);
    /// Its last one, which is the last of all, is taken back.
    void pop(ThreadId t);

    /// Are so many accesses few enough?
    [[nodiscard]] bool fits(const Lengths& lengths) const { return accesses_in(lengths) < kMost; }
    /// If the thread does `next`, which is not in the history and reads, after so much of it: is that certainly no history of any run? Pre: the history was once so long, on the
    /// way to what it is now, and the thread has done nothing since.
    [[nodiscard]] bool is_impossible(ThreadId t, const HistoryOp& next, const Lengths& lengths);
    /// Does no run of the history end with this value there?
    [[nodiscard]] bool cannot_end_with(LocationId l, ValueId v);

  private:
    static constexpr std::uint32_t kMost = 128;
    static constexpr std::uint32_t kNobody = 0xffff'ffff; ///< no thread
    /// A set of accesses.
    struct Set {
        std::array<std::uint64_t, kMost / 64> words{};
        /// Those before `n`.
        [[nodiscard]] static Set first(std::uint32_t n) {
            const auto word = [](std::uint32_t k) { return k >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << k) - 1; };
            return {{word(n), n <= 64 ? 0 : word(n - 64)}};
        }
        [[nodiscard]] bool has(std::uint32_t e) const { return ((words[e / 64] >> (e % 64)) & 1) != 0; }
        void insert(std::uint32_t e) { words[e / 64] |= std::uint64_t{1} << (e % 64); }
        void erase(std::uint32_t e) { words[e / 64] &= ~(std::uint64_t{1} << (e % 64)); }
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
        friend Set operator&(Set a, const Set& b) { return a &= b; }
        void remove(const Set& o) {
            words[0] &= ~o.words[0];
            words[1] &= ~o.words[1];
        }
        [[nodiscard]] bool empty() const { return (words[0] | words[1]) == 0; }
        [[nodiscard]] bool meets(const Set& o) const { return ((words[0] & o.words[0]) | (words[1] & o.words[1])) != 0; }
        /// Until `test` fails. Says whether it never has.
        template <class Test> bool all_of(const Test& test) const {
            for (std::uint32_t k = 0; k < words.size(); ++k) {
                for (std::uint64_t left = words[k]; left != 0; left &= left - 1) {
                    if (!test(k * 64 + static_cast<std::uint32_t>(std::countr_zero(left)))) {
                        return false;
                    }
                }
            }
            return true;
        }
        /// The same, the last ones first.
        template <class Test> bool all_of_backwards(const Test& test) const {
            for (std::uint32_t k = words.size(); k-- > 0;) {
                for (std::uint64_t left = words[k]; left != 0;) {
                    const auto bit = 63 - static_cast<std::uint32_t>(std::countl_zero(left));
                    if (!test(k * 64 + bit)) {
                        return false;
                    }
                    left &= ~(std::uint64_t{1} << bit);
                }
            }
            return true;
        }
    };
    struct Access {
        std::uint32_t thread;
        std::uint32_t op;
        std::uint32_t cell;
        std::uint32_t read;    ///< into the values of the cell
        std::uint32_t written; ///< the same
        bool reads;
        bool stores;
        /// The first access of another thread that reads what this one stores, if it was there before it; else kMost.
        std::uint32_t ousts;
        Set program_order; ///< before it
        Set buffered;      ///< of a read: earlier stores of its thread that may not be in memory
        [[nodiscard]] bool replaces() const { return reads && stores && read != written; }
    };
    struct Cell {
        std::uint32_t initial = 0; ///< into values
        Set stores;
        Set reads;
        struct Content {
            ValueId value;
            Set stores; ///< of it
        };
        std::vector<Content> values;
    };
    /// What certainly comes before each access, and what after it. Transitive.
    struct Order {
        std::vector<Set> before;
        std::vector<Set> after;
    };
    struct Thread {
        std::uint32_t done = 0;
        Set always;  ///< comes before whatever the thread does next
        Set pending; ///< its stores that may not be in memory
    };
    /// An operation of the history, with what was before it.
    struct Record {
        Thread thread;
        std::uint32_t accesses; ///< before it
        bool is_access;         ///< and fits
    };
    /// What follows from the first accesses.
    struct Level {
        bool known = false;
        Order order;
    };

    void drain(Thread& thread) const;
    [[nodiscard]] Access access_of(Thread& thread, ThreadId t, const HistoryOp& op);
    std::uint32_t cell_of(LocationId l);
    /// Its place among the values of the cell.
    static std::uint32_t value_of(Cell& cell, ValueId v);
    void insert(std::uint32_t e);
    void erase(std::uint32_t e);
    /// How many accesses so much of the history has; kMost: too many.
    [[nodiscard]] std::uint32_t accesses_in(const Lengths& lengths) const;
    /// The longest level that is kept and still holds when there are so many accesses.
    [[nodiscard]] std::uint32_t level_for(std::uint32_t count, std::uint32_t ousts) const;
    /// Of the first `count` accesses; what follows from the first `from` is known. False: a contradiction.
    bool follow(std::uint32_t from, std::uint32_t count);
    /// The same of the first `count` and `next`.
    bool follow_with(const Access& next, std::uint32_t count);
    bool saturate();
    /// `a` comes before `b`. False: that is a contradiction.
    bool order(std::uint32_t a, std::uint32_t b);
    bool look_at_read(std::uint32_t r);
    bool have_read(std::uint32_t r, std::uint32_t source);
    bool have_read_initial(std::uint32_t r);
    bool come_after_all(std::uint32_t r, const Set& sources);
    bool look_at_update(std::uint32_t u);
    [[nodiscard]] Set stores_of(std::uint32_t e) const { return cells_[accesses_[e].cell].stores & considered_; }
    [[nodiscard]] Set stores_of_value(std::uint32_t e, std::uint32_t value) const {
        return cells_[accesses_[e].cell].values[value].stores & considered_;
    }

    const History& history_;
    Buffer buffer_;
    Realizer::Initial initial_;
    bool keeps_levels_;
    // The history.
    std::vector<Record> records_;  ///< in the order in which they were added
    std::vector<Access> accesses_; ///< the same
    std::vector<Thread> threads_;
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> cell_of_; ///< by location: index into cells_ plus one; 0: none
    std::vector<Level> levels_;          ///< by the number of accesses
    // A question.
    Order order_;
    Set considered_; ///< the accesses that it is about
    Set touched_;    ///< what comes before them has changed, and what follows from that was not looked at
};

} // namespace heddle
