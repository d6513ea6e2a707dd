#include "model/dependency_model.hpp"

#include <algorithm>

namespace heddle {
namespace {

/// The fences between two events of a thread, by what they order. Those of the other processor order nothing, as in the axioms.
struct Crossed {
    bool power;
    bool all = false; ///< everything with everything
    bool all_but_write_read = false;
    bool from_reads = false; ///< reads with everything
    bool writes = false;     ///< writes with writes

    void cross(const GraphEvent& e) {
        switch (e.kind) {
        case EventKind::Begin:
        case EventKind::Spawn:
        case EventKind::Join:
        case EventKind::End:
            all = true;
            return;
        case EventKind::Fence:
            break;
        default:
            return;
        }
        if (power) {
            all = all || e.fence == FenceKind::Sync;
            all_but_write_read = all_but_write_read || e.fence == FenceKind::LwSync;
            return; // isync and eieio are not in the prefix
        }
        switch (e.fence) {
        case FenceKind::DmbSy:
        case FenceKind::DsbSy:
            all = true;
            break;
        case FenceKind::DmbLd:
        case FenceKind::DsbLd:
            from_reads = true;
            break;
        case FenceKind::DmbSt:
        case FenceKind::DsbSt:
            writes = true;
            break;
        default:
            break;
        }
    }
    [[nodiscard]] bool orders(const GraphEvent& a, const GraphEvent& b) const {
        const bool a_writes = a.kind == EventKind::Write;
        const bool b_writes = b.kind == EventKind::Write;
        return all || (all_but_write_read && !(a_writes && b.is_read())) || (from_reads && a.is_read()) ||
               (writes && a_writes && b_writes);
    }
};

/// ldar, ldapr and ldaxr; stlr and stlxr. A seq_cst access is the same instruction.
bool is_acquire(const GraphEvent& e) {
    return e.is_read() && (e.order == Order::Acquire || e.order == Order::AcquirePc || e.order == Order::SeqCst);
}
bool is_release(const GraphEvent& e) {
    return e.kind == EventKind::Write && (e.order == Order::Release || e.order == Order::SeqCst);
}

/// What is void is needed as the write is that it stands for, and needs the same. `scratch` is for that write.
const GraphEvent& as_write(const GraphEvent& e, GraphEvent& scratch) {
    if (!e.is_void()) {
        return e;
    }
    scratch = e;
    scratch.kind = EventKind::Write;
    return scratch;
}

} // namespace

/// On POWER orders have become fences.
bool DependencyModel::orders_all_before(const GraphEvent& e) const {
    return axioms_.architecture == Architecture::AArch64 && is_release(e);
}

bool DependencyModel::orders_by_itself(const GraphEvent& x, const GraphEvent& e) const {
    return axioms_.architecture == Architecture::AArch64 &&
           (is_acquire(x) || is_release(e) || (is_release(x) && is_acquire(e) && e.order != Order::AcquirePc));
}

bool DependencyModel::is_forwarded(const GraphEvent& e) const {
    if (axioms_.architecture != Architecture::AArch64 || !e.is_read() || e.source == kNoEvent) {
        return false;
    }
    const GraphEvent& source = graph_[e.source];
    // What acquires the write of an update waits for it (the model's rmw ; rfi ; [A]).
    return (source.kind == EventKind::Write || source.is_void()) && source.thread == e.thread &&
           !(source.update && is_acquire(e));
}

void DependencyModel::on_added(EventId id) {
    const GraphEvent& e = graph_[id];
    if (!splits_updates()) {
        return;
    }
    if (id.index >= gapped_.size()) {
        gapped_.resize(graph_.slots());
    }
    gapped_[id.index] = e.kind == EventKind::Write && e.update && splits(e, prefix(id));
}

bool DependencyModel::splits_off(const GraphEvent& write) { return splits_updates() && splits(write, prefix_before(write)); }

bool DependencyModel::splits(const GraphEvent& write, ConstClock of_write) const {
    const GraphEvent& read = graph_[write.update_read];
    if (axioms_.single_updates && is_release(write) && read.order != Order::AcquirePc && is_acquire(read)) {
        return false; // what follows stays behind its store
    }
    return has_more_reads(of_write, prefix(write.update_read));
}

void DependencyModel::join_needs(const GraphEvent& event, Clock into) const {
    GraphEvent scratch_of_event;
    GraphEvent scratch;
    const GraphEvent& e = as_write(event, scratch_of_event);
    const bool access = e.is_access();
    const bool forwarded = is_forwarded(e);
    const std::uint32_t same_location_after = forwarded ? graph_[e.source].index + 1 : 0;
    const auto is_there = [&](EventId needed) { return (into[needed.index / 32] >> (needed.index % 32) & 1) != 0; };
    const auto visit = [&](EventId needed) {
        if (!is_there(needed)) { // else it came with an event that needs it
            unite(into, prefix(needed));
        }
    };
    // The write of an update stays with its read: see depend_on_updates. (Where there is no such dependency: unless it splits off.)
    const auto need = [&](EventId id) {
        if (id == kNoEvent) {
            return; // the read of the update whose write is asked about before either is there
        }
        visit(id);
        if (graph_[id].is_read() && graph_[id].update) {
            const EventId write = graph_.write_of_update(id);
            if (write != kNoEvent && graph_[write].index < e.index && !is_gapped(write)) {
                visit(write);
            }
        }
    };
    const bool power = axioms_.architecture == Architecture::Power;
    Crossed crossed{.power = power};
    crossed.cross(e); // what stands for a thread's start or end is a fence itself
    for (std::uint32_t k = e.index; k-- > 0;) {
        const EventId id = graph_.at(e.thread, k);
        if (id == kNoEvent) {
            continue; // a hole: it was cut away because `e` does not need it
        }
        if (graph_[id].is_access() && !graph_[id].update && is_there(id)) {
            continue; // as most are, behind a fence
        }
        const GraphEvent& x = as_write(graph_[id], scratch);
        if (!x.is_access() ? x.kind != EventKind::Choose || crossed.all
                           : crossed.all || (access && ((same_location(x, e) && k >= same_location_after) ||
                                                        crossed.orders(x, e) || orders_by_itself(x, e)))) {
            need(id);
        }
        if (!x.is_access()) {
            Crossed by_it{.power = power};
            by_it.cross(x);
            if (by_it.all) {
                break; // a full fence needs all that comes before it, and all of that is there
            }
            crossed.cross(x);
        }
    }
    for (const Needs* needs : {e.needs, forwarded ? graph_[e.source].needs : nullptr}) {
        if (!needs) {
            continue;
        }
        for (const auto* reads : {&needs->address, &needs->data, &needs->control, &needs->earlier_addresses}) {
            for (const std::uint32_t k : *reads) {
                need(graph_.at(e.thread, k));
            }
        }
    }
}

/// What its own thread did to the location, and what others did to it before something that is ordered across threads before `e`.
///
/// Two ways lead from one thread to another: the start and the end of a thread, which are full fences, and a write S that is read by a read which is ordered
/// before `e` (by a fence, as an acquire, or by a branch and an isync). Of S's thread everything before the last fence that orders all of it with S counts,
/// writes W and those that its reads got; and from the reads among it the way goes on. So a lock shows what was done under it. `e` cannot come before W in coherence:
/// power: (W, S) is in prop, and the way from S to `e` in hb, so observation forbids it for a read, propagation for a write;
/// armv8: the whole way is in ob, and fr or co would close a cycle.
/// All of it is in the prefix of `e`: what a revisit cuts away does not matter.
std::uint32_t DependencyModel::floor(const GraphEvent& e) {
    const auto enough = static_cast<std::uint32_t>(graph_.location(e.location).coherence.size()) - 1;
    std::uint32_t rank = 0;
    const auto see = [&](const GraphEvent& x, EventId id) {
        const EventId write = x.is_read() ? x.source : id;
        if (same_location(x, e) && graph_[write].present) {
            rank = std::max(rank, graph_[write].rank);
        }
    };
    to_visit_.clear();
    const auto follow = [&](const GraphEvent& x) {
        const GraphEvent& from = graph_[x.source];
        if (x.is_read() && (!follows_fences_ || from.kind != EventKind::Write || from.thread == x.thread)) {
            return;
        }
        to_visit_.push_back(x.source);
    };
    const bool power = axioms_.architecture == Architecture::Power;
    Crossed crossed{.power = power};
    for (std::uint32_t k = e.index; k-- > 0 && rank < enough;) {
        const EventId id = graph_.at(e.thread, k);
        if (id == kNoEvent) {
            continue;
        }
        const GraphEvent& x = graph_[id];
        see(x, id);
        if (x.is_read() && x.source != kNoEvent && (crossed.orders(x, e) || orders_by_itself(x, e))) {
            follow(x);
        } else if ((x.kind == EventKind::Begin || x.kind == EventKind::Join) && x.source != kNoEvent) {
            follow(x);
        } else if (x.kind == EventKind::Fence && x.needs &&
                   (power ? x.fence == FenceKind::ISync : x.fence == FenceKind::Isb && e.is_read())) {
            for (const std::uint32_t read : x.needs->control) {
                const EventId decided = graph_.at(e.thread, read);
                if (decided != kNoEvent && graph_[decided].is_read()) {
                    follow(graph_[decided]);
                }
            }
        }
        crossed.cross(x);
    }
    looked_at_.assign(graph_.threads(), 0); // so many events of each thread
    while (!to_visit_.empty() && rank < enough) {
        const EventId from = to_visit_.back();
        to_visit_.pop_back();
        const std::uint32_t end = ordered_before(graph_[from]);
        const ThreadId t = graph_[from].thread;
        for (std::uint32_t& k = looked_at_[t.index]; k < end; ++k) {
            const EventId id = graph_.at(t, k);
            if (id == kNoEvent) {
                continue;
            }
            const GraphEvent& x = graph_[id];
            see(x, id);
            if (x.source != kNoEvent && (x.is_read() || x.kind == EventKind::Begin || x.kind == EventKind::Join)) {
                follow(x);
            }
        }
    }
    return rank;
}

/// The position in its thread before which a fence, or what it is itself, puts everything before it.
std::uint32_t DependencyModel::ordered_before(const GraphEvent& e) const {
    if (e.kind != EventKind::Write || orders_all_before(e)) {
        return e.index; // the start or the end of a thread
    }
    for (std::uint32_t k = e.index; k-- > 0;) {
        if (const EventId id = graph_.at(e.thread, k); id != kNoEvent) {
            Crossed crossed{.power = axioms_.architecture == Architecture::Power};
            crossed.cross(graph_[id]);
            if (crossed.all || crossed.all_but_write_read) {
                return k;
            }
        }
    }
    return 0;
}

/// Every axiom but atomicity, which the search sees to, asks for the absence of a cycle of relations that are parts of po, rf, co and fr composed. What
/// was consistent before `e` was added can be broken only by a cycle with `e` in it: whatever is new in those relations goes through `e`. So only
/// the events on such cycles matter, with the writes that their reads read from and the reads of their updates.
///
/// A write that comes back to reads which were forwarded from it brings the fr of those reads: then all is judged.
bool DependencyModel::admits(EventId e) {
    if (!judges_cycles_ || graph_.replaces(e) != kNoEvent) {
        return allow(nullptr);
    }
    reach(e, reached_, [this](EventId x, auto&& visit) { visit_successors(x, visit); });
    if (!reached_[e.index]) {
        return true;
    }
    reach(e, reaching_, [this](EventId x, auto&& visit) { visit_predecessors(x, visit); });
    judged_.assign(graph_.slots(), false);
    const auto judge = [&](EventId x) {
        judged_[x.index] = true;
        if (graph_[x].is_read()) {
            judged_[graph_[x].source.index] = true;
        }
    };
    for (std::uint32_t k = 0; k < judged_.size(); ++k) {
        if (!reached_[k] || !reaching_[k]) {
            continue;
        }
        judge(EventId(k));
        if (graph_[EventId(k)].update_read != kNoEvent) {
            judge(graph_[EventId(k)].update_read);
        }
    }
    return allow(&judged_);
}

bool DependencyModel::allow(const std::vector<bool>* part) const {
    Execution x = to_execution(graph_, part);
    if (axioms_.depends_on_updates()) {
        depend_on_updates(x.events, x);
    }
    return !axioms_.broken(x);
}

/// Fills `set`, by slot, with what can be reached from `e` in one or more steps.
template <class Steps> void DependencyModel::reach(EventId e, std::vector<bool>& set, Steps&& steps) {
    set.assign(graph_.slots(), false);
    to_visit_.assign(1, e);
    while (!to_visit_.empty()) {
        const EventId x = to_visit_.back();
        to_visit_.pop_back();
        steps(x, [&](EventId next) {
            if (next != kNoEvent && !set[next.index]) {
                set[next.index] = true;
                to_visit_.push_back(next);
            }
        });
    }
}

/// By po, rf, co and fr, and from a Spawn or End to what begins or joins. Immediate ones: the rest follows.
template <class Visit> void DependencyModel::visit_successors(EventId id, Visit&& visit) const {
    const GraphEvent& x = graph_[id];
    const auto thread = graph_.thread(x.thread);
    for (std::size_t k = x.index + 1; k < thread.size(); ++k) {
        if (thread[k] != kNoEvent) {
            visit(thread[k]);
            break;
        }
    }
    if (x.kind == EventKind::Write) {
        visit(graph_.co_next(id));
    } else if (x.is_read() && graph_[x.source].present && !graph_[x.source].is_void()) {
        visit(graph_.co_next(x.source));
    }
    graph_.for_each_reader(id, [&](EventId r) { visit(graph_[r].kind == EventKind::Wait ? kNoEvent : r); });
}

template <class Visit> void DependencyModel::visit_predecessors(EventId id, Visit&& visit) const {
    const GraphEvent& x = graph_[id];
    for (std::uint32_t k = x.index; k-- > 0;) {
        if (const EventId earlier = graph_.at(x.thread, k); earlier != kNoEvent) {
            visit(earlier);
            break;
        }
    }
    if (x.kind == EventKind::Write) {
        const EventId before = graph_.location(x.location).coherence[x.rank - 1];
        visit(graph_[before].kind == EventKind::Init ? kNoEvent : before);
        graph_.for_each_reader(before, [&](EventId r) { visit(graph_[r].kind == EventKind::Wait ? kNoEvent : r); });
    } else if (x.source != kNoEvent) {
        visit(graph_[x.source].kind == EventKind::Init || !graph_[x.source].present ? kNoEvent : x.source);
    }
}

bool DependencyModel::has_more_reads(ConstClock prefix, ConstClock other) const {
    return std::ranges::any_of(graph_.order(),
                               [&](EventId x) { return graph_[x].is_read() && contains(prefix, x) && !contains(other, x); });
}

/// Could this write of an update be cut away, the update's read staying, by a revisit that keeps `e`? It would revisit a read that the write waits for and that
/// neither the update's read nor `e` needs, and that was added canonically as far as is known.
bool DependencyModel::may_come_later(EventId write, EventId e) const {
    const EventId read = graph_[write].update_read;
    const auto kept = [&](EventId x) { return contains(prefix(e), x) || contains(prefix(read), x); };
    return !kept(write) && std::ranges::any_of(graph_.order(), [&](EventId id) {
        const GraphEvent& r = graph_[id];
        if (!r.is_read() || !contains(prefix(write), id) || kept(id) || !graph_[r.source].present || graph_[r.source].is_void()) {
            return false;
        }
        const auto& co = graph_.location(r.location).coherence;
        return std::none_of(co.begin() + graph_[r.source].rank + 1, co.end(),
                            [&](EventId w) { return graph_[w].stamp <= r.stamp || kept(w); });
    });
}

/// The choice may have been one for an execution in which an update's write has come back after what it waits for has changed, and so without the cycle. Only
/// an event that does not need the write can be there before it comes back. That is asked about the execution without such writes and what needs them.
EventId DependencyModel::left_out_by(EventId refused) {
    if (!splits_updates() || is_gapped(refused)) {
        return kNoEvent; // a write that has no place is void: see search/dpor
    }
    judged_.assign(graph_.slots(), true);
    EventId about = kNoEvent;
    for (const EventId w : graph_.order()) {
        if (graph_[w].kind == EventKind::Wait || !is_gapped(w) || !may_come_later(w, refused)) {
            continue;
        }
        about = w;
        for (const EventId x : graph_.order()) {
            if (contains(prefix(x), w) || (graph_[x].is_read() && !judged_[graph_[x].source.index])) {
                judged_[x.index] = false;
            }
        }
        graph_.for_each_reader(w, [&](EventId r) { judged_[r.index] = false; });
    }
    return about != kNoEvent && allow(&judged_) ? about : kNoEvent;
}

bool DependencyModel::before(EventId a, EventId b) {
    const GraphEvent& x = graph_[a];
    const GraphEvent& y = graph_[b];
    return (x.thread == y.thread && x.index < y.index) || contains(prefix(b), a);
}

} // namespace heddle
