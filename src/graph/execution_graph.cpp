#include "graph/execution_graph.hpp"

namespace heddle {

ExecutionGraph::ExecutionGraph(bool holes) : holes_(holes), events_(1) {}

EventId ExecutionGraph::new_slot() {
    if (free_.empty()) {
        events_.emplace_back();
        return EventId(static_cast<std::uint32_t>(events_.size() - 1));
    }
    const EventId e = free_.back();
    free_.pop_back();
    return e;
}

LocationId ExecutionGraph::location_of(Address address, std::uint8_t size) {
    const auto [it, fresh] =
        location_ids_.try_emplace({address, size}, LocationId(static_cast<std::uint32_t>(locations_.size())));
    if (fresh) {
        const EventId init = new_slot();
        events_[init.index] = {.kind = EventKind::Init, .present = true, .location = it->second};
        locations_.push_back({.address = address, .size = size, .init = init, .coherence = {init}});
    }
    return it->second;
}

void ExecutionGraph::renumber(std::size_t from) {
    for (std::size_t k = from; k < order_.size(); ++k) {
        events_[order_[k].index].stamp = static_cast<std::uint32_t>(k + 1);
    }
}

/// One access more, or less.
inline Location& ExecutionGraph::count(EventId id, std::uint32_t change) {
    const GraphEvent& e = events_[id.index];
    Location& l = locations_[e.location.index];
    auto& by_thread = e.is_read() ? l.reads_of : l.writes_of;
    if (e.thread.index >= by_thread.size()) {
        by_thread.resize(e.thread.index + 1);
        l.first_read_of.resize(std::max(l.first_read_of.size(), by_thread.size()));
    }
    if (e.is_read() && by_thread[e.thread.index] == 0) { // one comes: a thread's events come and go from its end
        l.first_read_of[e.thread.index] = id;
    }
    by_thread[e.thread.index] += change;
    (e.is_read() ? l.reads : l.writes) += change;
    l.plain += e.order == Order::NonAtomic ? change : 0;
    return l;
}

void ExecutionGraph::link_reader(EventId id) {
    GraphEvent& e = events_[id.index];
    EventId& head = events_[e.source.index].first_reader;
    e.next_reader = head;
    e.previous_reader = kNoEvent;
    if (head != kNoEvent) {
        events_[head.index].previous_reader = id;
    }
    head = id;
}

void ExecutionGraph::unlink_reader(EventId id) {
    const GraphEvent& e = events_[id.index];
    (e.previous_reader == kNoEvent ? events_[e.source.index].first_reader : events_[e.previous_reader.index].next_reader) =
        e.next_reader;
    if (e.next_reader != kNoEvent) {
        events_[e.next_reader.index].previous_reader = e.previous_reader;
    }
}

/// The reads of its thread that stayed when the write at this place was cut away read from this one: it is the same write.
void ExecutionGraph::take_readers_over(EventId id) {
    const ThreadId t = events_[id.index].thread;
    const std::uint32_t index = events_[id.index].index;
    const auto& own = threads_[t.index];
    for (std::size_t k = index + 1; k < own.size(); ++k) {
        if (own[k] == kNoEvent || !events_[own[k].index].is_read()) {
            continue;
        }
        GraphEvent& read = events_[own[k].index];
        const GraphEvent& source = events_[read.source.index];
        if (!source.present && source.thread == t && source.index == index) {
            replaces_[id.index] = read.source;
            unlink_reader(own[k]);
            read.source = id;
            link_reader(own[k]);
        }
    }
}

void ExecutionGraph::give_readers_back(EventId id) {
    while (events_[id.index].first_reader != kNoEvent) {
        const EventId read = events_[id.index].first_reader;
        unlink_reader(read);
        events_[read.index].source = replaces_[id.index];
        link_reader(read);
    }
}

void ExecutionGraph::attach(EventId id) {
    GraphEvent& e = events_[id.index];
    e.present = true;
    if (e.kind == EventKind::Write) {
        auto& co = count(id, 1).coherence;
        if (e.rank == co.size()) { // mostly
            co.push_back(id);
        } else {
            co.insert(co.begin() + e.rank, id);
            for (std::size_t k = e.rank + 1; k < co.size(); ++k) {
                events_[co[k].index].rank = static_cast<std::uint32_t>(k);
            }
        }
    } else {
        if (e.is_read()) {
            count(id, 1);
        }
        if (e.source != kNoEvent) {
            link_reader(id);
        }
    }
    if (e.kind != EventKind::Wait) {
        auto& own = threads_[e.thread.index];
        std::uint32_t& length = lengths_[e.thread.index];
        if (e.index == length) {
            own.push_back(id);
            ++length;
            return;
        }
        HEDDLE_CHECK(holes_, "an event must follow its thread's last");
        if (e.index > length) {
            length = e.index + 1;
            own.resize(length, kNoEvent);
        }
        HEDDLE_CHECK(own[e.index] == kNoEvent, "a place in a thread is taken");
        own[e.index] = id;
    }
}

void ExecutionGraph::detach(EventId id) {
    GraphEvent& e = events_[id.index];
    e.present = false;
    if (e.kind == EventKind::Write) {
        auto& co = count(id, ~0u).coherence;
        if (co.back() == id) { // mostly
            co.pop_back();
        } else {
            co.erase(co.begin() + e.rank);
            for (std::size_t k = e.rank; k < co.size(); ++k) {
                events_[co[k].index].rank = static_cast<std::uint32_t>(k);
            }
        }
    } else {
        if (e.is_read()) {
            count(id, ~0u);
        }
        if (e.source != kNoEvent) {
            unlink_reader(id);
        }
    }
    if (e.kind != EventKind::Wait) {
        auto& own = threads_[e.thread.index];
        if (own.back() != id) {
            HEDDLE_CHECK(holes_, "a cut must take the last events of a thread");
            own[e.index] = kNoEvent;
            return;
        }
        do {
            own.pop_back();
            --lengths_[e.thread.index];
        } while (holes_ && !own.empty() && own.back() == kNoEvent);
    }
}

EventId ExecutionGraph::add_at(const GraphEvent& e, std::size_t position) {
    const EventId id = new_slot();
    if (e.thread.index >= thread_count_) {
        thread_count_ = e.thread.index + 1;
        threads_.resize(thread_count_);
        lengths_.resize((thread_count_ + kClockBlock - 1) / kClockBlock * kClockBlock);
    }
    GraphEvent& own = events_[id.index];
    own = e;
    own.first_reader = kNoEvent;
    if (position == order_.size()) {
        order_.push_back(id);
        own.stamp = static_cast<std::uint32_t>(order_.size());
    } else {
        ++revision_;
        settled_ = std::min(settled_, position);
        order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(position), id);
        renumber(position);
    }
    attach(id);
    if (holes_) {
        replaces_.resize(events_.size());
        replaces_[id.index] = kNoEvent;
        if (e.kind == EventKind::Write) {
            take_readers_over(id);
        }
    }
    return id;
}

