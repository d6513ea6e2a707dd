#include "search/stateful/stepper.hpp"

#include "search/conclude/conclude.hpp"
#include "search/prologue/prologue.hpp"
#include "search/stateful/termination.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::stateful {
namespace {

Machine::Options machine_options(const CheckOptions& options) {
    Machine::Options o;
    o.spurious_wakeups = options.spurious_wakeups;
    o.unroll = options.unroll;
    o.patience = 1u << 22;
    return o;
}

/// So many actions in a row are collapsed at most.
constexpr unsigned kMostCollapsed = 500;

} // namespace

Stepper::Stepper(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, Findings& findings)
    : session_(session), options_(options), parts_(parts), findings_(findings),
      machine_(session.program, machine_options(options)), tables_(session.program, parts.objects),
      threads_(machine_, parts.threads, tables_, options.unroll != 0), contents_(parts.contents),
      memory_({.buffer = buffer, .bound = options.buffer, .delayed = options.tuning.delayed_flushing}, tables_, contents_, log_),
      renumbering_(session.program, threads_, tables_, contents_) {}

void Stepper::initial(const Emit& emit) {
    Prologue prologue = run_prologue(machine_);
    World w;
    std::vector<Object> made;
    prologue.memory.objects().for_each([&](const Object& o) {
        if (o.kind == ObjectKind::Global) {
            w.contents.push_back(contents_.intern(prologue.memory.contents(o)));
        } else {
            made.push_back(o);
        }
    });
    std::ranges::sort(made, {}, &Object::base);
    for (const Object& o : made) {
        w.contents.push_back(o.alive ? contents_.intern(prologue.memory.contents(o)) : contents_.nothing());
    }
    w.objects = tables_.intern(made, {});
    w.threads.push_back(threads_.arrive(std::move(prologue.main), w.objects));
    parts_.objects_made = parts_.objects_made || standing(w, 0).state.next_heap_region != 0 || !made.empty() ||
                          standing(w, 0).state.next_stack_region != 0;
    collapse(w, 0, 0, emit);
}

void Stepper::canonicalise(World& w) {
    if (parts_.objects_made) {
        renumbering_.apply(w);
    }
}

void Stepper::trim() {
    threads_.trim();
    renumbering_.trim();
}

void Stepper::successors(const World& w, const Emit& emit) {
    if (w.atomic != 0) {
        // Nobody else acts, unless the thread cannot go on.
        bool moves = false;
        steps_of(w, w.atomic - 1, [&](World& next) {
            moves = true;
            emit(next);
        });
        if (moves) {
            return;
        }
    }
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        if (w.atomic != t + 1) {
            steps_of(w, t, emit);
        }
    }
    memory_.flush_one(w, [&](World& next, const PendingStore& store) {
        const std::uint32_t words[3] = {store.thread, static_cast<std::uint32_t>(store.address),
                                        static_cast<std::uint32_t>(store.address >> 32)};
        const bool by_thread = memory_.options().buffer == Buffer::PerThread;
        mover_ = kFlush | static_cast<std::uint32_t>(by_thread ? store.thread : hash_words(words, 3));
        emit(next);
    });
}

void Stepper::steps_of(const World& w, std::uint32_t thread, const Emit& emit) {
    const std::size_t noted = log_.entries.size();
    mover_ = thread;
    perform(w, thread, [&](World& next) { collapse(next, thread, 0, emit); });
    log_.entries.resize(noted);
}

void Stepper::collapse(World& w, std::uint32_t mover, unsigned done, const Emit& emit) {
    if (options_.tuning.collapse_local && done < kMostCollapsed) {
        const std::size_t noted = log_.entries.size();
        const auto go = [&](std::uint32_t t) {
            if (!is_local(w, t)) {
                return false;
            }
            bool moves = false;
            perform(w, t, [&](World& next) {
                moves = true;
                collapse(next, t, done + 1, emit);
            });
            log_.entries.resize(noted);
            return moves; // what cannot be done yet must not take the state away with it
        };
        if (go(mover)) {
            return;
        }
        // A thread that has ended, or was started, may have given another something to do.
        const bool others = standing(w, mover).phase != ThreadPhase::Running || done > 0;
        for (std::uint32_t t = 0; others && t < w.threads.size(); ++t) {
            if (t != mover && go(t)) {
                return;
            }
        }
    }
    const bool all_ended =
        std::ranges::none_of(w.threads, [&](PartId t) { return threads_.at(t, w.objects).phase == ThreadPhase::Running; });
    if (all_ended && !w.pending.empty() && options_.tuning.delayed_flushing) {
        memory_.flush_all(w, [&](World& next) { emit(next); });
        return;
    }
    emit(w);
}

