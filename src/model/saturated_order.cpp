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
        const EventId newest = entries_.back().event;
        order_.put_before(a, b, newest);
        changed_ = true;
        others_changed_ = others_changed_ || b != newest;
    }
    return true;
}

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
        if (order_.at_or_before(e.source, w) && !put(read, w)) {
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

bool SaturatedOrder::settle_update(EventId update) {
    const EventId source = graph_[graph_[update].update_read].source;
    const auto& co = graph_.location(graph_[update].location).coherence;
    const bool initial = graph_[source].kind == EventKind::Init;
    for (std::size_t k = 1; k < co.size(); ++k) {
        const EventId w = co[k];
        if (w == update || w == source || !is_included(w)) {
            continue;
        }
        if (order_.at_or_before(w, update) && (initial || !put(w, source))) {
            return false;
        }
        if (order_.at_or_before(source, w) && !put(update, w)) {
            return false;
        }
    }
    return true;
}

bool SaturatedOrder::settle(LocationId l) {
    const auto& co = graph_.location(l).coherence;
    bool good = true;
    for (std::size_t j = 1; j < co.size() && good; ++j) {
        const EventId b = co[j];
        if (!is_included(b)) {
            continue;
        }
        for (std::size_t i = 0; i < co.size() && good; ++i) {
            const EventId a = co[i];
            if (i == j || (i > 0 && !is_included(a))) {
                continue;
            }
            if (order_.at_or_before(a, b)) {
                for_each_read_of(a, [&](EventId r) { good = good && put(r, b); });
            } else {
                for_each_read_of(b, [&](EventId r) { good = good && (!order_.at_or_before(a, r) || put(a, b)); });
            }
        }
        good = good && (graph_[b].update_read == kNoEvent || settle_update(b));
    }
    return good;
}

bool SaturatedOrder::settle_all() {
    do {
        changed_ = false;
        for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
            if (!settle(LocationId(l))) {
                return false;
            }
        }
    } while (changed_);
    return true;
}

bool SaturatedOrder::settle_newest() {
    const EventId e = entries_.back().event;
    const GraphEvent& event = graph_[e];
    changed_ = others_changed_ = false;
    if (event.is_read()) {
        return settle_read(e) && (!changed_ || settle_all());
    }
    if (event.kind != EventKind::Write) {
        return true;
    }
    if (is_given_(event.location) && !put_in_place(e)) {
        return false;
    }
    do {
        changed_ = false;
        if (!settle(event.location)) {
            return false;
        }
    } while (changed_ && !others_changed_); // nothing comes after it, so nothing else follows
    return !others_changed_ || settle_all();
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
        if (put(pair->first, pair->second) && settle_all() && try_open_pairs(first)) {
            return true;
        }
        order_.undo(newest, changes);
        return put(pair->second, pair->first) && settle_all() && try_open_pairs(first);
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

bool SaturatedOrder::has_coherence() {
    follow();
    if (consistent_ < entries_.size()) {
        return false;
    }
    if (entries_.empty()) {
        return true;
    }
    const EventId newest = entries_.back().event;
    const std::uint32_t changes = order_.changes(newest);
    const bool found = try_open_pairs(0);
    if (found) {
        remember();
    }
    order_.undo(newest, changes);
    return found;
}

bool SaturatedOrder::can_be_latest(EventId write, const std::function<bool(EventId)>& included) {
    follow_part(included);
    HEDDLE_CHECK(consistent_ == entries_.size(), "a part of a consistent execution is not consistent");
    const EventId newest = entries_.back().event;
    const std::uint32_t changes = order_.changes(newest);
    const auto is_before = [&](EventId w) { return w == write || !is_included(w) || put(w, write); };
    const auto& co = graph_.location(graph_[write].location).coherence;
    const bool found = std::all_of(co.begin() + 1, co.end(), is_before) && settle_all() && try_open_pairs(0);
    order_.undo(newest, changes);
    return found;
}

} // namespace heddle
