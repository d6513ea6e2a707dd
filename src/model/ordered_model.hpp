// sc, tso, pso: one global order that contains co, fr, reads from other threads, and the part of program order that the model keeps.
//
// The order's closure is kept as clocks. Reads and the like of a thread are always in order among themselves: a chain. So are its writes under
// sc (the same chain as the reads) and tso; under pso those to one location. An event that comes last can have one edge to events that are there
// already: a read to the write after its source (fr), a write to the next in coherence. Rows of what comes after that target grow then,
// and a journal gives the old ones back.
//
// The mapping of C11 to the buffered models is in store_buffer.hpp.
#pragma once

#include "graph/journaled_clocks.hpp"
#include "model/memory_model.hpp"
#include "model/store_buffer.hpp"

#include <unordered_map>
#include <vector>

namespace heddle {

class OrderedModel final : public MemoryModel {
  public:
    OrderedModel(const ExecutionGraph& graph, Buffer buffer) : MemoryModel(graph), buffer_(buffer) {}

    std::uint32_t floor(const GraphEvent& e) override;
    bool admits(EventId) override { return true; }
    /// Where a thread's writes stay in order, whoever reads one knows those before it.
    bool surely_before(EventId w, EventId e) const override {
        return buffer_ == Buffer::PerLocation ? MemoryModel::surely_before(w, e) : contains(prefix(e), w);
    }
    bool before(EventId a, EventId b) override { return graph_[a].kind == EventKind::Init || is_in(order_.row(b), a); }

  protected:
    void on_added(EventId e) override;
    void on_removed(EventId e) override;

  private:
    /// Of a thread, up to and with an event: the last of its events of a kind. kNoEvent: none.
    struct Last {
        EventId read = kNoEvent; ///< anything but writes and store fences
        EventId write = kNoEvent;
        EventId barrier = kNoEvent; ///< a write that everything later is ordered after
        EventId stores = kNoEvent;  ///< store fence
        EventId drain = kNoEvent;   ///< an event that all earlier writes of its thread are ordered before
    };

    [[nodiscard]] bool is_store_fence(const GraphEvent& e) const;
    [[nodiscard]] bool drains(const GraphEvent& e) const;
    [[nodiscard]] std::uint32_t chain_of(const GraphEvent& e);
    [[nodiscard]] bool is_in(ConstClock row, EventId e) const { return row[chain_[e.index]] > graph_[e].index; }
    /// Adds to `row` what program order puts before `e`, which comes after `previous` in its thread.
    void follow_thread(const GraphEvent& e, EventId previous, Clock row);
    /// Everything at or after `target` now comes after `e`.
    void put_before(EventId e, EventId target);
    [[nodiscard]] const Last& last_of(EventId e) const { return last_[e.index]; }
    void make_room(std::size_t chains);

    Buffer buffer_;
    JournaledClocks order_;
    std::vector<std::uint32_t> chain_;                        ///< by slot
    std::vector<Last> last_;                                  ///< by slot
    std::vector<EventId> previous_write_;                     ///< by slot, of writes: the thread's write before it
    std::vector<std::uint32_t> scratch_;                      ///< the row of an event that is not there yet
    std::unordered_map<std::uint64_t, std::uint32_t> chains_; ///< pso: (thread, location + 1, or 0 for store fences) -> chain
};

} // namespace heddle
