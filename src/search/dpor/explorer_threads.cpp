// Explorer: who goes on, and with what.
#include "search/dpor/explorer.hpp"

namespace heddle {
namespace {

bool is_atomic(const Action& a) {
    return a.order != Order::NonAtomic || a.kind == ActionKind::Lock || a.kind == ActionKind::Unlock;
}

} // namespace

const Action& Explorer::action_of(ThreadId id) {
    Thread& t = threads_[id.index];
    while (!t.known) {
        t.action = machine_.run(t.at.state, memory_.objects());
        switch (t.action.kind) {
        // What no other thread can see.
        case ActionKind::Output:
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(t.at.state, {});
            break;
        default:
            t.known = true;
        }
    }
    return t.action;
}

void Explorer::move_on(ThreadId id, const Value& outcome) {
    Thread& t = threads_[id.index];
    machine_.resume(t.at.state, outcome);
    t.at.step = 0;
    t.at.waiting = kNoEvent;
    t.known = false;
}

Value Explorer::value_of(EventId e) const {
    const GraphEvent& event = graph_[e];
    if (event.kind == EventKind::Init) {
        const Location& l = graph_.location(event.location);
        return memory_.load(l.address, l.size);
    }
    return notes_[e.index].value;
}

std::uint32_t Explorer::pieces_of(const Action& a) {
    return static_cast<std::uint32_t>(cells_.of(memory_.objects(), a.address, a.size, is_atomic(a)).size());
}

LocationId Explorer::location_for(const Action& a, std::uint32_t step) {
    const auto cells = cells_.of(memory_.objects(), a.address, a.size, is_atomic(a));
    // Both events of an update are of its one location.
    return cells.size() == 1 ? cells[0] : cells[step];
}

bool Explorer::satisfies(const Position& at, const Action& a, const Value& v) {
    static_cast<void>(at);
    return !effect_of_read(a, v).waits;
}

bool Explorer::can_go_on(ThreadId t, const Action& a) {
    switch (a.kind) {
    case ActionKind::Block:
    case ActionKind::Trap:
        return false;
    case ActionKind::Join: {
        const ThreadId other(static_cast<std::uint32_t>(a.value.lo));
        return ended(other);
    }
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        const Position& at = threads_[t.index].at;
        if (at.waiting == kNoEvent) {
            return true;
        }
        find_sources(t, a); // it waits: only something new can change that
        return !sources_.empty();
    }
    default:
        return true;
    }
}

std::optional<ThreadId> Explorer::next_thread() {
    // An update that has read writes at once, so that one which cannot is noticed at once.
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].at.step > 0 && exists(ThreadId(k))) {
            action_of(ThreadId(k));
            return ThreadId(k);
        }
    }
    for (std::uint32_t k = 0; k < threads_.size() && !stopped_; ++k) {
        const ThreadId t(k);
        if (!exists(t) || ended(t)) {
            continue;
        }
        const bool fresh = !threads_[k].known;
        const Action& a = action_of(t);
        if (fresh && a.kind == ActionKind::Trap) {
            report(*a.trap, t);
        }
        if (can_go_on(t, a)) {
            return t;
        }
    }
    return std::nullopt;
}

} // namespace heddle
