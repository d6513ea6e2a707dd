#include "model/forced_coherence.hpp"

#include "support/check.hpp"

namespace heddle {

void ForcedCoherence::learn(Block& block, EventId e) {
    const ConstClock known = model_.known(e);
    if (block.known.size() < known.size()) {
        block.known.resize(known.size());
    }
    join(block.known, known);
}

template <class F> void ForcedCoherence::learn(Block& block, F&& included) {
    block.known.clear();
    for (const EventId w : block.writes) {
        if (graph_[w].kind == EventKind::Write) {
            learn(block, w);
        }
        graph_.for_each_reader(w, [&](EventId r) {
            if (graph_[r].is_read() && included(r)) {
                learn(block, r);
            }
        });
    }
}

template <class F> void ForcedCoherence::find_blocks(LocationId location, F&& included, bool learns) {
    count_ = 0;
    for (const EventId head : graph_.location(location).coherence) {
        if (graph_[head].update_read != kNoEvent || !included(head)) {
            continue;
        }
        if (count_ == blocks_.size()) {
            blocks_.emplace_back();
        }
        Block& block = blocks_[count_++];
        block.writes.clear();
        for (EventId w = head; w != kNoEvent && included(w); w = graph_.taker(w)) {
            block.writes.push_back(w);
        }
        if (learns) {
            learn(block, included);
        }
    }
}

template <class F> bool ForcedCoherence::forced(const Block& a, const Block& b, F&& included) const {
    const ConstClock known(b.known);
    for (const EventId w : a.writes) {
        if (graph_[w].kind == EventKind::Init || model_.contains(known, w)) {
            return true;
        }
        for (EventId r = graph_[w].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (graph_[r].is_read() && model_.contains(known, r) && included(r)) {
                return true;
            }
        }
    }
    return false;
}

bool ForcedCoherence::admits(EventId read) {
    const auto all = [](EventId) { return true; };
    const EventId source = graph_[read].source;
    find_blocks(graph_[read].location, all);
    std::size_t own = 0;
    while (std::ranges::find(blocks_[own].writes, source) == blocks_[own].writes.end()) {
        ++own;
        HEDDLE_CHECK(own < count_, "a read from a write that is nowhere");
    }
    // In its own block: nothing behind the source may be known.
    const ConstClock known = model_.known(read);
    bool behind = false;
    for (const EventId w : blocks_[own].writes) {
        if (behind) {
            bool is_known = model_.contains(known, w);
            graph_.for_each_reader(
                w, [&](EventId r) { is_known = is_known || (r != read && graph_[r].is_read() && model_.contains(known, r)); });
            if (is_known) {
                return false;
            }
        }
        behind = behind || w == source;
    }
    // Elsewhere: no way from the block back to itself.
    seen_.assign(count_, false);
    path_.assign(1, own);
    while (!path_.empty()) {
        const std::size_t from = path_.back();
        path_.pop_back();
        for (std::size_t to = 0; to < count_; ++to) {
            if (to == from || seen_[to] || !forced(blocks_[from], blocks_[to], all)) {
                continue;
            }
            if (to == own) {
                return false;
            }
            seen_[to] = true;
            path_.push_back(to);
        }
    }
    return true;
}

/// As admits, for all sources at once. The blocks with something that the thread knows come before that of the source: so none of these may come after it. In its own block nothing behind the
/// source may be known. What the thread learns from the source itself says no more: that happens before the source, so it was forced to come before its block already. (Before Init's block comes nothing.)
std::vector<std::uint8_t>& ForcedCoherence::readable(LocationId location, ConstClock known) {
    const auto& co = graph_.location(location).coherence;
    readable_.assign(co.size(), true);
    const auto is_known = [&](EventId w) {
        if (model_.contains(known, w)) {
            return true;
        }
        for (EventId r = graph_[w].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (graph_[r].is_read() && model_.contains(known, r)) {
                return true;
            }
        }
        return false;
    };
    if (std::none_of(co.begin() + 1, co.end(), is_known)) {
        return readable_;
    }
    const auto all = [](EventId) { return true; };
    find_blocks(location, all, false);
    path_.clear();
    for (std::size_t b = 0; b < count_; ++b) {
        bool behind = false;
        for (std::size_t k = blocks_[b].writes.size(); k-- > 0;) {
            const EventId w = blocks_[b].writes[k];
            readable_[graph_[w].rank] = !behind;
            behind = behind || (graph_[w].kind == EventKind::Write && is_known(w));
        }
        if (behind) {
            path_.push_back(b);
        }
    }
    // Whatever comes before one of these.
    seen_.assign(count_, false);
    while (!path_.empty()) {
        const std::size_t to = path_.back();
        path_.pop_back();
        learn(blocks_[to], all);
        for (std::size_t from = 0; from < count_; ++from) {
            if (from == to || seen_[from] || !forced(blocks_[from], blocks_[to], all)) {
                continue;
            }
            seen_[from] = true;
            path_.push_back(from);
            for (const EventId w : blocks_[from].writes) {
                readable_[graph_[w].rank] = false;
            }
        }
    }
    return readable_;
}

EventId ForcedCoherence::latest(LocationId location, EventTest included) {
    find_blocks(location, included);
    EventId best = kNoEvent;
    for (std::size_t a = 0; a < count_; ++a) {
        bool is_last = true;
        for (std::size_t b = 0; b < count_ && is_last; ++b) {
            is_last = a == b || !forced(blocks_[a], blocks_[b], included);
        }
        if (!is_last) {
            continue;
        }
        const EventId tail = blocks_[a].writes.back();
        const GraphEvent& t = graph_[tail];
        const bool better = best == kNoEvent || graph_[best].kind == EventKind::Init ||
                            t.thread.index > graph_[best].thread.index ||
                            (t.thread == graph_[best].thread && t.index > graph_[best].index);
        best = better ? tail : best;
    }
    HEDDLE_CHECK(best != kNoEvent, "a cycle in a forced coherence");
    return best;
}

} // namespace heddle
