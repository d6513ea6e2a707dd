// Explorer: who goes on, and with what.
#include "search/dpor/explorer.hpp"

#include <fmt/format.h>

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
            t.at.loops = {};
            machine_.resume(t.at.state, {});
            break;
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(t.at.state, {});
            break;
        case ActionKind::Loop:
            arrive_at_loop(id, t.action);
            break;
        case ActionKind::Join:
            if (const char* wrong = join_fault(t.action)) {
                Trap trap = machine_.trap_here(t.at.state, TrapKind::ThreadMisuse, wrong);
                t.action = {};
                t.action.kind = ActionKind::Trap;
                t.action.trap = std::make_shared<const Trap>(std::move(trap));
            }
            t.known = true;
            break;
        default:
            t.known = true;
        }
    }
    return t.action;
}

const char* Explorer::join_fault(const Action& join) const {
    const ThreadId other(static_cast<std::uint32_t>(join.value.lo));
    if (join.value.lo >= threads_.size() || !exists(other)) {
        return "join of a thread that does not exist";
    }
    const bool joined = ended(other) && graph_[graph_.last(other)].first_reader != kNoEvent;
    return joined ? "join of a thread that was joined before" : nullptr;
}

void Explorer::move_on(ThreadId id, const Action& a, const Value& outcome) {
    Thread& t = threads_[id.index];
    // Reads and fences leave nothing behind; after anything else a loop's iteration has had an effect.
    if (a.kind != ActionKind::Load && a.kind != ActionKind::Rmw && a.kind != ActionKind::Fence) {
        t.at.loops = {};
    }
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
    return static_cast<std::uint32_t>(cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place).size());
}

LocationId Explorer::location_for(const Action& a, std::uint32_t step) {
    const auto cells = cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place);
    // Both events of an update are of its one location.
    return cells.size() == 1 ? cells[0] : cells[step];
}

/// So many iterations in one execution are taken for a loop that never ends.
constexpr std::uint64_t kEndless = 100'000;

void Explorer::arrive_at_loop(ThreadId id, const Action& a) {
    Thread& t = threads_[id.index];
    if (a.count > kEndless) {
        stop(Verdict::OutOfBudget,
             fmt::format(
                 "thread {} has gone {} times round this loop in one execution, and may do so for ever; --unroll N cuts loops",
                 id.index, kEndless),
             a.place);
        t.action.kind = ActionKind::Block;
        t.known = true;
        return;
    }
    t.at.loops = arrived(t.at.loops, t.at.state, a.count);
    machine_.resume(t.at.state, {});
}

const LoopRecord* Explorer::spins(const Position& at, const Action& a, const Value& v) {
    if (!at.loops || (a.kind != ActionKind::Load && a.kind != ActionKind::Rmw) || pieces_of(a) > 1) {
        return nullptr;
    }
    const ReadEffect effect = effect_of_read(a, v);
    const bool changes = effect.written && *effect.written != v;
    return changes ? nullptr : futile(machine_, memory_.objects(), at.loops, at.state, effect.outcome);
}

bool Explorer::satisfies(const Position& at, const Action& a, const Value& v) {
    return !effect_of_read(a, v).waits && !spins(at, a, v);
}

bool Explorer::can_go_on(ThreadId t, const Action& a, bool at_the_end) {
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

std::optional<ThreadId> Explorer::next_thread() {
    // An update that has read writes at once, so that one which cannot is noticed at once.
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].at.step > 0 && exists(ThreadId(k))) {
            action_of(ThreadId(k));
            return ThreadId(k);
        }
    }
    for (const bool at_the_end : {false, true}) {
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
            if (can_go_on(t, a, at_the_end)) {
                return t;
            }
        }
    }
    return std::nullopt;
}

} // namespace heddle
