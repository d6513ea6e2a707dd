#include "search/dpor/steps.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

/// So many iterations in one execution are taken for a loop that never ends.
constexpr std::uint64_t kEndless = 100'000;
/// So many events of an iteration are done as a whole; what comes after them, one by one.
constexpr std::uint8_t kLongIteration = 12;

/// May a trap of this kind be about an object that is there another time?
bool may_be_about_object(TrapKind kind) {
    switch (kind) {
    case TrapKind::Assertion:
    case TrapKind::ReachError:
    case TrapKind::Abort:
    case TrapKind::NullDereference:
    case TrapKind::DivisionByZero:
    case TrapKind::DivisionOverflow:
    case TrapKind::Unreachable:
        return false;
    default:
        return true;
    }
}

bool reads(const Action& a) { return a.kind == ActionKind::Load || a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock; }

} // namespace

void Steps::prune() {
    std::erase_if(steps_, [](const std::unique_ptr<Step>& s) { return !s->kept; });
    for (const auto& s : steps_) {
        s->kept = false;
        s->edges.clear();
        s->spawned = nullptr;
    }
    enough_ = std::max(kEnough, 2 * steps_.size()); // a long execution stands on many
}

Step* Steps::arrive(ThreadState state, Ref<LoopRecord> loops, std::uint8_t in_iteration, Action* first, Address awaited) {
    Step* const s = steps_.emplace_back(std::make_unique<Step>()).get();
    s->in_iteration = in_iteration;
    s->awaited = awaited;
    s->state = std::move(state);
    s->loops = std::move(loops);
    for (bool standing = false; !standing;) {
        if (first) {
            s->action = std::move(*std::exchange(first, nullptr));
        } else {
            s->action = machine_.run(s->state, objects_);
        }
        switch (s->action.kind) {
        // What no other thread can see.
        case ActionKind::Output:
            s->loops = {};
            s->in_iteration = 0;
            machine_.resume(s->state, {});
            break;
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(s->state, {});
            break;
        case ActionKind::Loop:
            if (s->action.count > busiest_.count) {
                busiest_ = {s->action.count, s->action.place};
            }
            if (s->action.count > kEndless) {
                standing = true;
                break;
            }
            s->loops = arrived(s->loops, s->state, s->action.count);
            // An iteration may begin with a loop inside: nothing has been read before it.
            s->in_iteration = s->in_iteration == 1 || lessons_.whole.contains(key_of(*s->loops)) ? 1 : 0;
            machine_.resume(s->state, {});
            break;
        case ActionKind::Trap:
            standing = !s->action.in_passing;
            if (!standing) {
                s->failures.push_back(s->action.trap);
                machine_.resume(s->state, {});
            }
            break;
        default:
            standing = true;
        }
    }
    const Action& a = s->action;
    const bool waits = (a.kind == ActionKind::Lock && !a.try_only) || a.wait != Wait::None;
    s->may_wait = reads(a) && (waits || s->loops);
    // Where the library waits, a thread may come to stand for good: no iteration goes beyond.
    if (waits || !(reads(a) || a.kind == ActionKind::Fence)) {
        s->in_iteration = 0;
    }
    if (s->in_iteration > 0 && !lessons_.awaiting.empty()) {
        look_at_awaiting(*s);
    }
    return s;
}

/// No iteration that waits goes beyond an access of which failed ones might be wrong (explorer_awaits.cpp). Where the loop waits for one location, it does not go to another:
/// that is mostly behind the loop.
void Steps::look_at_awaiting(Step& s) const {
    const LoopKey loop = key_of(*innermost(s.loops.raw(), lessons_.whole));
    if (!lessons_.awaiting.contains(loop)) {
        return;
    }
    const bool one = !lessons_.scattered.contains(loop);
    const Action& a = s.action;
    if (a.kind != ActionKind::Fence) {
        const bool kind = a.kind == ActionKind::Load || (a.kind == ActionKind::Rmw && one);
        const bool place = !one || s.in_iteration == 1 || a.address == s.awaited;
        if (!kind || !place || !is_atomic(a) || kind_of(a.address) != AddressKind::Global) {
            s.in_iteration = 0;
        }
    }
    s.awaits_one = one && s.in_iteration > 0;
}

Edge& Steps::read(Step& s, const Value& v) {
    const ReadEffect effect = effect_of_read(s.action, v);
    Edge e{.value = v, .waits = effect.waits, .writes = effect.written.has_value(), .outcome = effect.outcome};
    if (effect.written) {
        e.written = *effect.written;
    }
    const bool changes = effect.written && *effect.written != v;
    std::optional<Ahead> ahead;
    if (s.loops && !changes && s.pieces <= 1) {
        const LoopRecord* loop = futile(machine_, objects_, s.loops, s.state, effect.outcome, ahead);
        for (Ref<LoopRecord> r = s.loops; loop && r; r = r->outer) {
            if (r.raw() == loop) {
                e.futile = r;
            }
        }
    }
    Edge& edge = s.edges.emplace_back(std::move(e));
    // Who asks about a value that lets the thread go on mostly goes there next, and it has been run to there. (In a trap: see run.)
    if (ahead && remembers_ && edge.satisfies() && s.pieces == 1 && ahead->action.kind != ActionKind::Trap) {
        run(s, edge, std::move(ahead));
    }
    return edge;
}

Step* Steps::run(Step& s, Edge& e, std::optional<Ahead> ahead) {
    // Reads and fences leave nothing behind; after anything else a loop's iteration has had an effect.
    const bool leaves_nothing = s.action.kind == ActionKind::Fence || (reads(s.action) && !e.writes);
    ThreadState after = ahead ? std::move(ahead->state) : s.state;
    if (!ahead) {
        machine_.resume(after, e.outcome);
    }
    const bool goes_on = leaves_nothing && s.in_iteration > 0 && s.in_iteration < kLongIteration && s.pieces <= 1;
    const bool before = s.action.kind == ActionKind::Fence && s.in_iteration == 1; // nothing has been read yet
    Step* const next =
        arrive(std::move(after), leaves_nothing ? s.loops : Ref<LoopRecord>{},
               goes_on ? static_cast<std::uint8_t>(s.in_iteration + (before ? 0 : 1)) : std::uint8_t{0},
               ahead ? &ahead->action : nullptr, s.action.kind == ActionKind::Fence ? s.awaited : s.action.address);
    next->failed = s.is_after_failure();
    const bool swaps = next->action.kind == ActionKind::Rmw && next->action.rmw == RmwOp::CompareExchange;
    if (swaps && s.loops && s.loops.raw() == next->loops.raw() && reads(s.action)) {
        const LoopKey loop = key_of(*s.loops);
        if (std::ranges::find(swapping_, loop) == swapping_.end()) {
            swapping_.push_back(loop);
        }
    }
    if (next->action.kind != ActionKind::Trap || !may_be_about_object(next->action.trap->kind)) {
        e.next = next;
    }
    return next;
}

Step* Steps::spawned(Step& s, ThreadId id) {
    if (!s.spawned || !remembers_) {
        s.spawned = arrive(machine_.start_thread(s.action, id), {});
        s.spawned->failed = s.is_after_failure();
    }
    return s.spawned;
}

void Steps::allocated(const Action& alloc) {
    if (!remembers_) {
        return;
    }
    const auto [it, fresh] = extents_.try_emplace(alloc.address, alloc.count);
    if (!fresh && it->second != alloc.count) {
        remembers_ = false;
    }
}

} // namespace heddle
