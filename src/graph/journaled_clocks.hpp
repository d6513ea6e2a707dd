// JournaledClocks: the closure of an order in which a new event may also come before events that are there already.
//
// Their rows grow then, and so do those of all that comes after them. The old rows are kept in a journal, for when the new event is taken away.
#pragma once

#include "graph/clocks.hpp"
#include "graph/execution_graph.hpp"

#include <vector>

namespace heddle {

class JournaledClocks : public Clocks {
  public:
    /// Room for what is in the graph, and for `chains` chains.
    void make_room(const ExecutionGraph& graph, std::size_t chains) {
        reserve(graph.slots(), chains);
        if (saved_by_.size() < graph.slots()) {
            saved_by_.resize(graph.slots() * 2);
        }
    }
    /// Becomes that closure, of events below `slots`; what led to it cannot be undone here. Pre: there is room.
    void start(const JournaledClocks& from, std::size_t slots) {
        take_rows(from, slots);
        saved_.clear();
        used_ = 0;
    }
    /// `e` is new, and comes after `earlier`, if that is an event, and all that comes before it.
    void begin(EventId e, EventId earlier = kNoEvent) {
        saved_by_[e.index] = 0;
        if (earlier == kNoEvent) {
            clear(e);
        } else {
            copy(row(e), row(earlier));
        }
    }
    /// All that comes before `e` comes before `later` too, because of `e`.
    void put_before(EventId e, EventId later) { put_before(e, later, e); }
    /// The same because of `newest`, the event that came last.
    void put_before(EventId e, EventId later, EventId newest) {
        const Clock old = row(later);
        saved_.push_back({later, static_cast<std::uint32_t>(old.size())});
        if (saved_cells_.size() < used_ + old.size()) {
            saved_cells_.resize(2 * (used_ + old.size()));
        }
        copy(Clock(saved_cells_.data() + used_, old.size()), old);
        used_ += old.size();
        ++saved_by_[newest.index];
        join(old, row(e));
    }
    /// `e` goes: rows are as they were before it came.
    void undo(EventId e) { undo(e, 0); }
    /// How many rows have changed because of `e` so far.
    [[nodiscard]] std::uint32_t changes(EventId e) const { return saved_by_[e.index]; }
    /// Whose row was the k-th of them. Pre: `e` is the event that came last.
    [[nodiscard]] EventId changed(EventId e, std::uint32_t k) const {
        return saved_[saved_.size() - saved_by_[e.index] + k].event;
    }
    /// Rows are as they were after so many changes because of `e`, the event that came last.
    void undo(EventId e, std::uint32_t changes) {
        for (; saved_by_[e.index] > changes; --saved_by_[e.index]) {
            const Saved s = saved_.back();
            saved_.pop_back();
            const Clock changed = row(s.event);
            used_ -= s.cells;
            copy(changed.first(s.cells), ConstClock(saved_cells_.data() + used_, s.cells));
            std::fill(changed.begin() + s.cells, changed.end(), 0); // chains that were unknown then
        }
    }

  private:
    struct Saved {
        EventId event;
        std::uint32_t cells;
    };
    std::vector<Saved> saved_;
    std::vector<std::uint32_t> saved_cells_; ///< a stack: the first used_
    std::size_t used_ = 0;
    std::vector<std::uint32_t> saved_by_; ///< by slot: how many rows adding this event changed
};

} // namespace heddle
