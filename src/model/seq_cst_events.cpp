#include "model/seq_cst_events.hpp"

namespace heddle {

void SeqCstEvents::list(EventTest included) {
    events_.clear();
    first_.assign(1, 0);
    has_fences_ = false;
    number_.resize(graph_.slots());
    made_for_.resize(graph_.slots());
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        for (const EventId e : graph_.thread(ThreadId(t))) {
            if (graph_[e].is_seq_cst()) {
                if (!included(e)) {
                    break; // the rest of the thread is not either
                }
                number_[e.index] = static_cast<std::uint32_t>(events_.size());
                has_fences_ = has_fences_ || graph_[e].kind == EventKind::Fence;
                events_.push_back(e);
            }
        }
        first_.push_back(static_cast<std::uint32_t>(events_.size()));
    }
    rows_.reserve(graph_.slots(), graph_.threads());
    for (std::uint32_t n = 0; n < events_.size(); ++n) {
        make_row(n);
    }
}

std::uint32_t SeqCstEvents::last_fence(std::size_t thread, std::uint32_t count) const {
    for (std::uint32_t n = first_[thread + 1]; n-- > first_[thread];) {
        if (graph_[events_[n]].index < count && is_fence(n)) {
            return n;
        }
    }
    return kNone;
}

void SeqCstEvents::come_after(EventId e, std::uint32_t earlier) {
    make_row(earlier);
    join(rows_.row(e), rows_.row(events_[earlier]));
}

void SeqCstEvents::come_after_fences(EventId e, ConstClock known) {
    for (std::uint32_t t = 0; t + 1 < first_.size(); ++t) {
        const std::uint32_t fence = last_fence(t, known[t]);
        if (fence != kNone) {
            come_after(e, fence);
        }
    }
}

std::uint32_t SeqCstEvents::last_access_leaving(std::size_t thread, std::uint32_t count) const {
    const auto all = graph_.thread(ThreadId(static_cast<std::uint32_t>(thread)));
    for (std::uint32_t n = first_[thread + 1]; n-- > first_[thread];) {
        const GraphEvent& x = graph_[events_[n]];
        for (std::uint32_t k = x.index + 1; k < count && x.is_access(); ++k) {
            if (!same_location(x, graph_[all[k]])) {
                return n;
            }
        }
    }
    return kNone;
}

template <class F> void SeqCstEvents::for_each_access(LocationId location, F&& visit) const {
    for (const EventId w : graph_.location(location).coherence) {
        if (graph_[w].kind == EventKind::Write) {
            visit(w);
        }
        graph_.for_each_reader(w, [&](EventId r) {
            if (graph_[r].is_read()) {
                visit(r);
            }
        });
    }
}

bool SeqCstEvents::is_known_at_location(EventId access, ConstClock known) const {
    bool found = false;
    for_each_access(graph_[access].location,
                    [&](EventId b) { found = found || (b != access && hb_.contains(known, b) && hb_.at_or_before(access, b)); });
    return found;
}

/// To an access: po≠loc ; hb ; po≠loc from accesses; hb ; po from fences; hb at one location, from fences to the first of its two accesses. (Other ways from a fence are among these.)
void SeqCstEvents::follow_to_access(EventId id) {
    const GraphEvent& e = graph_[id];
    const auto own = graph_.thread(e.thread);
    std::uint32_t k = e.index;
    while (k > 0 && same_location(e, graph_[own[k - 1]])) {
        --k;
    }
    const ConstClock elsewhere = k == 0 ? ConstClock() : hb_.row(own[k - 1]);
    for (std::uint32_t t = 0; t + 1 < first_.size() && k > 0; ++t) {
        const std::uint32_t x = t == e.thread.index ? kNone : last_access_leaving(t, elsewhere[t]);
        if (x != kNone) {
            come_after(id, x);
        }
    }
    if (has_fences_ && e.index > 0) {
        come_after_fences(id, hb_.row(own[e.index - 1]));
    }
    const ConstClock known = hb_.row(id);
    for_each_access(e.location, [&](EventId a) {
        if (a == id || !hb_.contains(known, a)) {
            return;
        }
        if (graph_[a].is_seq_cst()) {
            come_after(id, number_[a.index]);
        }
        if (has_fences_) {
            come_after_fences(id, hb_.row(a));
        }
    });
}

/// To a fence: from accesses po ; hb? or hb at one location and then hb; from fences hb, or hb ; rf ; hb.
void SeqCstEvents::follow_to_fence(EventId id, std::uint32_t previous_fence) {
    const GraphEvent& e = graph_[id];
    const ConstClock known = hb_.row(id);
    come_after_fences(id, known);
    for (std::uint32_t t = 0; t + 1 < first_.size(); ++t) {
        for (std::uint32_t n = first_[t + 1]; t != e.thread.index && n-- > first_[t];) {
            const GraphEvent& x = graph_[events_[n]];
            const bool leaves = x.index + 1 < known[t];
            if (x.is_access() && (leaves || (x.index < known[t] && is_known_at_location(events_[n], known)))) {
                come_after(id, n);
            }
            if (leaves) {
                break;
            }
        }
        // What was read before an earlier fence of the thread, that one has.
        const auto events = graph_.thread(ThreadId(t));
        const std::uint32_t from = previous_fence == kNone ? 0 : hb_.row(events_[previous_fence])[t];
        for (std::uint32_t k = from; k < known[t]; ++k) {
            const GraphEvent& r = graph_[events[k]];
            if (r.is_read() && graph_[r.source].kind == EventKind::Write) {
                come_after_fences(id, hb_.row(r.source));
            }
        }
    }
}

void SeqCstEvents::make_row(std::uint32_t n) {
    const EventId id = events_[n];
    if (made_for_[id.index] == births_[id]) {
        return;
    }
    made_for_[id.index] = births_[id];
    const GraphEvent& e = graph_[id];
    rows_.clear(id);
    if (n > first_[e.thread.index]) {
        come_after(id, n - 1);
    }
    if (e.is_access()) {
        follow_to_access(id);
    } else {
        follow_to_fence(id, last_fence(e.thread.index, e.index));
    }
    rows_.row(id)[e.thread.index] = e.index + 1;
}

} // namespace heddle
