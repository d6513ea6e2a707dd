// CoherenceWitness: one coherence of an execution whose coherence is open, with the order of sc, tso or pso that it makes.
//
// An event that is new mostly fits it: a write at its end, a read with the write after its source. Then there is still a coherence, and nothing is to be looked for. (The idea
// of keeping a witness is that of reads-from equivalence as in Abdulla, Atig, Jonsson, Lang, Ngo, Sagonas, OOPSLA 2019.) When one does not fit, another has to be found
// (saturated_order.hpp); that one is good until the event is gone, and then the older one is again (rf_model.hpp).
//
// It is told what is added and removed, and not what the search cuts away: a coherence of an execution is one of all its parts too. Order that came from events which are
// cut away stays in the clocks, and a position in a thread may be another event's by then. So the clocks contain the order of what is there, and perhaps more: an event that they allow
// fits, and one that they do not may. (Rows still grow along chains, which is all that GlobalOrder relies on. When the cut is restored all that came since is gone, and the clocks are
// what they were.)
#pragma once

#include "model/global_order.hpp"
#include "model/memory_model.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

class CoherenceWitness {
  public:
    /// `is_given`: of which locations coherence is as the graph has it. `names`: of those whose orders it starts with.
    CoherenceWitness(const ExecutionGraph& graph, Buffer buffer, std::function<bool(LocationId)> is_given,
                     std::shared_ptr<ChainNames> names)
        : graph_(graph), buffer_(buffer), is_given_(std::move(is_given)), order_(graph, buffer, nullptr, std::move(names)) {}

    /// Becomes the coherence that this order of all that is in the graph has.
    void start(const GlobalOrder& order);
    /// Does `e`, which has just been added to the graph, fit? If not, nothing has changed.
    [[nodiscard]] bool add(EventId e);
    /// `e` is what was added last, and is about to be removed from the graph.
    void remove(EventId e);
    /// The latest of the included writes of the location.
    [[nodiscard]] EventId latest(LocationId location, EventTest included) const;

  private:
    bool fits_write(EventId write);
    bool fits_read(EventId read);
    /// Puts it before the later, which is there, unless that is the other way round.
    bool put_before(EventId e, EventId later);
    /// What comes after it, some of it perhaps cut away.
    [[nodiscard]] std::span<const EventId> after(EventId write) const;

    const ExecutionGraph& graph_;
    Buffer buffer_;
    std::function<bool(LocationId)> is_given_;
    GlobalOrder order_;
    std::vector<std::vector<EventId>> coherence_; ///< by LocationId, where it is not given, without Init; some may be cut away
};

} // namespace heddle
