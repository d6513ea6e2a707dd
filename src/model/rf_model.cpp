#include "model/rf_model.hpp"

#include <algorithm>
#include <iterator>

namespace heddle {
namespace {

bool is_weak(const GraphEvent& e) { return e.is_access() && e.order != Order::NonAtomic && e.order != Order::SeqCst; }

} // namespace

RfModel::RfModel(const ExecutionGraph& graph, const Axioms& axioms, std::unique_ptr<MemoryModel> model,
                 std::function<bool(Address)> is_tracked, const Ways& ways)
    : MemoryModel(graph, {.opens_coherence = true}), axioms_(axioms), model_(std::move(model)),
      is_tracked_(std::move(is_tracked)), asks_the_model_(ways.ask_the_model), uses_blocks_(ways.use_blocks),
      tries_the_graph_(ways.try_the_graph), foresees_reads_(ways.foresee_reads), foresees_latest_(ways.foresee_latest),
      buffer_(ways.saturate.value_or(Buffer::None)), moves_writes_(ways.move_writes && ways.search_psc),
      keeps_witness_(ways.keep_witness), by_force_(graph, *model_) {
    model_->leave_prefixes_to(*this);
    find_is_local();
    const auto is_given = [this](LocationId l) { return tracks_coherence(l); };
    if (ways.saturate && ways.search_psc && axioms.orders_seq_cst) {
        psc_ = std::make_unique<PscCoherence>(graph, *model_->happens_before(), births_, places_, is_given);
        order_ = std::make_unique<PscOrder>(graph, psc_->events());
    }
    if (ways.saturate && (axioms.coherence_orders || axioms.orders_seq_cst)) {
        saturated_ = std::make_unique<SaturatedOrder>(graph, births_, places_, buffer_, is_given, names_);
        part_ = std::make_unique<SaturatedOrder>(graph, births_, places_, buffer_, is_given);
        if (buffer_ == Buffer::PerLocation) {
            sure_ = std::make_unique<GlobalOrder>(graph, buffer_, nullptr, names_);
        }
    }
}

template <class Witness, class... Args>
Witness& RfModel::next_witness(std::vector<std::unique_ptr<Witness>>& witnesses, Args&&... args) {
    witnesses.resize(std::max(witnesses.size(), levels_.size()));
    auto& witness = witnesses[levels_.size() - 1];
    if (!witness) {
        const auto is_given = [this](LocationId l) { return tracks_coherence(l); };
        witness = std::make_unique<Witness>(graph_, is_given, std::forward<Args>(args)...);
    }
    return *witness;
}

Rc11Witness& RfModel::next_rc11_witness() { return next_witness(rc11_witnesses_, *model_->happens_before(), seq_cst_fences_); }

void RfModel::push_level(EventId because, CoherenceWitness& witness) {
    levels_.push_back({.because = because, .witness = &witness});
    witness_ = &witness;
}

void RfModel::pop_level() {
    levels_.pop_back();
    witness_ = levels_.back().witness;
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
    if (sure_) {
        return sure_->floor(e);
    }
    const auto& co = graph_.location(e.location).coherence;
    const EventId previous = po_previous(e);
    auto rank = static_cast<std::uint32_t>(previous == kNoEvent ? 0 : co.size() - 1);
    while (rank > 0 && !is_surely_known(co[rank], previous)) {
        --rank;
    }
    return rank;
}

Execution RfModel::plain(EventTest included) {
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
        // Where it is not given, what is open is tried in this order first.
        for (std::size_t rank = 1; rank < location.coherence.size(); ++rank) {
            if (included(location.coherence[rank])) {
                x.coherence[location.address].push_back(positions_[location.coherence[rank].index]);
            }
        }
    }
    return x;
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
    if (e.is_read()) { // a thread that knows no write may read any
        return facts_[po_previous(e).index].quiet || graph_[e.source].rank >= model_->floor(e);
    }
    if (e.update) {
        return e.rank == graph_[graph_[e.update_read].source].rank + 1;
    }
    // (A model whose order contains coherence has no row of the write yet, and its floor would be the write itself at least.)
    return e.rank + 1 == graph_.location(e.location).coherence.size() || (!axioms_.coherence_orders && e.rank > model_->floor(e));
}

