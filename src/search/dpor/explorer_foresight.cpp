// Explorer: the iterations of a thread (explorer_iterations.cpp) found out without adding their events.
//
// To add an event to the graph, tell the model, and take it back costs ten times as much as to find out what could be read next, and most of what is tried fails. What a read may read
// is decided by what its thread knows: in ra and rc11 what happens before it, which is a row of numbers that grows with what is read. So an iteration is followed from step to step with
// such a row, and with another one for the prefix, and the floors are those that the model would have for the events. Where the model has to be asked about a read that respects the floor
// (seq_cst), or where a fence comes in between, nothing is foreseen and the events are tried.
//
// Sound because a read that is foreseen has the sources that find_sources would have found, for the same reasons: the floor from what is known, what would make the iteration
// fail left out, and updates of what another update has taken only if that one might be pushed behind. For the last one what is asked may be
// less than what decides: the write of such an update may then be found to have no place, which ends the exploration without being an execution (Explorer::grow).
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

std::uint32_t Explorer::latest_read(LocationId l, const std::vector<EventId>& sources) const {
    std::uint32_t latest = 0;
    for (const EventId source : sources) {
        if (source != kNoEvent && graph_[source].location == l) {
            latest = std::max(latest, graph_[source].rank);
        }
    }
    return latest;
}

class Explorer::Foresight {
  public:
    Foresight(Explorer& explorer, std::size_t position, FunctionRef<bool(std::size_t end)> accepts)
        : x_(explorer), position_(position), accepts_(accepts) {}

    /// Fills iterations_ with those of the thread. False: it could not be told, and some may be there.
    bool find(ThreadId t) {
        const EventId last = x_.graph_.last(t);
        x_.trial_known_.start(x_.model_->known(last));
        x_.trial_prefix_.start(x_.model_->prefix(last));
        return go_on(x_.step_of(t));
    }

  private:
    /// Pre: the step is of the iteration, and located.
    bool go_on(Step& s) {
        if (s.action.kind == ActionKind::Fence) {
            return false;
        }
        if (x_.awaits(s)) {
            x_.look_at_awaited(s, x_.waiting_since_);
        }
        const LocationId l = s.location;
        for (std::size_t rank = std::max(x_.model_->foreseen_floor(l, x_.trial_known_.top()), x_.latest_read(l, x_.trial_));
             rank < x_.graph_.location(l).coherence.size(); ++rank) {
            const EventId w = x_.graph_.location(l).coherence[rank]; // further on there may be new locations
            x_.trial_.push_back(w);
            const bool told = read(s, w);
            x_.trial_.pop_back();
            if (!told) {
                return false;
            }
        }
        return true;
    }

    /// trial_ ends with this read from `w`.
    bool read(Step& s, EventId w) {
        Edge& edge = x_.steps_.reading(s, x_.value_of(w));
        if (!edge.satisfies()) {
            if (!x_.model_->tracks_coherence(s.location)) {
                x_.track(s.location); // see find_sources
            }
            return true;
        }
        const Order order = order_of_read(s.action, edge.writes);
        if (!x_.model_->admits_all({.order = order})) {
            return false;
        }
        if (edge.writes) {
            if (may_write(s.location, w, edge.written)) {
                end();
            }
            return true;
        }
        Step& next = *x_.steps_.follow(s, edge);
        if (!x_.is_in_iteration(next)) {
            end();
            return true;
        }
        x_.trial_known_.push();
        x_.model_->learn(x_.trial_known_.top(), w, order);
        x_.trial_prefix_.push();
        join_prefix(w);
        const bool told = go_on(next);
        x_.trial_known_.pop();
        x_.trial_prefix_.pop();
        return told;
    }

    void end() {
        if (accepts_(position_)) {
            x_.note_iteration(position_);
        }
    }

    void join_prefix(EventId source) {
        if (x_.graph_[source].kind == EventKind::Write) {
            join(x_.trial_prefix_.top(), x_.model_->prefix(source));
        }
    }

    /// May an update that reads from `source` write? See find_sources and add_read.
    bool may_write(LocationId l, EventId source, const Value& written) {
        if (x_.graph_.co_next(source) == kNoEvent) {
            return true;
        }
        x_.trial_prefix_.push();
        join_prefix(source);
        const ConstClock prefix = x_.trial_prefix_.top();
        const EventId taker = x_.graph_.taker(source);
        const bool good = (taker == kNoEvent || !x_.options_asked_.tuning.foresee_updates || may_be_pushed(taker, prefix)) &&
                          !x_.comes_too_early({.prefix = prefix, .later = x_.graph_[source].rank + 1, .value = written}, l);
        x_.trial_prefix_.pop();
        return good;
    }

    /// May a write with this prefix push the update behind itself? Its read is then cut away, so it must have been added canonically.
    bool may_be_pushed(EventId taker, ConstClock prefix) {
        const EventId read = x_.graph_[taker].update_read;
        if (x_.place_in_iteration(read) == 0) {
            return x_.can_revisit(read, prefix);
        }
        // Whether an iteration can be revisited depends on what it would read instead.
        return !x_.model_->contains(prefix, taker) && !x_.is_never_canonical(read) && !x_.is_never_canonical(taker);
    }

    Explorer& x_;
    std::size_t position_;
    FunctionRef<bool(std::size_t end)> accepts_;
};

bool Explorer::foresee_iterations(ThreadId t, std::size_t position, FunctionRef<bool(std::size_t end)> accepts) {
    if (!options_asked_.tuning.foresee_iterations || !model_->foresees_runs()) {
        return false;
    }
    const std::size_t words = words_.size();
    if (Foresight(*this, position, accepts).find(t)) {
        return true;
    }
    words_.resize(words);
    iterations_.clear();
    return false;
}

} // namespace heddle
