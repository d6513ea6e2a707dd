#include "model/memory_model.hpp"

namespace heddle {

void MemoryModel::follow_prefix(EventId e) {
    const GraphEvent& event = graph_[e];
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
