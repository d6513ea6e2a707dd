#include "model/saturated_order.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle {
void SaturatedOrder::include(EventId e) {
    order_.add(e);
    if (consistent_ + 1 == entries_.size() && settle_newest()) {
        ++consistent_;
    }
}

void SaturatedOrder::take_back(const Entry& entry) {
    order_.undo(entry.event);
    consistent_ = std::min(consistent_, entries_.size() - 1);
}

// --- what follows --------------------------------------------------------------------------------------------------------------------------

bool SaturatedOrder::put(EventId a, EventId b) {
    if (order_.at_or_before(b, a)) {
        return false;
    }
    if (!order_.at_or_before(a, b)) {
        order_.put_before(a, b, entries_.back().event);
    }
    return true;
}

/// A write that comes before a read of another comes before that other.
bool SaturatedOrder::settle_read(EventId read) {
    const GraphEvent& e = graph_[read];
    const auto& co = graph_.location(e.location).coherence;
    const bool initial = graph_[e.source].kind == EventKind::Init;
    for (std::size_t k = 1; k < co.size(); ++k) {
        const EventId w = co[k];
        if (w == e.source || !is_included(w)) {
            continue;
        }
        // Each location by itself is in order, whatever a buffer holds back.
        const bool own = graph_[w].thread == e.thread && graph_[w].index < e.index;
        if ((own || order_.at_or_before(w, read)) && (initial || !put(w, e.source))) {
            return false;
        }
    }
    return true;
}

bool SaturatedOrder::put_before_later(EventId e, EventId source) {
    const auto& co = graph_.location(graph_[e].location).coherence;
    return std::all_of(co.begin() + 1, co.end(), [&](EventId w) {
        return w == source || w == e || !is_included(w) || !order_.at_or_before(source, w) || put(e, w);
    });
}

/// The reads of a write that comes before another, and the update of it, come before that other. What comes before an update and is not its source comes before its source.
bool SaturatedOrder::settle_write(EventId write) {
    const EventId read = graph_[write].update_read;
    const EventId updated = read == kNoEvent ? kNoEvent : graph_[read].source;
    const auto& co = graph_.location(graph_[write].location).coherence;
    for (std::size_t k = 0; k < co.size(); ++k) {
        const EventId w = co[k];
        if (w == write || (k > 0 && !is_included(w)) || !order_.at_or_before(w, write)) {
            continue;
        }
        if (k > 0 && updated != kNoEvent && w != updated && (graph_[updated].kind == EventKind::Init || !put(w, updated))) {
            return false;
        }
        bool good = true;
        for_each_read_of(w, [&](EventId r) {
            const EventId update = graph_[r].update ? graph_.write_of_update(r) : kNoEvent;
            const bool updates = update != kNoEvent && update != write && is_included(update);
            good = good && put(updates ? update : r, write); // the update comes after its read
        });
        if (!good) {
            return false;
        }
    }
    return true;
}

bool SaturatedOrder::put_in_place(EventId write) {
    const auto& co = graph_.location(graph_[write].location).coherence;
    const std::uint32_t rank = graph_[write].rank;
    std::size_t k = rank;
    while (--k > 0 && !is_included(co[k])) {
    }
    if (k > 0 && !put(co[k], write)) {
        return false;
    }
    for (k = rank + 1; k < co.size() && !is_included(co[k]); ++k) {
    }
    return k == co.size() || put(write, co[k]);
}

bool SaturatedOrder::settle(EventId e) {
    const GraphEvent& event = graph_[e];
    return event.is_read() ? settle_read(e) : event.kind != EventKind::Write || settle_write(e);
}

bool SaturatedOrder::settle_changes(std::uint32_t settled) {
    const EventId newest = entries_.back().event;
    for (; settled < order_.changes(newest); ++settled) {
        if (!settle(order_.changed(newest, settled))) {
            return false;
        }
    }
    return true;
}

bool SaturatedOrder::settle_newest() {
    const EventId e = entries_.back().event;
    const GraphEvent& event = graph_[e];
    if (event.kind == EventKind::Write && is_given_(event.location) && !put_in_place(e)) {
        return false;
    }
    const EventId read = event.is_read() ? e : event.update_read;
    return settle(e) && (read == kNoEvent || put_before_later(e, graph_[read].source)) && settle_changes(0);
}

// --- what is open --------------------------------------------------------------------------------------------------------------------------

std::optional<SaturatedOrder::Pair> SaturatedOrder::open_pair(LocationId l) const {
    const auto& co = graph_.location(l).coherence;
    for (std::size_t i = 1; i < co.size(); ++i) {
        for (std::size_t j = i + 1; j < co.size() && is_included(co[i]); ++j) {
            if (!is_included(co[j]) || order_.at_or_before(co[i], co[j]) || order_.at_or_before(co[j], co[i])) {
                continue;
            }
            return places_[co[j]] < places_[co[i]] ? Pair(co[j], co[i]) : Pair(co[i], co[j]);
        }
    }
    return std::nullopt;
}

bool SaturatedOrder::try_open_pairs(std::uint32_t first) {
    const EventId newest = entries_.back().event;
    for (; first < graph_.locations(); ++first) {
        const auto pair = open_pair(LocationId(first));
        if (!pair) {
            continue;
        }
        const std::uint32_t changes = order_.changes(newest);
        if (put(pair->first, pair->second) && settle_changes(changes) && try_open_pairs(first)) {
            return true;
        }
        order_.undo(newest, changes);
        return put(pair->second, pair->first) && settle_changes(changes) && try_open_pairs(first);
    }
    return true;
}

void SaturatedOrder::remember() {
    // Of two writes in order the later has more before it.
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        const auto& co = graph_.location(LocationId(l)).coherence;
        for (std::size_t k = 1; k < co.size() && co.size() > 2; ++k) {
            const ConstClock row = order_.row(co[k]);
            places_.set(co[k], std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
        }
    }
}

bool SaturatedOrder::has_coherence(GlobalWitness* witness) {
    follow();
    if (consistent_ < entries_.size()) {
        return false;
    }
    HEDDLE_CHECK(!entries_.empty(), "a question about no event");
    const EventId newest = entries_.back().event;
    const std::uint32_t changes = order_.changes(newest);
    const bool found = try_open_pairs(0);
    if (found) {
        remember();
        if (witness) {
            witness->start(order_);
        }
    }
    order_.undo(newest, changes);
    return found;
}

bool SaturatedOrder::can_be_latest(EventId write, EventTest included) {
    follow_part(included);
    if (consistent_ < entries_.size()) {
        return false; // what is consistent under rc11 need not be under sc
    }
    const EventId newest = entries_.back().event;
    const std::uint32_t changes = order_.changes(newest);
    const auto is_before = [&](EventId w) { return w == write || !is_included(w) || put(w, write); };
    const auto& co = graph_.location(graph_[write].location).coherence;
    const bool found = std::all_of(co.begin() + 1, co.end(), is_before) && settle_changes(changes) && try_open_pairs(0);
    order_.undo(newest, changes);
    return found;
}

} // namespace heddle