bool Stepper::is_private(const World& w, std::uint32_t t, const Action& a) {
    return options_.tuning.private_objects && renumbering_.is_private(w, t, a.address);
}

/// Sound under tso because whoever learns of the object later learns of it by a later store of this thread, which reaches memory after all that was stored
/// before it (section 3.4 of the paper). Under pso it need not. Not where buffers are bounded: it would take a place. Nor if the store has a fence
/// behind it that must drain something: others can tell.
bool Stepper::bypasses(const World& w, std::uint32_t t, const Action& a) {
    const bool waits = memory_.has_buffers() && drains_after(a.order) && !memory_.is_drained(w, t);
    return memory_.options().buffer != Buffer::PerLocation && memory_.options().bound == 0 && !waits && is_private(w, t, a);
}

bool Stepper::is_local(const World& w, std::uint32_t t) {
    const Standing& s = standing(w, t);
    if (s.phase != ThreadPhase::Running || (w.atomic != 0 && w.atomic != t + 1)) {
        return false;
    }
    const Action& a = s.action;
    const bool drained = !memory_.has_buffers() || memory_.is_drained(w, t);
    // In an atomic section nobody else acts. (Where flushes are steps, what waits for one must be a step too.)
    const bool alone = w.atomic == t + 1 && (memory_.options().delayed || !memory_.has_buffers());
    switch (a.kind) {
    case ActionKind::Alloc:
    case ActionKind::Choose:
    case ActionKind::Nondet:
        return true;
    case ActionKind::Fence:
        return !memory_.has_buffers() || drained ||
               (!is_full_fence(a.order) && !is_store_fence(memory_.options().buffer, a.order, a.fence));
    case ActionKind::Spawn:
    case ActionKind::Done:
    case ActionKind::Exit:
        return drained;
    case ActionKind::Join:
        return drained && a.value.lo < w.threads.size() &&
               standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Done;
    case ActionKind::Load:
        return a.wait == Wait::None && (alone || is_private(w, t, a));
    case ActionKind::Rmw:
        return a.wait == Wait::None && alone;
    case ActionKind::Store:
        return alone || bypasses(w, t, a);
    case ActionKind::Free:
        return alone || is_private(w, t, a);
    case ActionKind::Unlock:
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
        return alone;
    default:
        return false;
    }
}

void Stepper::note(Happened::Kind kind, std::uint32_t t, const Action& a, const Value& v, std::optional<std::uint32_t> tag,
                   bool update, ThreadId other) {
    if (log_.on) {
        log_.note({.kind = kind, .thread = ThreadId(t), .action = a, .value = v, .tag = tag, .update = update, .other = other});
    }
}

void Stepper::go_on(World& next, std::uint32_t t, const Value& outcome, const Emit& emit) {
    next.threads[t] = threads_.after(next.threads[t], next.objects, next.objects, outcome);
    emit(next);
}

