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

} // namespace

void DependencyModel::visit_needs(const GraphEvent& e, const std::function<void(EventId)>& visit) const {
    const bool access = e.is_access();
    // The write of an update stays with its read: see Execution::ctrl.
    const auto need = [&](EventId id) {
        visit(id);
        if (graph_[id].is_read() && graph_[id].update) {
            const EventId write = graph_.write_of_update(id);
            if (write != kNoEvent && graph_[write].index < e.index) {
                visit(write);
            }
        }
    };
    Crossed crossed{.power = axioms_.architecture == Architecture::Power};
    crossed.cross(e); // what stands for a thread's start or end is a fence itself
    for (std::uint32_t k = e.index; k-- > 0;) {
        const EventId id = graph_.at(e.thread, k);
        if (id == kNoEvent) {
            continue; // a hole: it was cut away because `e` does not need it
        }
        const GraphEvent& x = graph_[id];
        // On POWER orders have become fences.
        const bool by_order = access && axioms_.architecture == Architecture::AArch64 &&
                              (is_acquire(x) || is_release(e) || (is_release(x) && is_acquire(e) && e.order != Order::AcquirePc));
        if (!x.is_access() ? x.kind != EventKind::Choose || crossed.all
                           : crossed.all || (access && (same_location(x, e) || crossed.orders(x, e) || by_order))) {
            need(id);
        }
        crossed.cross(x);
    }
    if (e.needs) {
        for (const auto* reads : {&e.needs->address, &e.needs->data, &e.needs->control, &e.needs->earlier_addresses}) {
            for (const std::uint32_t k : *reads) {
                need(graph_.at(e.thread, k));
            }
        }
    }
}

std::uint32_t DependencyModel::floor(const GraphEvent& e) {
    std::uint32_t rank = 0;
    for (std::uint32_t k = e.index; k-- > 0;) {
        const EventId id = graph_.at(e.thread, k);
        if (id == kNoEvent) {
            continue;
        }
        const GraphEvent& x = graph_[id];
        if (same_location(x, e)) {
            rank = std::max(rank, graph_[x.is_read() ? x.source : id].rank);
        }
    }
    return rank;
}

/// Every axiom asks for the absence of a cycle of relations that are parts of po, rf, co and fr composed. What was consistent before `e` was added can be
/// broken only by a cycle with `e` in it: whatever is new in those relations goes through `e`.
bool DependencyModel::is_in_cycle(EventId e) {
    reached_.assign(graph_.slots(), false);
    to_visit_.clear();
    const auto reach = [&](EventId x) {
        if (x != kNoEvent && !reached_[x.index]) {
            reached_[x.index] = true;
            to_visit_.push_back(x);
        }
    };
    const auto reach_successors = [&](EventId id) {
        const GraphEvent& x = graph_[id];
        for (std::uint32_t k = x.index + 1; k < graph_.thread(x.thread).size(); ++k) {
            if (const EventId next = graph_.at(x.thread, k); next != kNoEvent) {
                reach(next);
                break;
            }
        }
        if (x.kind == EventKind::Write) {
            reach(graph_.co_next(id));
        } else if (x.is_read()) {
            reach(graph_.co_next(x.source));
        }
        graph_.for_each_reader(id, [&](EventId r) {
            if (graph_[r].kind != EventKind::Wait) {
                reach(r); // of a Spawn and an End too: what begins and joins
            }
        });
    };
    reach_successors(e);
    while (!to_visit_.empty() && !reached_[e.index]) {
        const EventId x = to_visit_.back();
        to_visit_.pop_back();
        reach_successors(x);
    }
    return reached_[e.index];
}

bool DependencyModel::admits(EventId e) { return !is_in_cycle(e) || !axioms_.broken(to_execution(graph_)); }

bool DependencyModel::before(EventId a, EventId b) {
    const GraphEvent& x = graph_[a];
    const GraphEvent& y = graph_[b];
    return (x.thread == y.thread && x.index < y.index) || contains(prefix(b), a);
}

} // namespace heddle
