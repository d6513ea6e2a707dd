#include "model/memory_model.hpp"

#include <algorithm>

namespace heddle {

void MemoryModel::join_needs_and_source(const GraphEvent& e, Clock into) const {
    join_needs(e, into);
    if (e.source != kNoEvent && graph_[e.source].kind != EventKind::Init && needs_source(e)) {
        unite(into, prefix_.row(e.source));
    }
}

ConstClock MemoryModel::merged_prefix(const GraphEvent& e) {
    if (by_event_) {
        scratch_.assign(prefix_.chains(), 0);
        join_needs_and_source(e, scratch_);
        return scratch_;
    }
    const ConstClock own = prefix_.row(graph_.last(e.thread));
    scratch_.resize(own.size());
    merge(scratch_, own, prefix_.row(e.source));
    return scratch_;
}

bool MemoryModel::find_tracked(LocationId l) const {
    if (l.index >= tracked_.size()) {
        tracked_.resize(graph_.locations());
    }
    const bool is = is_tracked(l);
    tracked_[l.index] = is ? 2 : 1;
    return is;
}

void MemoryModel::follow_prefix(EventId e) {
    const GraphEvent& event = graph_[e];
    if (by_event_) {
        prefix_.reserve(graph_.slots(), (graph_.slots() + 31) / 32);
        const Clock own = prefix_.row(e);
        std::ranges::fill(own, 0);
        if (event.kind != EventKind::Wait) {
            join_needs_and_source(event, own);
            own[e.index / 32] |= 1u << (e.index % 32);
        }
        return;
    }
    prefix_.reserve(graph_.slots(), graph_.threads());
    if (event.kind == EventKind::Wait) {
        return;
    }
    const Clock own = prefix_.row(e);
    const bool needs_source = event.source != kNoEvent && graph_[event.source].kind != EventKind::Init;
    if (event.index == 0) {
        prefix_.clear(e);
        if (needs_source) {
            join(own, prefix_.row(event.source));
        }
    } else if (needs_source) {
        merge(own, prefix_.row(po_previous(e)), prefix_.row(event.source));
    } else {
        copy(own, prefix_.row(po_previous(e)));
    }
    own[event.thread.index] = event.index + 1;
}

} // namespace heddle
