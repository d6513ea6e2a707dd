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
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

class PscCoherence;

class CoherenceWitness {
  public:
    /// `is_given`: of which locations coherence is as the graph has it.
    CoherenceWitness(const ExecutionGraph& graph, std::function<bool(LocationId)> is_given)
        : graph_(graph), is_given_(std::move(is_given)) {}
    CoherenceWitness(const CoherenceWitness&) = delete;
    CoherenceWitness& operator=(const CoherenceWitness&) = delete;
    virtual ~CoherenceWitness() = default;

    /// Does `e`, which has just been added to the graph, fit? If not, nothing has changed.
    [[nodiscard]] bool add(EventId e);
    /// `e` is what was added last, and is about to be removed from the graph.
    void remove(EventId e);
    /// The writes of the location in their order, some of them perhaps cut away; with or without Init.
    [[nodiscard]] std::span<const EventId> coherence(LocationId l) const {
        return is_given_(l)                  ? std::span(graph_.location(l).coherence)
               : l.index < coherence_.size() ? std::span(coherence_[l.index])
                                             : std::span<const EventId>();
    }
    /// The latest of the included writes of the location.
    [[nodiscard]] EventId latest(LocationId location, EventTest included) const;

  protected:
    /// The model's order with `e`, which is new; its place in coherence apart.
    virtual void begin(EventId e) = 0;
    /// The inverse, with all that followed.
    virtual void undo(EventId e) = 0;
    /// Can the write stand between these in coherence? `later`: kNoEvent: it is the last.
    [[nodiscard]] virtual bool fits_between(EventId earlier, EventId write, EventId later) = 0;
    /// Can the read come before these, all that comes after its source, some of it perhaps cut away? `next`: the first that is not, kNoEvent: none.
    [[nodiscard]] virtual bool fits_before(EventId read, EventId next, std::span<const EventId> rest) = 0;

    const ExecutionGraph& graph_;
    std::function<bool(LocationId)> is_given_;
    std::vector<std::vector<EventId>> coherence_; ///< by LocationId, where it is not given, without Init; some may be cut away

  private:
    bool fits_write(EventId write);
    bool fits_read(EventId read);
    /// What comes after it, some of it perhaps cut away.
    [[nodiscard]] std::span<const EventId> after(EventId write) const;
};

/// Of sc, tso and pso.
class GlobalWitness final : public CoherenceWitness {
  public:
    /// `names`: of those whose orders it starts with.
    GlobalWitness(const ExecutionGraph& graph, std::function<bool(LocationId)> is_given, Buffer buffer,
                  std::shared_ptr<ChainNames> names)
        : CoherenceWitness(graph, std::move(is_given)), buffer_(buffer), order_(graph, buffer, nullptr, std::move(names)) {}

    /// Becomes the coherence that this order of all that is in the graph has.
    void start(const GlobalOrder& order);

  private:
    void begin(EventId e) override { order_.add(e); }
    void undo(EventId e) override { order_.undo(e); }
    bool fits_between(EventId earlier, EventId write, EventId later) override;
    bool fits_before(EventId read, EventId next, std::span<const EventId> rest) override;
    /// Puts it before the later, which is there, unless that is the other way round.
    bool put_before(EventId e, EventId later);

    Buffer buffer_;
    GlobalOrder order_;
};

/// Of rc11, where seq_cst has a part in it: happens-before says whether an event fits. Whether psc has a cycle then is not looked for: where it gets an edge out of the event, the answer is
/// no, and PscCoherence is asked.
class Rc11Witness final : public CoherenceWitness {
  public:
    /// `seq_cst_fences`: how many there are in the graph, or more.
    Rc11Witness(const ExecutionGraph& graph, std::function<bool(LocationId)> is_given, const HappensBefore& hb,
                const std::size_t& seq_cst_fences)
        : CoherenceWitness(graph, std::move(is_given)), hb_(hb), seq_cst_fences_(seq_cst_fences) {}
    /// (A count of another type would be copied, and the copy referred to.)
    Rc11Witness(const ExecutionGraph&, const std::function<bool(LocationId)>&, const HappensBefore&, std::size_t&&) = delete;

    /// Becomes the coherence of all that is in the graph that this has found.
    void start(PscCoherence& found);
    /// Becomes that of this witness (null: of the graph), but for some writes of the location, which come last. (Those with a rank in the graph that is in `moved`.)
    void start(const CoherenceWitness* witness, LocationId location, std::uint64_t moved);

  private:
    void begin(EventId) override {}
    void undo(EventId) override {}
    bool fits_between(EventId earlier, EventId write, EventId later) override;
    bool fits_before(EventId read, EventId next, std::span<const EventId> rest) override;

    const HappensBefore& hb_;
    const std::size_t& seq_cst_fences_;
};

} // namespace heddle