bool RfModel::is_kept(EventId e, bool is_asked) {
    const GraphEvent& event = graph_[e];
    Facts& facts = facts_[e.index];
    facts.strays = false;
    const Level& level = levels_.back();
    if (!is_asked && !witness_ && level.lost == 0 && level.strays == 0) {
        return true;
    }
    const bool fits_graph = is_asked && !witness_ && level.lost == 0 && tries_the_graph_ && fits(event);
    if (fits_graph && level.strays == 0) {
        return true; // mostly
    }
    const bool writes_seq_cst = event.kind == EventKind::Write && event.is_seq_cst();
    const bool is_drawn_in = event.is_seq_cst() && level.strays > 0 &&
                             (event.kind == EventKind::Fence || (writes_seq_cst && strays_at(event.location) > 0));
    if (level.lost > 0 || is_drawn_in) {
        return false;
    }
    const bool free = event.is_access() && !writes_seq_cst && is_free(event.location);
    bool fits_level = !free || strays_at(event.location) == 0;
    if (witness_) {
        fits_level = fits_level && (event.kind == EventKind::Wait || witness_->add(e));
    } else if (is_asked) {
        fits_level = fits_level && fits_graph;
    }
    facts.strays = free && !fits_level;
    return free || fits_level;
}

void RfModel::count_at(std::vector<std::uint32_t>& at, LocationId l, std::uint32_t change) {
    if (at.size() <= l.index) {
        at.resize(graph_.locations());
    }
    at[l.index] += change;
}

void RfModel::count_seq_cst(const GraphEvent& event, std::size_t change) {
    seq_cst_ += change;
    seq_cst_fences_ += event.kind == EventKind::Fence ? change : 0;
    if (event.kind == EventKind::Write) {
        count_at(seq_cst_writes_at_, event.location, static_cast<std::uint32_t>(change));
    }
    find_is_local();
}

void RfModel::on_added(EventId e) {
    const GraphEvent& event = graph_[e];
    ++moment_;
    if (facts_.size() < graph_.slots()) {
        facts_.resize(graph_.slots() * 2);
    }
    if (saturated_) {
        births_.added(e, graph_.slots());
        places_.added(e, graph_.slots());
    }
    if (sure_ && event.kind != EventKind::Wait) {
        sure_->add(e);
    }
    Facts& facts = facts_[e.index];
    const bool writes = event.kind == EventKind::Write;
    facts.opens = writes && !forced_;
    const auto has = [&](EventId other, bool Facts::* fact) { return other == kNoEvent || facts_[other.index].*fact; };
    facts.quiet = !event.is_access() && event.kind != EventKind::Wait && has(po_previous(event), &Facts::quiet) &&
                  has(event.source, &Facts::quiet);
    facts.of_init = event.update_read != kNoEvent && is_of_init(graph_[event.update_read].source);
    // Else there is but one coherence.
    const bool is_asked = event.is_access() && (open_ > 0 || facts.opens || !asks_the_model_);
    bool kept = is_kept(e, is_asked);
    facts.told = !axioms_.coherence_orders || open_ == 0 ||
                 (!witness_ && kept); // while there is but one coherence it is asked about forced writes
    if (facts.told) {
        model_->added(e);
        if (kept && is_asked && !witness_ && !is_local()) {
            kept = model_->admits(e);
        }
    }
    if (event.is_seq_cst()) {
        count_seq_cst(event, 1);
    }
    weak_ += is_weak(event) ? 1 : 0;
    facts.loses = !kept;
    facts.strays = facts.strays && kept;
    note_surely_admitted(is_asked && kept && !facts.strays ? e : kNoEvent);
    levels_.back().lost += kept ? 0 : 1;
    facts.loose = writes && is_loose(event, e);
    const auto count = [&](std::vector<std::uint32_t>& at) { count_at(at, event.location, 1); };
    if (facts.strays) {
        ++levels_.back().strays;
        count(levels_.back().strays_at);
    }
    if (facts.opens) {
        ++open_;
        count(open_at_);
    }
    if (facts.loose) {
        ++loose_;
        count(loose_at_);
    }
    if (facts.opens || facts.loose) {
        note_loose(event.location);
    }
}