void Stepper::perform(const World& w, std::uint32_t t, const Emit& emit) {
    const Standing& s = standing(w, t);
    if (s.phase != ThreadPhase::Running) {
        return;
    }
    const Action& a = s.action;
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock:
        return access(w, t, s, emit);
    case ActionKind::Store:
    case ActionKind::Unlock:
        return store(w, t, s, emit);
    case ActionKind::Choose:
    case ActionKind::Nondet:
        return choose(w, t, s, emit);
    case ActionKind::Block:
    case ActionKind::Trap:
        return;
    default:
        break;
    }
    World next = w;
    switch (a.kind) {
    case ActionKind::Fence:
        note(Happened::Kind::Other, t, a, {}, {}, false);
        if (is_full_fence(a.order) && !memory_.drain(next, t)) {
            return;
        }
        if (is_store_fence(memory_.options().buffer, a.order, a.fence)) {
            memory_.fence_stores(next, t);
        }
        return go_on(next, t, {}, emit);
    case ActionKind::Alloc:
        note(Happened::Kind::Other, t, a, {}, {}, false);
        memory_.allocate(next, a);
        parts_.objects_made = true;
        next.threads[t] = threads_.after(w.threads[t], w.objects, next.objects, {});
        return emit(next);
    case ActionKind::Free:
        return free(next, t, s, emit);
    case ActionKind::Spawn:
        return memory_.drain(next, t) ? spawn(next, t, s, emit) : void();
    case ActionKind::Join:
        return join(next, t, s, emit);
    case ActionKind::Done:
    case ActionKind::Exit:
        return memory_.drain(next, t) ? end(next, t, s, emit) : void();
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
        return memory_.drain(next, t) ? atomic(next, t, s, emit) : void();
    default:
        return go_on(next, t, {}, emit); // Pause: it goes round its loop again
    }
}

// --- accesses ------------------------------------------------------------------------------------------------------------------------------

/// Does the access look at part of a pointer? Renumbering would not see such a pointer.
bool Stepper::in_pieces(const World& w, const Action& a, const Value& v) {
    const auto points = [&](std::uint64_t word) {
        const Object* o = looks_like_made(word) ? tables_[w.objects].objects.find(word) : nullptr;
        return o && word >= o->base && word <= o->base + o->size;
    };
    if (a.address % 8 != 0 && a.size >= 8 && (points(v.lo) || (a.size == 16 && points(v.hi)))) {
        return true;
    }
    if (a.kind != ActionKind::Load || a.size >= 8) {
        return false;
    }
    const Address word = a.address & ~Address{7};
    const Object* o = tables_[w.objects].objects.find(word);
    return o && o->alive && word >= o->base && word + 8 <= o->base + o->size && points(memory_.load(w, word, 8).lo);
}

void Stepper::access(const World& w, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    World from = w;
    const bool update = a.kind != ActionKind::Load;
    memory_.read(from, t, a.address, a.size, update, [&](World& next, const Value& v) {
        const std::size_t noted = log_.entries.size();
        if (decides_by_value(a) && !v.defined()) {
            findings_.wrong(machine_.trap_here(s.state, TrapKind::UninitializedRead, kUninitializedLock), ThreadId(t), {});
            return;
        }
        if (in_pieces(w, a, v)) {
            findings_.stop(Verdict::Unsupported,
                           "a pointer to a heap object or a shared local that is read in pieces, or not at a multiple of 8",
                           a.place);
            return;
        }
        const ReadEffect effect = effect_of_read(a, v);
        if (effect.waits) {
            // It has looked, and what it found is so: others' stores may have had to come before.
            const bool changed = SharedMemory::is_contended(w, t, a.address, a.size) || (update && !memory_.is_drained(w, t));
            if (memory_.options().delayed && changed) {
                emit(next);
            }
            log_.entries.resize(noted);
            return;
        }
        std::optional<std::uint32_t> own;
        for (const PendingStore& p : next.pending.all()) {
            own = p.thread == t && p.overlaps(a.address, a.size) ? std::optional(p.tag) : own;
        }
        note(Happened::Kind::Read, t, a, v, own, update);
        if (effect.written) {
            const PendingStore written{.address = a.address,
                                       .value = *effect.written,
                                       .place = a.place,
                                       .thread = t,
                                       .tag = log_.next_tag,
                                       .size = a.size};
            note(Happened::Kind::Write, t, a, *effect.written, log_.next_tag, true);
            ++log_.next_tag;
            memory_.put(next, written); // what is pending there was found not to have reached memory yet
            if (a.weak) {
                findings_.assume(weak_compare_exchange(a));
            }
        }
        go_on(next, t, effect.outcome, emit);
        log_.entries.resize(noted);
    });
}

