#include "model/graph_follower.hpp"

#include <algorithm>

namespace heddle {

void GraphFollower::removed(EventId e) {
    if (!entries_.empty() && entries_.back().event == e && entries_.back().birth == births_[e]) {
        pop();
    }
    seen_ = std::min<std::size_t>(seen_, graph_[e].stamp - 1);
}

void GraphFollower::push(EventId e) {
    const GraphEvent& event = graph_[e];
    if (included_.size() <= event.thread.index) {
        included_.resize(graph_.threads());
    }
    ++included_[event.thread.index];
    entries_.push_back({e, event.thread, births_[e]});
    include(e);
}

void GraphFollower::pop() {
    take_back(entries_.back());
    --included_[entries_.back().thread.index];
    entries_.pop_back();
}

void GraphFollower::list_events() {
    wanted_.clear();
    early_.clear();
    listed_.resize(std::max(listed_.size(), graph_.slots()));
    ++listing_;
    const auto is_listed = [&](EventId e) { return listed_[e.index] == listing_; };
    // A read that was revisited comes before its source in the order; what follows it in its thread may too.
    const auto comes = [&](EventId e) {
        const GraphEvent& event = graph_[e];
        return (event.index == 0 || is_listed(graph_.thread(event.thread)[event.index - 1])) &&
               (!event.is_read() || graph_[event.source].kind != EventKind::Write || is_listed(event.source));
    };
    const auto list = [&](EventId e) {
        wanted_.push_back(e);
        listed_[e.index] = listing_;
    };
    for (const EventId e : graph_.order()) {
        if (graph_[e].kind == EventKind::Wait) {
            continue;
        }
        if (!comes(e)) {
            early_.push_back(e);
            continue;
        }
        list(e);
        for (std::size_t k = 0; k < early_.size() && graph_[e].kind == EventKind::Write; ++k) { // those of a thread in its order
            if (!is_listed(early_[k]) && comes(early_[k])) {
                list(early_[k]);
            }
        }
    }
}

void GraphFollower::follow() {
    if (revision_ == graph_.revision()) {
        for (; seen_ < graph_.size(); ++seen_) {
            const EventId e = graph_.order()[seen_];
            if (graph_[e].kind != EventKind::Wait) {
                push(e);
            }
        }
        return;
    }
    list_events();
    follow_list();
    seen_ = graph_.size();
    revision_ = graph_.revision();
}

void GraphFollower::follow_list() {
    std::size_t same = 0;
    while (same < wanted_.size() && same < entries_.size() && entries_[same].event == wanted_[same] &&
           entries_[same].birth == births_[wanted_[same]]) {
        ++same;
    }
    while (entries_.size() > same) {
        pop();
    }
    for (; same < wanted_.size(); ++same) {
        push(wanted_[same]);
    }
}

} // namespace heddle
