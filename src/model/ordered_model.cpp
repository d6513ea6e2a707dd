#include "model/ordered_model.hpp"

namespace heddle {

void OrderedModel::on_added(EventId e) {
    const GraphEvent& event = graph_[e];
    if (event.kind == EventKind::Wait) {
        return;
    }
    order_.add(e);
    EventId target = kNoEvent;
    if (event.kind == EventKind::Write) {
        const EventId before = graph_.location(event.location).coherence[event.rank - 1];
        if (graph_[before].kind == EventKind::Write) {
            order_.come_after(e, before);
        }
        graph_.for_each_reader(before, [&](EventId r) {
            if (graph_[r].is_read()) {
                order_.come_after(e, r);
            }
        });
        target = graph_.co_next(e);
    } else if (event.is_read()) {
        target = graph_.co_next(event.source);
    }
    if (target != kNoEvent) {
        order_.put_before(e, target, e);
    }
}

void OrderedModel::on_removed(EventId e) {
    if (graph_[e].kind != EventKind::Wait) {
        order_.undo(e);
    }
}

} // namespace heddle
