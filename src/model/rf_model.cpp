#include "model/rf_model.hpp"

#include <algorithm>
#include <iterator>

namespace heddle {

RfModel::RfModel(const ExecutionGraph& graph, const Axioms& axioms, std::unique_ptr<MemoryModel> model,
                 std::function<bool(Address)> is_tracked, const Ways& ways)
    : MemoryModel(graph), axioms_(axioms), model_(std::move(model)), is_tracked_(std::move(is_tracked)), own_hb_(graph),
      asks_the_model_(ways.ask_the_model), uses_blocks_(ways.use_blocks), tries_the_graph_(ways.try_the_graph),
      by_force_(graph, *model_) {
    if (ways.saturate && (axioms.coherence_orders || axioms.orders_seq_cst)) {
        const auto is_given = [this](LocationId l) { return tracks_coherence(l); };
        if (ways.keep_witness) {
            witness_ = std::make_unique<CoherenceWitness>(graph, births_, places_, *ways.saturate, is_given);
        }
        saturated_ = std::make_unique<SaturatedOrder>(graph, births_, places_, *ways.saturate, is_given);
        part_ = std::make_unique<SaturatedOrder>(graph, births_, places_, *ways.saturate, is_given);
    }
}

std::uint32_t RfModel::floor(const GraphEvent& e) {
    if (is_decided(e.location)) {
        return model_->floor(e);
    }
    if (!tracks_coherence(e.location)) {
        return 0;
    }
    // Its own order is that of the graph; those of others must not count.
    if (!axioms_.coherence_orders) {
        return model_->floor(e);
    }
    const auto& co = graph_.location(e.location).coherence;
    const EventId previous = po_previous(e);
    auto rank = static_cast<std::uint32_t>(previous == kNoEvent ? 0 : co.size() - 1);
    while (rank > 0 && !comes_surely_before(co[rank], previous)) {
        --rank;
    }
    return rank;
}

Execution RfModel::plain(const std::function<bool(EventId)>& included) {
    Execution x;
    ids_.clear();
    positions_.assign(graph_.slots(), 0);
    const auto add = [&](EventId e, const Event& event) {
        positions_[e.index] = x.events.size();
        ids_.push_back(e);
        x.events.push_back(event);
    };
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        const Location& location = graph_.location(LocationId(l));
        add(location.init, {.kind = EventKind::Init, .location = location.address});
        x.coherence[location.address].push_back(positions_[location.init.index]);
    }
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        for (const EventId id : graph_.thread(ThreadId(t))) {
            if (!included(id)) {
                break; // the rest of the thread is not either
            }
            const GraphEvent& e = graph_[id];
            Event event{
                .kind = e.kind, .order = e.order, .fence = e.fence, .update = e.update, .thread = e.thread, .index = e.index};
            event.other = e.other;
            event.location = e.is_access() ? graph_.location(e.location).address : 0;
            add(id, event);
            if (e.kind == EventKind::Write && !tracks_coherence(e.location)) {
                x.coherence[event.location].push_back(positions_[id.index]);
            }
        }
    }
    for (std::size_t k = 0; k < ids_.size(); ++k) {
        const GraphEvent& e = graph_[ids_[k]];
        if (e.is_read()) {
            x.events[k].source = positions_[e.source.index];
        }
        if (e.update_read != kNoEvent) {
            x.events[k].update_read = positions_[e.update_read.index];
        }
    }
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        const Location& location = graph_.location(LocationId(l));
        for (std::size_t rank = 1; rank < location.coherence.size() && tracks_coherence(LocationId(l)); ++rank) {
            if (included(location.coherence[rank])) {
                x.coherence[location.address].push_back(positions_[location.coherence[rank].index]);
            }
        }
    }
    return x;
}

bool RfModel::tracks_coherence(LocationId l) const {
    if (l.index >= tracked_.size()) {
        tracked_.resize(graph_.locations());
    }
    std::uint8_t& known = tracked_[l.index];
    if (known == 0) {
        known = is_tracked_(graph_.location(l).address) ? 2 : 1;
    }
    return known == 2;
}

void RfModel::placing(const GraphEvent& write) {
    if (is_open(write.location) || tracks_coherence(write.location)) {
        forced_ = true;
        return;
    }
    // An update comes last if it updates the last; one that does not goes before what is there, which a cut of it would have to take back.
    const auto& co = graph_.location(write.location).coherence;
    forced_ = write.update ? graph_[write.update_read].source == co.back() : model_->floor(write) + 1 == co.size();
}

