// RfModel: what reads that are not there yet may read, where coherence is open.
#include "model/rf_model.hpp"

#include <algorithm>
#include <iterator>

namespace heddle {

const std::vector<EventId>& RfModel::known_to(const GraphEvent& read) {
    if (const Asked now = asked_now(read); known_at_ != now) {
        known_at_ = now;
        known_.clear();
        const auto& co = graph_.location(read.location).coherence;
        const EventId previous = po_previous(read);
        const ConstClock sure = sure_ ? sure_->before(read) : ConstClock();
        std::copy_if(co.begin() + 1, co.end(), std::back_inserter(known_),
                     [&](EventId w) { return is_surely_known(w, previous) || (sure_ && sure_->is_in(sure, w)); });
    }
    return known_;
}

bool RfModel::is_readable(const GraphEvent& read, EventId source) {
    if (facts_[po_previous(read).index].quiet) {
        return true; // its thread knows no write
    }
    find_readable(read);
    return readable_[graph_[source].rank] != 0;
}

void RfModel::find_readable(const GraphEvent& read) {
    if (const Asked now = asked_now(read); readable_at_ != now) {
        readable_at_ = now;
        readable_ = by_force_.readable(read.location, model_->known(po_previous(read)));
    }
}

MemoryModel::Readable RfModel::readable(const GraphEvent& read) {
    if (is_decided(read.location)) {
        return {};
    }
    const bool certain = foresees(read);
    if (!certain && (!foresees_in_part(read) || is_local())) {
        return {};
    }
    if (facts_[po_previous(read).index].quiet) {
        readable_at_ = {};
        readable_.assign(graph_.location(read.location).coherence.size(), 1);
    } else {
        find_readable(read);
    }
    return {.by_rank = readable_, .is_certain = certain};
}

bool RfModel::is_overwritten(const GraphEvent& read, EventId source) {
    const bool initial = graph_[source].kind == EventKind::Init;
    const bool first = foresees_latest_ && is_of_init(source);
    return std::ranges::any_of(known_to(read), [&](EventId w) {
        return w != source && (initial || (first && !is_of_init(w)) || comes_surely_before(source, w));
    });
}

/// What orders nothing breaks nothing. Otherwise the graph's coherence, as long as it has been one, says yes. (Not that of another level: which coherence was found depends on
/// what was explored before.)
std::optional<bool> RfModel::foretells(const GraphEvent& read) {
    if (admits_all(read)) {
        return true;
    }
    if (foresees(read)) {
        return is_readable(read, read.source);
    }
    if (orders_nothing(read)) {
        return true;
    }
    const bool follows_graph = levels_.size() == 1 && has_witness() && tries_the_graph_ && strays_at(read.location) == 0;
    const bool is_open_only = is_local(read.location) && !read.is_seq_cst();
    if (follows_graph && (is_open_only || model_->admits_all(read)) && graph_[read.source].rank >= model_->floor(read)) {
        return true;
    }
    if (!foresees_by_psc(read)) {
        return std::nullopt;
    }
    if (const Asked now = asked_now(read); readable_by_psc_at_ != now) {
        readable_by_psc_at_ = now;
        const ConstClock known = model_->known(po_previous(read));
        readable_by_psc_ = by_force_.readable(read.location, known);
        restrict_by_psc(read.location, known, readable_by_psc_);
    }
    return readable_by_psc_[graph_[read.source].rank] != 0;
}

bool RfModel::foresee_sources(const GraphEvent& read, ConstClock known, std::span<const EventId> way,
                              std::vector<EventId>& sources) {
    if (!foresees_reads(read)) {
        return false;
    }
    const auto& co = graph_.location(read.location).coherence;
    if (is_decided(read.location)) {
        std::uint32_t floor = model_->foreseen_floor(read.location, known);
        for (const EventId w : way) {
            floor = graph_[w].location == read.location ? std::max(floor, graph_[w].rank) : floor;
        }
        sources.insert(sources.end(), co.begin() + floor, co.end());
        return model_->foresees_floors() && model_->admits_all(read);
    }
    // A read of the same location on the way has put what was known before its source; and what is put before a source can matter to psc.
    const bool local = foresees(read);
    const auto is_apart = [&](EventId w) {
        return graph_[w].location != read.location && (local || is_free(graph_[w].location));
    };
    if ((!local && !foresees_by_psc(read)) || !std::ranges::all_of(way, is_apart)) {
        return false;
    }
    std::vector<std::uint8_t>& readable = by_force_.readable(read.location, known);
    if (!local) {
        restrict_by_psc(read.location, known, readable);
    }
    std::ranges::copy_if(co, std::back_inserter(sources), [&](EventId w) { return readable[graph_[w].rank] != 0; });
    return true;
}

} // namespace heddle
