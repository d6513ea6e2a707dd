// Explorer: who goes on, and with what.
#include "search/dpor/explorer.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {
const char* Explorer::join_fault(const Action& join) const {
    const ThreadId other(static_cast<std::uint32_t>(join.value.lo));
    if (join.value.lo >= threads_.size() || !exists(other)) {
        return "join of a thread that does not exist";
    }
    const bool joined = ended(other) && graph_[graph_.last(other)].first_reader != kNoEvent;
    return joined ? "join of a thread that was joined before" : nullptr;
}

void Explorer::move_along(ThreadId id, Edge& edge) {
    Thread& t = threads_[id.index];
    stand(t, {.step = steps_.follow(*t.at.step, edge)});
}

void Explorer::move_on(ThreadId id, const Value& outcome) {
    Step& s = step_of(id);
    move_along(id, steps_.having(s, outcome));
}

Value Explorer::value_of(EventId e) const {
    const GraphEvent& event = graph_[e];
    if (event.kind == EventKind::Init) {
        const Location& l = graph_.location(event.location);
        return memory_.load(l.address, l.size);
    }
    return notes_[e.index].value;
}

void Explorer::locate(Step& s) {
    const Action& a = s.action;
    const auto cells = cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place);
    s.pieces = static_cast<std::uint8_t>(cells.size());
    s.location = cells[0];
}

LocationId Explorer::location_for(Step& s, std::uint32_t part) {
    // Both events of an update are of its one location.
    if (s.pieces == 1) {
        return s.location;
    }
    const Action& a = s.action;
    return cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place)[part];
}

bool Explorer::look_at(ThreadId t) {
    Thread& thread = threads_[t.index];
    Step* const s = thread.at.step;
    switch (s->action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Unlock:
        if (const AddressKind kind = kind_of(s->action.address);
            (kind == AddressKind::Heap || kind == AddressKind::Stack) && !memory_.objects().find(s->action.address)) {
            // An address that nobody gave to the thread: another time there was an object. It runs into its trap now.
            thread.at.step = steps_.arrive(s->state, s->loops);
            return look_at(t);
        }
        if (s->pieces == 0) {
            locate(*s);
        }
        return true;
    case ActionKind::Trap:
        if (!thread.told) {
            thread.told = true;
            report(*s->action.trap, t);
        }
        return false;
    case ActionKind::Join:
        if (const char* wrong = join_fault(s->action)) {
            if (!thread.told) {
                thread.told = true;
                report(machine_.trap_here(s->state, TrapKind::ThreadMisuse, wrong), t);
            }
            return false;
        }
        return true;
    case ActionKind::Loop:
        stop(Verdict::OutOfBudget,
             fmt::format(
                 "thread {} has gone {} times round this loop in one execution, and may do so for ever; --unroll N cuts loops",
                 t.index, s->action.count - 1),
             s->action.place);
        return false;
    default:
        return true;
    }
}

bool Explorer::can_go_on(ThreadId t, bool at_the_end) {
    if (!look_at(t)) {
        return false;
    }
    const Position& at = threads_[t.index].at;
    const Action& a = at.step->action;
    switch (a.kind) {
    case ActionKind::Block:
        return false;
    case ActionKind::Join:
        return ended(ThreadId(static_cast<std::uint32_t>(a.value.lo)));
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        if (at.waiting == kNoEvent) {
            return true;
        }
        find_sources(t); // it waits: only something new can change that
        const EventId because = graph_[at.waiting].source;
        if (because == kNoEvent || at_the_end) {
            return !sources_.empty();
        }
        return std::ranges::any_of(sources_, [&](EventId w) { return model_->contains(model_->prefix(w), because); });
    }
    default:
        return true;
    }
}

void Explorer::prune_steps() {
    const auto keep = [](const Position& at) {
        if (at.step) {
            at.step->kept = true;
        }
    };
    for (const Thread& t : threads_) {
        keep(t.at);
    }
    for (const Note& n : notes_) { // those of free slots too: they are few
        keep(n.before);
    }
    for (const Displaced& d : displaced_) {
        keep(d.at);
    }
    steps_.prune();
}

std::optional<ThreadId> Explorer::next_thread() {
    // An update that has read writes at once, so that one which cannot is noticed at once.
    for (std::uint32_t k = 0; unfinished_ > 0 && k < threads_.size(); ++k) {
        if (threads_[k].at.part > 0) {
            return ThreadId(k);
        }
    }
    for (const bool at_the_end : {false, true}) {
        bool some_wait = false;
        for (std::uint32_t k = 0; k < threads_.size() && !stopped_; ++k) {
            const ThreadId t(k);
            if (!exists(t) || finished(t)) {
                continue;
            }
            if (can_go_on(t, at_the_end)) {
                return t;
            }
            const Position& at = threads_[k].at;
            some_wait = some_wait || at.waiting != kNoEvent;
            if (at.step->action.kind == ActionKind::Join && !stopped_) {
                const ThreadId other(static_cast<std::uint32_t>(at.step->action.value.lo));
                if (at.step->action.value.lo < threads_.size() && exists(other) && finished(other) && !ended(other)) {
                    return other; // somebody waits for its end
                }
            }
        }
        if (!some_wait) {
            break;
        }
    }
    return std::nullopt;
}

} // namespace heddle
