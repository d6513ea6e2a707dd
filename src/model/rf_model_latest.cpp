// RfModel: the latest write of a location in a part of the execution, where nobody has said what coherence is there.
//
// Whether a read was added canonically is asked of each event that a revisit would cut away, so this is asked often, and mostly about parts in which much is open. Three
// things decide most of it without looking for a coherence (Ways::foresee_latest):
//   - a plain write after which nothing comes in the part but updates of it one by one and reads of all these, can be the latest with the last of them: the part without them has a
//     coherence, and in all models a write may be added last, and what reads the latest write;
//   - Init and the updates that stand behind it one by one come before all other writes;
//   - a read that nothing orders says nothing about coherence (orders_nothing), so what is latest can be known before it is there.
#include "model/rf_model.hpp"

#include <algorithm>
#include <iterator>

namespace heddle {

bool RfModel::is_of_init(EventId write) const { return graph_[write].kind == EventKind::Init || facts_[write.index].of_init; }

bool RfModel::is_later(EventId w, EventId write) const {
    // Of updates behind Init one by one, those that are included come before this one.
    const bool first = foresees_latest_ ? is_of_init(write) && !is_of_init(w) : graph_[write].kind == EventKind::Init;
    if (first || comes_surely_before(write, w)) {
        return true;
    }
    // Each location by itself is in order. (Where writes stay in order their prefix says so.)
    if (!foresees_latest_ || (axioms_.coherence_orders && buffer_ != Buffer::PerLocation)) {
        return false;
    }
    for (EventId r = graph_[write].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
        if (graph_[r].is_read() && graph_[r].thread == graph_[w].thread && graph_[r].index < graph_[w].index) {
            return true;
        }
    }
    return false;
}

bool RfModel::has_later(EventId write, EventTest included) const {
    if (const EventId taker = graph_.taker(write); taker != kNoEvent && included(taker)) {
        return true; // an update comes right behind it
    }
    const auto& co = graph_.location(graph_[write].location).coherence;
    return std::any_of(co.begin() + 1, co.end(), [&](EventId w) { return w != write && included(w) && is_later(w, write); });
}

bool RfModel::ends(EventId write, EventTest included) const {
    const auto is_last = [&](EventId e) { // of its thread
        const EventId next = graph_.at(graph_[e].thread, graph_[e].index + 1);
        return next == kNoEvent || !included(next);
    };
    EventId taker = kNoEvent;
    for (;;) {
        const GraphEvent& e = graph_[write];
        if (e.kind != EventKind::Write || !is_last(write)) {
            return false;
        }
        for (EventId r = e.first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (graph_[r].is_read() && included(r) && !is_last(r) && (taker == kNoEvent || graph_[taker].update_read != r)) {
                return false;
            }
        }
        if (e.update_read == kNoEvent) {
            return true;
        }
        taker = write;
        write = graph_[e.update_read].source;
    }
}

bool RfModel::has_seq_cst(EventTest included) const {
    std::size_t found = 0;
    for (const EventId e : graph_.order()) {
        found += graph_[e].is_seq_cst() && included(e) ? 1 : 0;
        if (found >= 2) {
            return true;
        }
    }
    return false;
}

bool RfModel::is_local_part(EventTest included) const {
    return !axioms_.coherence_orders && (!axioms_.orders_seq_cst || seq_cst_ < 2 || !has_seq_cst(included));
}

/// If each write has the one before it in its prefix, a part has all that come before one of its writes, and its last is the only one that can be.
/// Where happens-before alone decides, that is so too as long as each was forced to come last: what forces it is in its prefix. Under the other models a write may be
/// forced by what is not in the part: then the graph's order says nothing about the part.
bool RfModel::graph_decides(LocationId location, bool local) const {
    return tracks_coherence(location) || is_chain(location) || (local && !is_open(location));
}

bool RfModel::is_latest(EventId write, EventTest included) {
    const LocationId location = graph_[write].location;
    if (graph_decides(location, false) || (!is_open(location) && (is_free(location) || is_local_part(included)))) {
        const auto& co = graph_.location(location).coherence;
        return std::none_of(co.begin() + graph_[write].rank + 1, co.end(), included);
    }
    if (!foresees_latest_) {
        return !(tries_the_graph_ && has_later(write, included)) && latest(location, included) == write;
    }
    if (const EventId taker = graph_.taker(write); taker != kNoEvent && included(taker)) {
        return false;
    }
    const auto& co = graph_.location(location).coherence;
    bool is_last = true;                              // by name
    for (std::size_t k = co.size() - 1; k > 0; --k) { // what came last mostly is
        const EventId w = co[k];
        if (w == write || !included(w)) {
            continue;
        }
        if (tries_the_graph_ && is_later(w, write)) {
            return false;
        }
        if (name(w) > name(write)) {
            if (ends(w, included)) {
                return false;
            }
            is_last = is_last && has_later(w, included);
        }
    }
    return (is_last && ends(write, included)) || latest(location, included) == write;
}

EventId RfModel::latest_in_witness(LocationId location, EventTest included) {
    if (!has_witness()) {
        return kNoEvent;
    }
    return witness_ ? witness_->latest(location, included) : MemoryModel::latest(location, included);
}

/// One rule: the last by name of those that can be the latest of the part.
EventId RfModel::latest(LocationId location, EventTest included) {
    if (graph_decides(location, false)) {
        return MemoryModel::latest(location, included);
    }
    const bool local = is_free(location) || is_local_part(included);
    if (graph_decides(location, local)) {
        return MemoryModel::latest(location, included);
    }
    if (local) {
        return by_force_.latest(location, included);
    }
    // The one that is the latest in the coherence that is kept can be, and one of them must. (Init is the first by name.)
    candidates_.clear();
    std::ranges::copy_if(graph_.location(location).coherence, std::back_inserter(candidates_),
                         [&](EventId w) { return included(w) && !(tries_the_graph_ && has_later(w, included)); });
    std::ranges::sort(candidates_, {}, [&](EventId w) { return name(w); });
    const EventId known = candidates_.size() > 1 ? latest_in_witness(location, included) : kNoEvent;
    const auto can = [&](EventId w) {
        return w == known || (foresees_latest_ && ends(w, included)) || can_be_latest(w, included);
    };
    while (candidates_.size() > 1 && !can(candidates_.back())) {
        candidates_.pop_back();
    }
    return candidates_.back();
}

bool RfModel::can_be_latest(EventId write, EventTest included) {
    if (psc_ && can_move_last(write, included)) {
        return true;
    }
    if (asks_psc_first()) {
        return psc_->exists(included, write);
    }
    if (part_) {
        const bool can = part_->can_be_latest(write, included);
        const bool asked = psc_ && weak_ > 0; // by asks_psc_first: nothing else races
        if (can || axioms_.coherence_orders || asked || only_seq_cst_races()) {
            return can;
        }
    }
    if (psc_) {
        return psc_->exists(included, write);
    }
    const Execution x = plain(included);
    return find_coherence({.x = x, .axioms = axioms_, .is_given = is_tracked_, .latest = positions_[write.index]}).has_value();
}

/// Nothing comes after the read, so it can only put what comes before it in its thread before the writes that come after its source. Where happens-before alone decides, that
/// concerns its own location only, and there is nothing to put if none of its writes is known. Otherwise there is nothing to put
/// if no access comes before the read in any way: what does (the start of threads, fences) comes after nothing else, so no cycle goes through it.
/// (And the source comes before what comes after it anyway.)
bool RfModel::orders_nothing(const GraphEvent& read) {
    if (!foresees_latest_) {
        return false;
    }
    const EventId previous = po_previous(read);
    if (previous != kNoEvent && facts_[previous.index].quiet) {
        return true;
    }
    return is_local(read.location) && !(axioms_.orders_seq_cst && read.is_seq_cst()) && !tracks_coherence(read.location) &&
           (is_decided(read.location) || model_->floor(read) == 0);
}

} // namespace heddle