bool RfModel::is_loose(const GraphEvent& write, EventId e) const {
    if (write.rank < 2) {
        return false;
    }
    const EventId earlier = graph_.location(write.location).coherence[write.rank - 1];
    return (write.update_read == kNoEvent || graph_[write.update_read].source != earlier) && !comes_surely_before(earlier, e);
}

void RfModel::on_removed(EventId e) {
    const GraphEvent& event = graph_[e];
    const Facts facts = facts_[e.index];
    ++moment_;
    if (event.is_seq_cst()) {
        count_seq_cst(event, ~std::size_t{0});
    }
    if (facts.opens) {
        --open_;
        --open_at_[event.location.index];
    }
    if (facts.loose) {
        --loose_;
        --loose_at_[event.location.index];
    }
    if (levels_.back().because == e) {
        pop_level();
    }
    weak_ -= is_weak(event) ? 1 : 0;
    if (facts.loses) {
        --levels_.back().lost;
    } else if (facts.strays) {
        --levels_.back().strays;
        --levels_.back().strays_at[event.location.index];
    } else if (witness_ && event.kind != EventKind::Wait) {
        witness_->remove(e);
    }
    if (saturated_) {
        saturated_->removed(e);
    }
    if (facts.told) {
        model_->removed(e);
    }
}

bool RfModel::only_seq_cst_races() {
    HappensBefore& hb = *model_->happens_before(); // rc11 has one
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

bool RfModel::psc_says(EventId e) {
    const bool consistent = psc_->exists([](EventId) { return true; });
    if (consistent) {
        psc_->remember();
    }
    if (consistent && keeps_witness_) {
        Rc11Witness& next = next_rc11_witness();
        next.start(*psc_);
        push_level(e, next);
    }
    return consistent;
}

std::optional<bool> RfModel::saturated_says(EventId e) {
    if (asks_psc_first()) {
        return moving_says(e) || psc_says(e);
    }
    if (!saturated_) {
        return std::nullopt;
    }
    GlobalWitness* const next = keeps_witness_ ? &next_witness(global_witnesses_, buffer_, names_) : nullptr;
    const bool consistent = saturated_->has_coherence(next);
    if (consistent && next) {
        push_level(e, *next);
    }
    // Under rc11: where accesses that race are seq_cst, a cycle of sc is one of psc. What it has at other locations is happens-before; that leads from one seq_cst access
    // to another by program order, at one location, or through other locations: all of them are scb.
    const bool asked = psc_ && weak_ > 0; // by asks_psc_first: nothing else races
    if (axioms_.coherence_orders || consistent || asked || only_seq_cst_races()) {
        return consistent;
    }
    return psc_ ? std::optional(psc_says(e)) : std::nullopt;
}

bool RfModel::admits(EventId e) {
    const GraphEvent& event = graph_[e];
    if ((open_ == 0 && asks_the_model_) || !event.is_access()) {
        return model_->admits(e);
    }
    if (!facts_[e.index].loses && !facts_[e.index].strays) { // see surely_admits
        return true;
    }
    const bool was_foreseen =
        event.is_read() && readable_at_ == Asked{moment_ - 1, graph_.revision(), event.location, event.thread};
    if (is_local(event.location)) {
        // Elsewhere the floor has said all. (With one seq_cst event psc follows from coherence; the model must not be asked about psc, since it would take the
        // graph's order of the open location for its coherence.)
        if (is_decided(event.location) || !event.is_read()) {
            return true;
        }
        return was_foreseen ? readable_[graph_[event.source].rank] != 0 : uses_blocks_ ? by_force_.admits(e) : axioms_allow();
    }
    if (was_foreseen) {
        if (readable_[graph_[event.source].rank] == 0) {
            return false;
        }
    } else if (event.is_read() && tries_the_graph_ && is_overwritten(event, event.source)) {
        return false;
    }
    // A plain write can always be the latest, if its place is not given.
    if (event.kind == EventKind::Write && !event.update && !tracks_coherence(event.location)) {
        return true;
    }
    // What happens-before forces must be possible in any case.
    if (event.is_read() && uses_blocks_ && !axioms_.coherence_orders && !was_foreseen && !by_force_.admits(e)) {
        return false;
    }
    if (const auto says = saturated_says(e)) {
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

} // namespace heddle
