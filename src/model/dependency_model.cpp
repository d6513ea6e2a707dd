#include "model/dependency_model.hpp"

#include <algorithm>

namespace heddle {
namespace {

/// The fences between two events of a thread, by what they order.
struct Crossed {
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
        switch (e.fence) {
        case FenceKind::Sync:
        case FenceKind::DmbSy:
        case FenceKind::DsbSy:
            all = true;
            break;
        case FenceKind::LwSync:
            all_but_write_read = true;
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
            break; // isync, isb, eieio: not in the prefix
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
    Crossed crossed;
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
            visit(id);
        }
        crossed.cross(x);
    }
    if (e.needs) {
        for (const auto* reads : {&e.needs->address, &e.needs->data, &e.needs->control, &e.needs->earlier_addresses}) {
            for (const std::uint32_t k : *reads) {
                visit(graph_.at(e.thread, k));
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

bool DependencyModel::admits(EventId) { return !axioms_.broken(to_execution(graph_)); }

bool DependencyModel::before(EventId a, EventId b) {
    const GraphEvent& x = graph_[a];
    const GraphEvent& y = graph_[b];
    return (x.thread == y.thread && x.index < y.index) || contains(prefix(b), a);
}

} // namespace heddle
