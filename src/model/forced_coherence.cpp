#include "model/forced_coherence.hpp"

#include "support/check.hpp"

#include <bit>

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

template <class F> bool ForcedCoherence::is_known(ConstClock known, EventId write, F&& included) const {
    if (model_.contains(known, write)) {
        return true;
    }
    for (EventId r = graph_[write].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
        if (graph_[r].is_read() && model_.contains(known, r) && included(r)) {
            return true;
        }
    }
    return false;
}

template <class F> ConstClock ForcedCoherence::joined(EventId write, F&& included) {
    const ConstClock own = model_.known(write);
    joined_.resize(own.size());
    copy(joined_, own);
    for (EventId r = graph_[write].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
        if (graph_[r].is_read() && included(r)) {
            join(joined_, model_.known(r));
        }
    }
    return joined_;
}

bool ForcedCoherence::is_plain(LocationId location) const {
    const auto& co = graph_.location(location).coherence;
    constexpr std::size_t kMost = 64;
    return co.size() <= kMost &&
           std::all_of(co.begin() + 1, co.end(), [&](EventId w) { return graph_[w].update_read == kNoEvent; });
}

template <class F> std::uint64_t ForcedCoherence::overwritten(LocationId location, ConstClock known, F&& included) {
    const auto& co = graph_.location(location).coherence;
    std::uint64_t to_do = 0;
    for (std::size_t k = 1; k < co.size(); ++k) {
        to_do |= is_known(known, co[k], included) ? bit(k) : 0;
    }
    std::uint64_t before = to_do == 0 ? 0 : 1;
    for (std::uint64_t done = 0; to_do != done;) {
        const auto later = static_cast<std::size_t>(std::countr_zero(to_do & ~done));
        done |= bit(later);
        const ConstClock row = joined(co[later], included);
        for (std::size_t k = 1; k < co.size(); ++k) {
            if (k != later && (before & bit(k)) == 0 && is_known(row, co[k], included)) {
                before |= bit(k);
            }
        }
        to_do |= before & ~bit(0);
    }
    return before;
}

bool ForcedCoherence::admits(EventId read) {
    const GraphEvent& e = graph_[read];
    if (e.index == 0) {
        return true; // its thread knows nothing
    }
    if (is_plain(e.location)) { // see readable
        const ConstClock known = model_.known(graph_.thread(e.thread)[e.index - 1]);
        return (overwritten(e.location, known, [&](EventId r) { return r != read; }) & bit(graph_[e.source].rank)) == 0;
    }
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
    const auto all = [](EventId) { return true; };
    if (is_plain(location)) {
        for (std::uint64_t before = overwritten(location, known, all); before != 0; before &= before - 1) {
            readable_[static_cast<std::size_t>(std::countr_zero(before))] = false;
        }
        return readable_;
    }
    const auto is_known_here = [&](EventId w) { return is_known(known, w, all); };
    if (std::none_of(co.begin() + 1, co.end(), is_known_here)) {
        return readable_;
    }
    find_blocks(location, all, false);
    path_.clear();
    for (std::size_t b = 0; b < count_; ++b) {
        bool behind = false;
        for (std::size_t k = blocks_[b].writes.size(); k-- > 0;) {
            const EventId w = blocks_[b].writes[k];
            readable_[graph_[w].rank] = !behind;
            behind = behind || (graph_[w].kind == EventKind::Write && is_known_here(w));
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
    EventId best = kNoEvent;
    const auto offer = [&](EventId w) { // the last by name of those that can be; Init before all others
        const auto name = [&](EventId of) { return std::pair(graph_[of].thread.index, graph_[of].index); };
        best = best == kNoEvent || graph_[best].kind == EventKind::Init || name(w) > name(best) ? w : best;
    };
    if (is_plain(location)) {
        const auto& co = graph_.location(location).coherence;
        std::uint64_t last = 0;
        for (std::size_t k = 1; k < co.size(); ++k) {
            last |= included(co[k]) ? bit(k) : 0;
        }
        for (std::uint64_t later = last; later != 0; later &= later - 1) {
            const auto k = static_cast<std::size_t>(std::countr_zero(later));
            const ConstClock row = joined(co[k], included);
            for (std::uint64_t rest = last & ~bit(k); rest != 0; rest &= rest - 1) {
                const auto earlier = static_cast<std::size_t>(std::countr_zero(rest));
                last &= is_known(row, co[earlier], included) ? ~bit(earlier) : ~std::uint64_t{0};
            }
        }
        best = co.front();
        HEDDLE_CHECK(last != 0 || std::none_of(co.begin() + 1, co.end(), included), "a cycle in a forced coherence");
        for (; last != 0; last &= last - 1) {
            offer(co[static_cast<std::size_t>(std::countr_zero(last))]);
        }
        return best;
    }
    find_blocks(location, included);
    for (std::size_t a = 0; a < count_; ++a) {
        bool is_last = true;
        for (std::size_t b = 0; b < count_ && is_last; ++b) {
            is_last = a == b || !forced(blocks_[a], blocks_[b], included);
        }
        if (is_last) {
            offer(blocks_[a].writes.back());
        }
    }
    HEDDLE_CHECK(best != kNoEvent, "a cycle in a forced coherence");
    return best;
}

} // namespace heddle
