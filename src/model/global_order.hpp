// GlobalOrder: the one order of sc, tso and pso, closed, as the execution grows and shrinks.
//
// It contains thread creation and joining, reads from other threads, the part of program order that the model keeps, and the edges of co and fr that
// it is told. Its closure is kept as clocks. Reads and the like of a thread are always in order among themselves: a chain. So are its writes under
// sc (the same chain as the reads) and tso; under pso those to one location. An edge to an event that is there already makes its row grow and those of
// all that comes after it; a journal gives the old ones back.
//
// The mapping of C11 to the buffered models is in store_buffer.hpp.
#pragma once

#include "graph/journaled_clocks.hpp"
#include "model/store_buffer.hpp"

#include <memory>
#include <vector>

namespace heddle {

/// The chains of pso, by thread and what is in order there. Named once for the whole search, in the order they are met; orders that are copied to each other share the
/// names.
class ChainNames {
  public:
    [[nodiscard]] std::uint32_t size() const { return count_; }
    /// `what`: 0, or of writes the location's number + 2, or of store fences 1.
    [[nodiscard]] std::uint32_t of(std::uint32_t thread, std::uint32_t what) {
        if (thread >= names_.size()) {
            names_.resize(thread + 1);
        }
        std::vector<std::uint32_t>& mine = names_[thread];
        if (what >= mine.size()) {
            mine.resize(what + 1, kNone);
        }
        if (mine[what] == kNone) {
            mine[what] = count_++;
        }
        return mine[what];
    }

  private:
    static constexpr std::uint32_t kNone = ~0u;
    std::vector<std::vector<std::uint32_t>> names_;
    std::uint32_t count_ = 0;
};

class GlobalOrder {
  public:
    /// `included`: how many events of each thread are in the order; null: all that are in the graph. `names`: null: its own.
    GlobalOrder(const ExecutionGraph& graph, Buffer buffer, const std::vector<std::uint32_t>* included = nullptr,
                std::shared_ptr<ChainNames> names = nullptr)
        : graph_(graph), buffer_(buffer), included_(included),
          chains_(names ? std::move(names) : std::make_shared<ChainNames>()) {}

    /// Becomes that order, whose events are all that are in the graph; what led to it cannot be undone. Pre: they share names, and both have the buffer.
    void start(const GlobalOrder& from);

    /// `e`, the next event of its thread, comes after all that co and fr have no part in.
    void add(EventId e);
    /// The inverse, with all that was told since.
    void undo(EventId e) { order_.undo(e); }
    /// `e`, after which nothing comes, comes after `earlier` too.
    void come_after(EventId e, EventId earlier) { join(order_.row(e), order_.row(earlier)); }
    /// Everything at or after `target` comes after `e`. `newest`: the event that was added last.
    void put_before(EventId e, EventId target, EventId newest);
    [[nodiscard]] std::uint32_t changes(EventId newest) const { return order_.changes(newest); }
    /// After which event something more came then: the k-th change because of `newest`.
    [[nodiscard]] EventId changed(EventId newest, std::uint32_t k) const { return order_.changed(newest, k); }
    /// Takes back what was put since there were so many changes because of `newest`.
    void undo(EventId newest, std::uint32_t changes) { order_.undo(newest, changes); }

    /// Does `a` come before `b`, or are they the same? Init comes before all.
    [[nodiscard]] bool at_or_before(EventId a, EventId b) const {
        return graph_[a].kind == EventKind::Init || is_in(order_.row(b), a);
    }
    [[nodiscard]] ConstClock row(EventId e) const { return order_.row(e); }
    [[nodiscard]] bool is_in(ConstClock row, EventId e) const { return row[chain_[e.index]] > graph_[e].index; }
    /// What comes before `e`, which would be the next event of its thread and whose source is not chosen yet. Valid until asked again.
    [[nodiscard]] ConstClock before(const GraphEvent& e);
    /// The rank of the latest write of e.location that `e`, the next event of its thread, must know. Pre: coherence is as the graph has it.
    [[nodiscard]] std::uint32_t floor(const GraphEvent& e);

  private:
    /// Of a thread, up to and with an event: the last of its events of a kind. kNoEvent: none.
    struct Last {
        EventId read = kNoEvent; ///< anything but writes and store fences
        EventId write = kNoEvent;
        EventId barrier = kNoEvent; ///< a write that everything later is ordered after
        EventId stores = kNoEvent;  ///< store fence
        EventId drain = kNoEvent;   ///< an event that all earlier writes of its thread are ordered before
    };

    [[nodiscard]] EventId po_previous(const GraphEvent& e) const {
        return e.index == 0 ? kNoEvent : graph_.thread(e.thread)[e.index - 1];
    }
    [[nodiscard]] bool is_store_fence(const GraphEvent& e) const;
    [[nodiscard]] bool drains(const GraphEvent& e) const;
    [[nodiscard]] std::uint32_t chain_of(const GraphEvent& e);
    /// Adds to `row` what program order puts before `e`, which comes after `previous` in its thread.
    void follow_thread(const GraphEvent& e, EventId previous, Clock row);
    void make_room(std::size_t chains);

    const ExecutionGraph& graph_;
    Buffer buffer_;
    const std::vector<std::uint32_t>* included_;
    JournaledClocks order_;
    std::vector<std::uint32_t> chain_;    ///< by slot
    std::vector<Last> last_;              ///< by slot
    std::vector<EventId> previous_write_; ///< by slot, of writes: the thread's write before it
    std::vector<std::uint32_t> scratch_;  ///< see before
    std::shared_ptr<ChainNames> chains_;  ///< pso
};

} // namespace heddle
