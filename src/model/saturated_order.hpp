// SaturatedOrder: what coherence must be, and whether there is one, where coherence is not given and belongs to the order (sc, tso, pso).
//
// The order without co and fr, and all that follows from it, whatever coherence is: a write that comes before a read of another write comes before
// that other; a read comes before the writes after its source; an update stands right behind what it updates. Each rule is about what comes before one event, so it is applied again when that has
// become more, until nothing changes (saturation: Chalupa, Chatterjee, Pavlogiannis, Sinha, Vaidya, POPL 2018; Abdulla, Atig, Jonsson, Lang, Ngo, Sagonas, OOPSLA 2019). A cycle: there is no coherence. Writes of one location in order all: there is one. Otherwise pairs that
// are open are tried, first as they were in the coherence found last, which is rarely wrong. (Deciding is NP-hard.)
//
// It is asked when the coherence found last does not do (coherence_witness.hpp), and says what the next one is.
#pragma once

#include "model/coherence_witness.hpp"
#include "model/global_order.hpp"
#include "model/graph_follower.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace heddle {

/// Of writes, by slot: the smaller, the earlier in a coherence that was found. What is new comes last.
class Places {
  public:
    void added(EventId e, std::size_t slots) {
        if (of_.size() <= e.index) {
            of_.resize(slots * 2);
        }
        of_[e.index] = kNew + ++last_;
    }
    [[nodiscard]] std::uint64_t operator[](EventId e) const { return of_[e.index]; }
    void set(EventId e, std::uint64_t place) { of_[e.index] = place; }

  private:
    static constexpr std::uint64_t kNew = std::uint64_t{1} << 40; ///< more than what is set
    std::vector<std::uint64_t> of_;
    std::uint64_t last_ = 0;
};

class SaturatedOrder final : public GraphFollower {
  public:
    /// `is_given`: of which locations coherence is as the graph has it. `names`: null: its own.
    SaturatedOrder(const ExecutionGraph& graph, const Births& births, Places& places, Buffer buffer,
                   std::function<bool(LocationId)> is_given, std::shared_ptr<ChainNames> names = nullptr)
        : GraphFollower(graph, births), places_(places), is_given_(std::move(is_given)),
          order_(graph, buffer, &included_, std::move(names)) {}

    /// Is there a coherence with which the graph is consistent? Then the places of writes are as it has them, and the witness, if there is one, starts with it.
    [[nodiscard]] bool has_coherence(GlobalWitness* witness);
    /// The same of the execution made of the included events, with `write`, which is one of them, the latest of its location. (To be asked of an object that
    /// is asked nothing else: it follows parts of the graph.)
    [[nodiscard]] bool can_be_latest(EventId write, EventTest included);

  private:
    void include(EventId e) override;
    void take_back(const Entry& entry) override;
    /// Puts one before the other, because of the newest event. False: it is the other way round.
    bool put(EventId a, EventId b);
    /// What follows from the newest event.
    bool settle_newest();
    /// What follows from what was put because of the newest event, but for so many changes.
    bool settle_changes(std::uint32_t settled);
    /// What follows for an event from all that comes before it now.
    bool settle(EventId e);
    bool settle_read(EventId read);
    bool settle_write(EventId write);
    /// Puts a read, or the write of an update, that is new before all that comes after its source.
    bool put_before_later(EventId e, EventId source);
    /// Between its neighbours where coherence is given.
    bool put_in_place(EventId write);
    using Pair = std::pair<EventId, EventId>;
    /// Two writes of the location that are in no order, as they are to be tried first.
    [[nodiscard]] std::optional<Pair> open_pair(LocationId l) const;
    /// Decides what is open at the location with this number and at those behind it.
    bool try_open_pairs(std::uint32_t first);
    void remember();

    Places& places_;
    std::function<bool(LocationId)> is_given_;
    GlobalOrder order_;
    std::size_t consistent_ = 0; ///< so many of the entries are; if not all, nothing follows from the rest
};

} // namespace heddle
