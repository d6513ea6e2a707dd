// CoherenceWitness: one coherence of an execution whose coherence is open, kept while it can be.
//
// An event that is new mostly fits it: a write at its end, a read with the write after its source. Then there is still a coherence, and nothing is to be looked for. (The idea
// of keeping a witness is that of reads-from equivalence as in Abdulla, Atig, Jonsson, Lang, Ngo, Sagonas, OOPSLA 2019.) When one does not fit, another has to be found
// (saturated_order.hpp); a coherence of an execution is one of all its parts too, so events may come and go in any way.
#pragma once

#include "model/global_order.hpp"
#include "model/graph_follower.hpp"

#include <functional>
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

class CoherenceWitness final : public GraphFollower {
  public:
    /// `is_given`: of which locations coherence is as the graph has it.
    CoherenceWitness(const ExecutionGraph& graph, const Births& births, const Places& places, Buffer buffer,
                     std::function<bool(LocationId)> is_given)
        : GraphFollower(graph, births), places_(places), is_given_(std::move(is_given)), order_(graph, buffer, &included_) {}

    /// Is it a coherence of what is in the graph? No does not mean that there is none.
    [[nodiscard]] bool holds();
    /// The latest of the included writes of the location in it, if it is a coherence of what is in the graph.
    [[nodiscard]] EventId latest(LocationId location, const std::function<bool(EventId)>& included);
    /// Other places have been found.
    void renew() { start_again(); }

  private:
    void include(EventId e) override;
    void take_back(const Entry& entry) override;
    bool fits_write(EventId write);
    bool fits_read(EventId read);
    /// Puts it before the later, which is there, unless that is the other way round.
    bool put_before(EventId e, EventId later);
    [[nodiscard]] std::uint64_t place(EventId write) const {
        return is_given_(graph_[write].location) ? graph_[write].rank : places_[write];
    }

    const Places& places_;
    std::function<bool(LocationId)> is_given_;
    GlobalOrder order_;
    std::vector<std::vector<EventId>> coherence_; ///< by LocationId, without Init
    std::size_t fitting_ = 0;                     ///< so many of the entries fit; if not all, the rest is not looked at
};

} // namespace heddle
