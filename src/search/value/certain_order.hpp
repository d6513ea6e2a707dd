// CertainOrder: what comes before what in every run of the history.
//
// A read of a value that only one store has written has read that store. With program order, and starting and joining threads, that gives an order that every execution of the
// history has: of a machine, the order in which operations happen (a store: reaches memory); otherwise happens-before, which needs a release and an acquire. A
// value cannot be read if each store of it has certainly been overwritten before: by another store to the location that certainly comes later than it, and
// certainly before the read. That is so of data that a lock protects, and so of most values that are not there to be read.
//
// Each operation has a clock: so many operations of each thread certainly come before it. When a value is stored a second time, what was learnt from reading it is no longer certain, and the
// clocks of what came after that are made anew when they are needed.
//
// Of the stores of one thread that certainly come before a read only the last may not have been overwritten. So those that a read could still read are found from the latest ones back,
// however many there have been before (find_live).
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

class CertainOrder {
  public:
    /// `buffer`: of the machine that the model is; nothing: it is none. `all_synchronize`: then reading from a write is happening after it, whatever their orders.
    CertainOrder(const History& history, std::optional<Buffer> buffer, bool all_synchronize, Realizer::Initial initial)
        : history_(history), buffer_(buffer), all_synchronize_(all_synchronize), initial_(std::move(initial)) {}

    /// The thread's next operation is in the history.
    void pushed(ThreadId t);
    /// Its last one will be taken back.
    void pop(ThreadId t);

    /// Has no value been stored again after it was read? Then asking is cheap.
    [[nodiscard]] bool is_cheap() const { return doubts_ == 0; }
    /// If the thread now does `next`, which reads and is not in the history: is what it reads certainly overwritten? Of so much of the history, in which the thread has come as far.
    [[nodiscard]] bool is_overwritten(ThreadId t, const HistoryOp& next, const Lengths& lengths);
    /// Fills `live` with the values at `l` that a load of the thread right before `at`, which may be its next operation, might read: what is certainly overwritten then, or
    /// certainly stored later, is not among them.
    void find_live(OpAt at, LocationId l, std::vector<ValueId>& live);
    /// Does it order all accesses of one location by different threads of which one is plain and one stores?
    [[nodiscard]] bool orders_conflicts();

  private:
    using Row = std::uint32_t*;
    struct Thread {
        std::vector<std::uint32_t> clocks;  ///< a row of width_ for each operation
        std::vector<std::uint32_t> drained; ///< by operation: so many of the thread's are certainly over before its next one
    };
    [[nodiscard]] const std::uint32_t* row(OpAt at) const {
        return &threads_[at.thread.index].clocks[std::size_t{at.op} * width_];
    }
    void make_clock(OpAt at);
    void join_source(OpAt at, const HistoryOp& op, Row clock);
    void refresh();
    [[nodiscard]] bool is_before(OpAt a, OpAt b) const {
        return a.thread == b.thread ? a.op < b.op : row(b)[a.thread.index] > a.op;
    }
    [[nodiscard]] bool synchronizes(const HistoryOp& store, const HistoryOp& read) const;
    /// So many operations of `u` certainly come before whatever the thread does right before `at`. Pre: refreshed.
    [[nodiscard]] std::uint32_t past(OpAt at, ThreadId u) const;
    /// What was learnt from reading this is certain no longer, or is again.
    void doubt(ContentId c) {
        made_ = std::min<std::size_t>(made_, readers_[c.index].front());
        harmless_ = std::min(harmless_, made_);
    }

    const History& history_;
    std::optional<Buffer> buffer_;
    bool all_synchronize_;
    Realizer::Initial initial_;
    std::vector<OpAt> order_; ///< in which they were added
    std::vector<Thread> threads_;
    std::vector<std::optional<OpAt>> spawns_;                        ///< by thread: who starts it
    std::vector<std::vector<OpAt>> stores_;                          ///< by location
    std::vector<std::vector<std::vector<std::uint32_t>>> stores_by_; ///< by location and thread: the same
    std::vector<std::vector<OpAt>> sources_;                         ///< by content: its stores
    std::vector<std::vector<std::uint32_t>> readers_;                ///< by content: where in order_ it is read
    std::vector<OpAt> latest_; ///< of find_live: the last store of each thread that certainly comes before the read
    std::size_t made_ = 0;     ///< so many of order_ have their clocks
    std::size_t harmless_ = 0; ///< so many of order_ are in no conflict with what was added before them that is not ordered
    std::uint32_t width_ = 0;
    std::uint32_t doubts_ = 0; ///< values that were stored a second time after they had been read
};

} // namespace heddle