bool RfModel::fits(const GraphEvent& e) {
    if (lost_ > 0) {
        return false;
    }
    if (e.is_read()) {
        return graph_[e.source].rank >= model_->floor(e);
    }
    if (e.update) {
        return e.rank == graph_[graph_[e.update_read].source].rank + 1;
    }
    return e.rank + 1 == graph_.location(e.location).coherence.size() || e.rank > model_->floor(e);
}

bool RfModel::is_overwritten(const GraphEvent& read) {
    const auto& co = graph_.location(read.location).coherence;
    const EventId previous = po_previous(read);
    const bool initial = graph_[read.source].kind == EventKind::Init;
    return std::any_of(co.begin() + 1, co.end(), [&](EventId w) {
        return w != read.source && comes_surely_before(w, previous) && (initial || comes_surely_before(read.source, w));
    });
}

void RfModel::on_added(EventId e) {
    const GraphEvent& event = graph_[e];
    if (opens_.size() < graph_.slots()) {
        opens_.resize(graph_.slots() * 2);
        loses_.resize(graph_.slots() * 2);
        told_.resize(graph_.slots() * 2);
    }
    if (saturated_) {
        births_.added(e, graph_.slots());
        places_.added(e, graph_.slots());
    }
    const bool opens = event.kind == EventKind::Write && !forced_;
    told_[e.index] = open_ == 0 || !saturated_ || !axioms_.coherence_orders;
    const bool may_lose = tries_the_graph_ && told_[e.index] && event.is_access() && (open_ > 0 || opens || !asks_the_model_);
    bool kept = !may_lose || fits(event);
    if (told_[e.index]) {
        model_->added(e);
    }
    if (kept && may_lose && !is_local()) {
        kept = model_->admits(e);
    }
    if (!model_->happens_before()) {
        own_hb_.added(e);
    }
    seq_cst_ += event.is_seq_cst() ? 1 : 0;
    loses_[e.index] = !kept;
    lost_ += kept ? 0 : 1;
    opens_[e.index] = opens;
    if (opens) {
        ++open_;
        if (open_at_.size() <= event.location.index) {
            open_at_.resize(graph_.locations());
        }
        ++open_at_[event.location.index];
    }
}

void RfModel::on_removed(EventId e) {
    const GraphEvent& event = graph_[e];
    seq_cst_ -= event.is_seq_cst() ? 1 : 0;
    lost_ -= loses_[e.index] ? 1 : 0;
    if (opens_[e.index]) {
        --open_;
        --open_at_[event.location.index];
    }
    if (saturated_) {
        if (witness_) {
            witness_->removed(e);
        }
        saturated_->removed(e);
    }
    if (told_[e.index]) {
        model_->removed(e);
    }
}

bool RfModel::only_seq_cst_races() {
    HappensBefore& hb = *happens_before();
    const auto is_ordered = [&](EventId a, EventId b) { return hb.at_or_before(a, b) || hb.at_or_before(b, a); };
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        const auto& co = graph_.location(LocationId(l)).coherence;
        bool all_seq_cst = true;
        bool all_ordered = true;
        const auto look_at = [&](EventId e) {
            all_seq_cst = all_seq_cst && graph_[e].is_seq_cst();
            for (std::size_t k = 1; k < co.size(); ++k) {
                all_ordered = all_ordered && is_ordered(e, co[k]);
            }
        };
        for (std::size_t k = 0; k < co.size() && (all_seq_cst || all_ordered); ++k) {
            if (k > 0) {
                look_at(co[k]);
            }
            graph_.for_each_reader(co[k], [&](EventId r) {
                if (graph_[r].is_read()) {
                    look_at(r);
                }
            });
        }
        if (!all_seq_cst && !all_ordered) {
            return false;
        }
    }
    return true;
}

std::optional<bool> RfModel::saturated_says() {
    if (!saturated_) {
        return std::nullopt;
    }
    if (witness_ && witness_->holds()) {
        return true;
    }
    const bool consistent = saturated_->has_coherence();
    if (consistent && witness_) {
        witness_->renew();
    }
    // Under rc11: where accesses that race are seq_cst, a cycle of sc is one of psc. What it has at other locations is happens-before; that leads from one seq_cst access
    // to another by program order, at one location, or through other locations: all of them are scb.
    if (axioms_.coherence_orders || consistent || only_seq_cst_races()) {
        return consistent;
    }
    return std::nullopt;
}