void Stepper::store(const World& w, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    const Value v = a.kind == ActionKind::Unlock ? Value{} : a.value;
    if (in_pieces(w, a, v)) {
        findings_.stop(Verdict::Unsupported,
                       "a pointer to a heap object or a shared local that is stored elsewhere than at a multiple of 8", a.place);
        return;
    }
    World next = w;
    note(Happened::Kind::Write, t, a, v, log_.next_tag, false);
    const PendingStore store{
        .address = a.address, .value = v, .place = a.place, .thread = t, .tag = log_.next_tag++, .size = a.size};
    if (bypasses(w, t, a)) {
        memory_.put(next, store);
    } else if (!memory_.write(next, store, a.order)) {
        return;
    }
    go_on(next, t, {}, emit);
}

void Stepper::free(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    const PartId before = next.objects;
    note(Happened::Kind::Other, t, a, {}, {}, false);
    for (const PendingStore& late : memory_.free(next, t, a)) {
        // It has not certainly reached memory before the object ended.
        if (auto fault = tables_[next.objects].objects.access_fault(late.address, late.size, true, false)) {
            findings_.wrong({.kind = fault->kind, .message = fault->message, .stack = {late.place}, .object = fault->object},
                            ThreadId(late.thread), {});
        }
    }
    next.threads[t] = threads_.after(next.threads[t], before, next.objects, {});
    emit(next);
}

// --- threads -------------------------------------------------------------------------------------------------------------------------------

void Stepper::choose(const World& w, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    Numbers numbers = numbers_of(a);
    if (numbers.assumption) {
        findings_.assume(std::move(*numbers.assumption));
    }
    if (numbers.too_many) {
        findings_.stop(Verdict::OutOfBudget, fmt::format("a choice among {} numbers", a.count), a.place);
        return;
    }
    const std::size_t noted = log_.entries.size();
    for (std::uint64_t k = 0; k < numbers.count; ++k) {
        World next = w;
        note(Happened::Kind::Other, t, a, {.lo = k}, {}, false);
        go_on(next, t, {.lo = k}, emit);
        log_.entries.resize(noted);
    }
}

void Stepper::spawn(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const auto id = session_.names.child(ThreadId(t), s.action.count);
    if (!id) {
        findings_.stop(Verdict::OutOfBudget, "more threads than Heddle can name", s.action.place);
        return;
    }
    note(Happened::Kind::Other, t, s.action, {}, {}, false, *id);
    if (next.threads.size() <= id->index) {
        next.threads.resize(id->index + 1, threads_.plain(ThreadPhase::Absent));
    }
    next.threads[id->index] = threads_.arrive(machine_.start_thread(s.action, *id), next.objects);
    go_on(next, t, {.lo = id->index}, emit);
}

void Stepper::join(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const auto other = static_cast<std::uint32_t>(s.action.value.lo);
    if (s.action.value.lo >= next.threads.size()) {
        return;
    }
    const Standing& joined = standing(next, other);
    if (joined.phase != ThreadPhase::Done || !memory_.drain(next, t)) {
        return; // it waits, or the join is wrong: who judges the state says so
    }
    const Value result = joined.result;
    note(Happened::Kind::Other, t, s.action, {}, {}, false, ThreadId(other));
    next.threads[other] = threads_.plain(ThreadPhase::Joined);
    go_on(next, t, result, emit);
}

void Stepper::end(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    note(Happened::Kind::Other, t, s.action, s.action.value, {}, false);
    next.threads[t] = s.action.kind == ActionKind::Exit ? threads_.plain(ThreadPhase::Exited) : threads_.done(s.action.value);
    emit(next);
}

void Stepper::atomic(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    if (s.action.kind == ActionKind::AtomicBegin) {
        if (next.atomic != 0 && next.atomic != t + 1) {
            return; // somebody is stuck in one
        }
        next.atomic = t + 1;
        ++next.depth;
    } else {
        if (next.atomic != t + 1) {
            findings_.wrong(machine_.trap_here(s.state, TrapKind::LockMisuse, "the end of an atomic section that was not begun"),
                            ThreadId(t), {});
            return;
        }
        next.atomic = --next.depth == 0 ? 0 : next.atomic;
    }
    go_on(next, t, {}, emit);
}

} // namespace heddle::stateful