void ExecutionGraph::remove(EventId e) {
    if (replaces(e) != kNoEvent) {
        give_readers_back(e);
    }
    detach(e);
    ++removals_;
    const std::size_t position = events_[e.index].stamp - 1;
    settled_ = std::min(settled_, position);
    if (position + 1 == order_.size()) {
        order_.pop_back();
    } else {
        ++revision_;
        order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(position));
        renumber(position);
    }
    free_.push_back(e);
}

void ExecutionGraph::restore() {
    ++revision_;
    const Cut cut = cuts_.back();
    cuts_.pop_back();
    order_.resize(cut.position);
    for (std::size_t k = cut.first; k < cut_away_.size(); ++k) {
        const EventId e = cut_away_[k];
        order_.push_back(e);
        if (!events_[e.index].present) {
            attach(e);
        }
    }
    cut_away_.resize(cut.first);
    settled_ = cut.settled;
    renumber(cut.position);
}

std::vector<EventId> events_in_order(const ExecutionGraph& graph) {
    std::vector<EventId> events;
    events.reserve(graph.size());
    std::vector<std::size_t> next(graph.threads());
    for (const EventId id : graph.order()) {
        if (graph[id].kind == EventKind::Wait) {
            continue;
        }
        if (!graph.may_have_holes()) {
            events.push_back(id);
            continue;
        }
        const auto own = graph.thread(graph[id].thread);
        std::size_t& k = next[graph[id].thread.index];
        while (own[k] == kNoEvent) {
            ++k;
        }
        events.push_back(own[k++]);
    }
    return events;
}

Execution to_execution(const ExecutionGraph& graph, const std::vector<bool>* only) {
    Execution x;
    constexpr std::size_t kLeftOut = ~std::size_t{0};
    std::vector<std::size_t> position(graph.slots(), kLeftOut);
    const auto in = [&](EventId e) { return !only || (*only)[e.index]; };
    for (std::uint32_t l = 0; l < graph.locations(); ++l) {
        const Location& location = graph.location(LocationId(l));
        if (in(location.init)) {
            position[location.init.index] = x.events.size();
            x.events.push_back({.kind = EventKind::Init, .location = location.address});
        }
    }
    const std::vector<EventId> events = events_in_order(graph);
    for (const EventId id : events) {
        if (in(id)) {
            position[id.index] = x.events.size();
            x.events.emplace_back();
        }
    }
    for (const EventId id : events) {
        const GraphEvent& e = graph[id];
        if (position[id.index] == kLeftOut) {
            continue;
        }
        Event& plain = x.events[position[id.index]];
        plain = {.kind = e.kind, .order = e.order, .fence = e.fence, .update = e.update, .thread = e.thread, .index = e.index};
        plain.other = e.other;
        if (e.is_access()) {
            plain.location = graph.location(e.location).address;
        }
        if (e.is_read() && position[e.source.index] != kLeftOut && !graph[e.source].is_void()) {
            plain.source = position[e.source.index];
        }
        if (e.update_read != kNoEvent && position[e.update_read.index] != kLeftOut) {
            plain.update_read = position[e.update_read.index];
        }
        if (e.needs) {
            const auto depend = [&](DependencyLists::List& on, const std::vector<std::uint32_t>& reads) {
                for (const std::uint32_t k : reads) {
                    const EventId r = graph.at(e.thread, k);
                    if (r != kNoEvent && graph[r].is_read() && position[r.index] != kLeftOut) { // else a choice
                        on.emplace_back(position[r.index], position[id.index]);
                    }
                }
            };
            if (e.is_read() && (!graph[e.source].present || graph[e.source].is_void())) {
                // A value forwarded from a write that is not back yet. What a model orders before such a read because of what the write was
                // computed from, it orders as it orders a dependency.
                depend(x.data, graph[e.source].needs->address);
                depend(x.data, graph[e.source].needs->data);
            }
            depend(x.addr, e.needs->address);
            depend(x.data, e.needs->data);
            depend(x.ctrl, e.needs->control);
            depend(x.addr_po, e.needs->earlier_addresses);
        }
    }
    for (std::uint32_t l = 0; l < graph.locations(); ++l) {
        const Location& location = graph.location(LocationId(l));
        std::vector<std::size_t> writes;
        for (const EventId w : location.coherence) {
            if (position[w.index] != kLeftOut) {
                writes.push_back(position[w.index]);
            }
        }
        if (!writes.empty()) {
            x.coherence[location.address] = std::move(writes);
        }
    }
    return x;
}

} // namespace heddle
