// SeqCstEvents: the seq_cst events of an execution, or of a part of it, and what rc11's psc orders among them whatever coherence is.
//
// psc is scb between seq_cst accesses, and with seq_cst fences also through what happens before and after them. What of it has neither co nor fr
// is decided by the prefix of its later event: program order, happens-before as scb has it, and happens-before around a reading between two fences. So an event's *row*,
// the closure of that, never changes while the event is there. It is found when it is first asked for and kept. The seq_cst events of a thread are ordered: a chain.
#pragma once

#include "graph/clocks.hpp"
#include "model/graph_follower.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"

#include <vector>

namespace heddle {

class SeqCstEvents {
  public:
    SeqCstEvents(const ExecutionGraph& graph, const HappensBefore& hb, const Births& births)
        : graph_(graph), hb_(hb), births_(births) {}

    /// Becomes those for which `included` holds. A part contains what its events need.
    void list(EventTest included);

    /// One after the other, those of a thread together and in their order.
    [[nodiscard]] std::size_t size() const { return events_.size(); }
    [[nodiscard]] EventId operator[](std::size_t n) const { return events_[n]; }
    [[nodiscard]] std::size_t threads() const { return first_.size() - 1; }
    /// Those of a thread begin here, and end where those of the next begin.
    [[nodiscard]] std::uint32_t first(std::size_t thread) const { return first_[thread]; }
    /// The number of a listed event.
    [[nodiscard]] std::uint32_t number(EventId e) const { return number_[e.index]; }
    [[nodiscard]] bool has_fences() const { return has_fences_; }
    [[nodiscard]] bool is_fence(std::size_t n) const { return graph_[events_[n]].kind == EventKind::Fence; }
    /// The last fence among the first `count` events of a thread, if there is one; kNone otherwise.
    [[nodiscard]] std::uint32_t last_fence(std::size_t thread, std::uint32_t count) const;
    static constexpr std::uint32_t kNone = ~0u;

    /// Which seq_cst events come before this one, itself included: those among the first so many events of each thread.
    [[nodiscard]] ConstClock row(std::size_t n) const { return rows_.row(events_[n]); }
    /// Of all rows.
    [[nodiscard]] std::size_t width() const { return rows_.chains(); }

  private:
    void make_row(std::uint32_t n);
    void come_after(EventId e, std::uint32_t earlier);
    /// All fences in this.
    void come_after_fences(EventId e, ConstClock known);
    void follow_to_access(EventId e);
    void follow_to_fence(EventId e, std::uint32_t previous_fence);
    /// The last access of the thread from which program order leads to an event of another location among the first `count` of the thread.
    [[nodiscard]] std::uint32_t last_access_leaving(std::size_t thread, std::uint32_t count) const;
    /// Does `access` happen before an access of its location that happens before the event with this row?
    [[nodiscard]] bool is_known_at_location(EventId access, ConstClock known) const;
    template <class F> void for_each_access(LocationId location, F&& visit) const;

    const ExecutionGraph& graph_;
    const HappensBefore& hb_;
    const Births& births_;
    std::vector<EventId> events_;
    std::vector<std::uint32_t> first_{0}; ///< by thread
    std::vector<std::uint32_t> number_;   ///< by slot
    bool has_fences_ = false;
    Clocks rows_;                         ///< by slot
    std::vector<std::uint64_t> made_for_; ///< by slot: the birth of the event that has the row
};

} // namespace heddle