bool RfModel::has_seq_cst(const std::function<bool(EventId)>& included) const {
    std::size_t found = 0;
    for (const EventId e : graph_.order()) {
        found += graph_[e].is_seq_cst() && included(e) ? 1 : 0;
    }
    return found >= 2;
}

bool RfModel::admits(EventId e) {
    const GraphEvent& event = graph_[e];
    if ((open_ == 0 && asks_the_model_) || !event.is_access()) {
        return model_->admits(e);
    }
    if (tries_the_graph_ && told_[e.index] && !loses_[e.index]) {
        return true;
    }
    if (is_local()) {
        // Elsewhere the floor has said all. (With one seq_cst event psc follows from coherence; the model must not be asked about psc, since it would take the
        // graph's order of the open location for its coherence.)
        if (is_decided(event.location)) {
            return true;
        }
        return !event.is_read() || (uses_blocks_ ? by_force_.admits(e) : axioms_allow());
    }
    if (event.is_read() && tries_the_graph_ && is_overwritten(event)) {
        return false;
    }
    // A plain write can always be the latest, if its place is not given.
    if (event.kind == EventKind::Write && !event.update && !tracks_coherence(event.location)) {
        return true;
    }
    if (const auto says = saturated_says()) {
        return *says;
    }
    return axioms_allow();
}

bool RfModel::axioms_allow() {
    const Execution x = plain([](EventId) { return true; });
    return find_coherence({.x = x, .axioms = axioms_, .is_given = is_tracked_}).has_value();
}

bool RfModel::before(EventId a, EventId b) {
    if (open_ == 0 || !axioms_.coherence_orders) {
        return model_->before(a, b);
    }
    const Execution x = plain([](EventId) { return true; });
    // Certain only if no coherence allows the opposite.
    return !find_coherence(
        {.x = x, .axioms = axioms_, .is_given = is_tracked_, .also = std::pair(positions_[b.index], positions_[a.index])});
}

bool RfModel::has_later(EventId write, const std::function<bool(EventId)>& included) const {
    const auto& co = graph_.location(graph_[write].location).coherence;
    const bool initial = graph_[write].kind == EventKind::Init;
    return std::any_of(co.begin() + 1, co.end(),
                       [&](EventId w) { return w != write && included(w) && (initial || comes_surely_before(write, w)); });
}

bool RfModel::is_latest(EventId write, const std::function<bool(EventId)>& included) {
    if (is_open(graph_[write].location) && tries_the_graph_ && has_later(write, included)) {
        return false;
    }
    return latest(graph_[write].location, included) == write;
}

EventId RfModel::latest(LocationId location, const std::function<bool(EventId)>& included) {
    if (tracks_coherence(location) || !is_open(location)) {
        return MemoryModel::latest(location, included);
    }
    if (!axioms_.coherence_orders && (!axioms_.orders_seq_cst || !has_seq_cst(included))) {
        return by_force_.latest(location, included);
    }
    // The last by name of those that can be the latest. The one that is in the coherence that is kept can, and one of them must. (Init is the first by name.)
    candidates_.clear();
    std::ranges::copy_if(graph_.location(location).coherence, std::back_inserter(candidates_),
                         [&](EventId w) { return included(w) && !(tries_the_graph_ && has_later(w, included)); });
    const auto name = [&](EventId e) { return std::pair(graph_[e].thread.index, graph_[e].index); };
    std::ranges::sort(candidates_, {}, name);
    const EventId known = witness_ && candidates_.size() > 1 ? witness_->latest(location, included) : kNoEvent;
    while (candidates_.size() > 1 && candidates_.back() != known && !can_be_latest(candidates_.back(), included)) {
        candidates_.pop_back();
    }
    return candidates_.back();
}

bool RfModel::can_be_latest(EventId write, const std::function<bool(EventId)>& included) {
    if (part_ && axioms_.coherence_orders) {
        return part_->can_be_latest(write, included);
    }
    const Execution x = plain(included);
    return find_coherence({.x = x, .axioms = axioms_, .is_given = is_tracked_, .latest = positions_[write.index]}).has_value();
}

} // namespace heddle
