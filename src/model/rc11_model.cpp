#include "model/rc11_model.hpp"

namespace heddle {
namespace {

bool is_fence(const GraphEvent& e) { return e.kind == EventKind::Fence; }

} // namespace

std::uint32_t Rc11Model::floor(const GraphEvent& e) {
    const EventId last = po_previous(e);
    return last == kNoEvent ? 0 : foreseen_floor(e.location, hb_.row(last));
}

std::uint32_t Rc11Model::foreseen_floor(LocationId location, ConstClock known) const {
    const auto& co = graph_.location(location).coherence;
    // A write counts as known also through a read of it: hb ; eco.
    const auto is_known = [&](EventId w) {
        if (hb_.contains(known, w)) {
            return true;
        }
        for (EventId r = graph_[w].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
            if (graph_[r].is_read() && hb_.contains(known, r)) {
                return true;
            }
        }
        return false;
    };
    auto rank = static_cast<std::uint32_t>(co.size() - 1);
    while (rank > 0 && !is_known(co[rank])) {
        --rank;
    }
    return rank;
}

void Rc11Model::on_added(EventId e) {
    hb_.added(e);
    sc_cycle_ = keeps_sc_order_ && !sc_.added(e);
    sc_fences_ += graph_[e].order == Order::SeqCst && is_fence(graph_[e]) ? 1 : 0;
}

void Rc11Model::on_removed(EventId e) {
    if (graph_[e].order != Order::SeqCst) {
        return;
    }
    if (keeps_sc_order_) {
        sc_.removed(e);
    }
    sc_fences_ -= is_fence(graph_[e]) ? 1 : 0;
}

bool Rc11Model::admits(EventId e) {
    const GraphEvent& event = graph_[e];
    if (!event.is_access()) {
        return true;
    }
    if (sc_cycle_) {
        return false;
    }
    if (!keeps_sc_order_) {
        return psc_is_acyclic(e);
    }
    const EventId target = graph_.co_next(event.is_read() ? event.source : e);
    return target == kNoEvent || sc_fences_ == 0 || psc_is_acyclic(e);
}

/// Depth-first search for a cycle among the seq_cst events. Without the new event there was none, and its edges start at itself or at fences that
/// happen before it: a cycle can be reached from one of these.
bool Rc11Model::psc_is_acyclic(EventId e) const {
    std::vector<EventId> nodes;
    for (const EventId x : graph_.order()) {
        if (graph_[x].is_seq_cst()) {
            nodes.push_back(x);
        }
    }
    enum class Mark : std::uint8_t { New, Open, Closed };
    std::vector<Mark> marks(nodes.size(), Mark::New);
    struct Visit {
        std::size_t node;
        std::size_t next = 0; ///< which neighbour to look at
    };
    std::vector<Visit> path;
    for (std::size_t root = 0; root < nodes.size(); ++root) {
        const bool starts =
            !keeps_sc_order_ || nodes[root] == e || (is_fence(graph_[nodes[root]]) && hb_.at_or_before(nodes[root], e));
        if (!starts || marks[root] != Mark::New) {
            continue;
        }
        path.push_back({root});
        marks[root] = Mark::Open;
        while (!path.empty()) {
            Visit& at = path.back();
            if (at.next == nodes.size()) {
                marks[at.node] = Mark::Closed;
                path.pop_back();
                continue;
            }
            const std::size_t to = at.next++;
            if (marks[to] == Mark::Closed || !psc(nodes[at.node], nodes[to])) {
                continue;
            }
            if (marks[to] == Mark::Open) {
                return false;
            }
            marks[to] = Mark::Open;
            path.push_back({to});
        }
    }
    return true;
}

/// Is there an event at or after `fence` in happens-before for which the test holds?
template <class F> bool Rc11Model::any_after(EventId fence, F&& test) const {
    for (const EventId a : graph_.order()) {
        if (graph_[a].kind != EventKind::Wait && hb_.at_or_before(fence, a) && test(a)) {
            return true;
        }
    }
    return false;
}

template <class F> bool Rc11Model::any_before(EventId fence, F&& test) const {
    for (const EventId b : graph_.order()) {
        if (graph_[b].kind != EventKind::Wait && hb_.at_or_before(b, fence) && test(b)) {
            return true;
        }
    }
    return false;
}

/// po | po≠loc ; hb ; po≠loc | hb of one location | co | fr
bool Rc11Model::scb(EventId a, EventId b) const {
    const GraphEvent& x = graph_[a];
    const GraphEvent& y = graph_[b];
    const bool same_thread = x.thread == y.thread;
    if (same_thread && x.index < y.index) {
        return true;
    }
    if (same_location(x, y)) {
        if (happens(a, b)) {
            return true;
        }
        const auto seen = [&](const GraphEvent& e) { return e.is_read() ? graph_[e.source].rank : e.rank; };
        // co and fr: from a write, or from a read through its source, to a later write.
        if (y.is_write() && seen(x) < seen(y)) {
            return true;
        }
    }
    // The first event after `a` elsewhere, and the last before `b` elsewhere; hb between any two such implies it between these.
    const auto thread_a = graph_.thread(x.thread);
    std::size_t first = x.index + 1;
    while (first < thread_a.size() && same_location(x, graph_[thread_a[first]])) {
        ++first;
    }
    const auto thread_b = graph_.thread(y.thread);
    std::size_t last = y.index;
    while (last > 0 && same_location(y, graph_[thread_b[last - 1]])) {
        --last;
    }
    return first < thread_a.size() && last > 0 && happens(thread_a[first], thread_b[last - 1]);
}

/// ([SC] | [F];hb?) ; scb ; ([SC] | hb?;[F])  |  [F] ; (hb | hb;eco;hb) ; [F]
bool Rc11Model::psc(EventId x, EventId y) const {
    const bool from_fence = is_fence(graph_[x]);
    const bool to_fence = is_fence(graph_[y]);
    const auto to_y = [&](EventId a) { return to_fence ? any_before(y, [&](EventId b) { return scb(a, b); }) : scb(a, y); };
    if (from_fence ? any_after(x, to_y) : to_y(x)) {
        return true;
    }
    if (!from_fence || !to_fence) {
        return false;
    }
    const auto eco_to_y = [&](EventId a) {
        return any_before(y, [&](EventId b) {
            const GraphEvent& from = graph_[a];
            const GraphEvent& to = graph_[b];
            if (a == x || b == y || !same_location(from, to)) {
                return false;
            }
            const std::uint32_t seen_from = from.is_read() ? graph_[from.source].rank : from.rank;
            const std::uint32_t seen_to = to.is_read() ? graph_[to.source].rank : to.rank;
            // (rf | co | fr)+ : a write to its own readers too.
            return seen_from < seen_to || (seen_from == seen_to && from.is_write() && to.is_read());
        });
    };
    return happens(x, y) || any_after(x, eco_to_y);
}

} // namespace heddle
