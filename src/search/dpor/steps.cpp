#include "search/dpor/steps.hpp"

#include <algorithm>

namespace heddle {
namespace {

/// So many iterations in one execution are taken for a loop that never ends.
constexpr std::uint64_t kEndless = 100'000;

bool reads(const Action& a) { return a.kind == ActionKind::Load || a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock; }

} // namespace

void Step::destroy(Step* s) {
    Steps& steps = s->steps;
    steps.condemned_.push_back(s);
    if (steps.destroying_) {
        return;
    }
    steps.destroying_ = true;
    while (!steps.condemned_.empty()) {
        Step* const next = steps.condemned_.back();
        steps.condemned_.pop_back();
        if (next->older) {
            next->older->newer = next->newer;
        }
        (next->newer ? next->newer->older : steps.newest_) = next->older;
        --steps.count_;
        delete next; // may condemn others
    }
    steps.destroying_ = false;
}

Steps::~Steps() {
    for (Step* s = newest_; s; s = s->older) {
        s->retain(); // so that none goes while we walk
    }
    for (Step* s = newest_; s; s = s->older) {
        forget(*s);
    }
    for (Step* s = newest_; s;) {
        Step* const older = s->older;
        const Ref<Step> last = Ref<Step>::adopt(s);
        s = older;
    }
}

void Steps::forget(Step& s) {
    s.edges.clear();
    s.spawned = {};
}

void Steps::prune_now() {
    std::vector<Ref<Step>> all;
    all.reserve(count_);
    for (Step* s = newest_; s; s = s->older) {
        s->retain();
        all.push_back(Ref<Step>::adopt(s));
    }
    for (const Ref<Step>& s : all) {
        forget(*s);
    }
    all.clear();
    enough_ = std::max(kEnough, 2 * count_); // a long execution stands on many
}

Ref<Step> Steps::arrive(ThreadState state, Ref<LoopRecord> loops) {
    auto* const s = new Step(*this);
    s->older = newest_;
    if (newest_) {
        newest_->newer = s;
    }
    newest_ = s;
    ++count_;
    s->state = std::move(state);
    s->loops = std::move(loops);
    for (bool standing = false; !standing;) {
        s->action = machine_.run(s->state, objects_);
        switch (s->action.kind) {
        // What no other thread can see.
        case ActionKind::Output:
            s->loops = {};
            machine_.resume(s->state, {});
            break;
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(s->state, {});
            break;
        case ActionKind::Loop:
            if (s->action.count > kEndless) {
                standing = true;
                break;
            }
            s->loops = arrived(s->loops, s->state, s->action.count);
            machine_.resume(s->state, {});
            break;
        default:
            standing = true;
        }
    }
    const Action& a = s->action;
    s->may_wait = reads(a) && ((a.kind == ActionKind::Lock && !a.try_only) || a.wait != Wait::None || s->loops);
    return Ref<Step>::adopt(s);
}

Edge* Steps::find(Step& s, const Value& v) {
    if (!remembers_) {
        s.edges.clear();
        return nullptr;
    }
    for (Edge& e : s.edges) {
        if (e.value == v) {
            return &e;
        }
    }
    return nullptr;
}

Edge& Steps::reading(Step& s, const Value& v) {
    if (Edge* known = find(s, v)) {
        return *known;
    }
    const ReadEffect effect = effect_of_read(s.action, v);
    Edge e{.value = v, .waits = effect.waits, .writes = effect.written.has_value(), .outcome = effect.outcome};
    if (effect.written) {
        e.written = *effect.written;
    }
    const bool changes = effect.written && *effect.written != v;
    if (s.loops && !changes && s.pieces <= 1) {
        const LoopRecord* loop = futile(machine_, objects_, s.loops, s.state, effect.outcome);
        for (Ref<LoopRecord> r = s.loops; loop && r; r = r->outer) {
            if (r.raw() == loop) {
                e.futile = r;
            }
        }
    }
    return s.edges.emplace_back(std::move(e));
}

Edge& Steps::having(Step& s, const Value& outcome) {
    if (Edge* known = find(s, outcome)) {
        return *known;
    }
    return s.edges.emplace_back(Edge{.value = outcome, .outcome = outcome});
}

Ref<Step> Steps::follow(Step& s, Edge& e) {
    if (e.next) {
        return e.next;
    }
    // Reads and fences leave nothing behind; after anything else a loop's iteration has had an effect.
    const ActionKind kind = s.action.kind;
    const bool leaves_nothing = kind == ActionKind::Fence || (reads(s.action) && !e.writes);
    ThreadState after = s.state;
    machine_.resume(after, e.outcome);
    Ref<Step> next = arrive(std::move(after), leaves_nothing ? s.loops : Ref<LoopRecord>{});
    if (next->action.kind != ActionKind::Trap) { // which may be about an object that is there another time
        e.next = next;
    }
    return next;
}

Ref<Step> Steps::spawned(Step& s, ThreadId id) {
    if (!s.spawned || !remembers_) {
        s.spawned = arrive(machine_.start_thread(s.action, id), {});
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
