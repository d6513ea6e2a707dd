#include "model/happens_before.hpp"

#include <algorithm>

namespace heddle {

void HappensBefore::acquire(EventId e, Clock own) {
    const GraphEvent& event = graph_[e];
    const auto learn = [&](const GraphEvent& read) {
        if (read.order != Order::NonAtomic && graph_[read.source].kind == EventKind::Write) {
            join(own, message_.row(read.source));
        }
    };
    if (event.is_read()) {
        learn(event);
        return;
    }
    // An acquire fence makes acquires of all atomic reads before it; those before an earlier acquire fence have been learnt from then.
    const auto thread = graph_.thread(event.thread);
    for (std::size_t k = event.index; k-- > 0;) {
        const GraphEvent& earlier = graph_[thread[k]];
        if (earlier.is_read()) {
            learn(earlier);
        } else if (earlier.kind == EventKind::Fence && is_acquire(earlier.order)) {
            return;
        }
    }
}

void HappensBefore::make_message(EventId e, EventId previous) {
    const GraphEvent& event = graph_[e];
    const Clock message = message_.row(e);
    const EventId fence = previous == kNoEvent ? kNoEvent : release_fence_[previous.index];
    if (event.order == Order::NonAtomic || (!is_release(event.order) && fence == kNoEvent)) {
        message_.clear(e);
    } else {
        copy(message, hb_.row(is_release(event.order) ? e : fence));
    }
    if (event.update_read != kNoEvent) {
        const EventId updated = graph_[event.update_read].source;
        if (graph_[updated].kind == EventKind::Write) {
            join(message, message_.row(updated));
        }
    }
}

void HappensBefore::added(EventId e) {
    const GraphEvent& event = graph_[e];
    if (event.kind == EventKind::Wait) {
        return;
    }
    if (hb_.lacks(graph_.slots(), graph_.threads())) { // then so do the messages
        hb_.reserve(graph_.slots(), graph_.threads());
        message_.reserve(graph_.slots(), graph_.threads());
        release_fence_.resize(hb_.events());
    }
    const EventId previous = event.index == 0 ? kNoEvent : graph_.thread(event.thread)[event.index - 1];
    const Clock own = hb_.row(e);
    if (previous == kNoEvent) {
        hb_.clear(e);
    } else {
        copy(own, hb_.row(previous));
    }
    if (event.kind == EventKind::Begin || event.kind == EventKind::Join) {
        if (event.source != kNoEvent) {
            join(own, hb_.row(event.source));
        }
    } else if ((event.is_read() || event.kind == EventKind::Fence) && is_acquire(event.order)) {
        acquire(e, own);
    }
    own[event.thread.index] = event.index + 1;
    const bool fences = event.kind == EventKind::Fence && is_release(event.order);
    release_fence_[e.index] = fences ? e : previous == kNoEvent ? kNoEvent : release_fence_[previous.index];
    if (event.kind == EventKind::Write) {
        make_message(e, previous);
    }
}

} // namespace heddle
