#include "search/stateful/stepper.hpp"

#include "search/conclude/conclude.hpp"
#include "search/prologue/prologue.hpp"
#include "search/stateful/termination.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

Machine::Options machine_options(const CheckOptions& options) {
    Machine::Options o;
    o.spurious_wakeups = options.spurious_wakeups;
    o.unroll = options.unroll;
    o.patience = 1u << 22;
    o.loops = options.tuning.partial_order;
    return o;
}

/// So many actions in a row are collapsed at most.
constexpr unsigned kMostCollapsed = 500;

} // namespace

Stepper::Stepper(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, Findings& findings)
    : session_(session), options_(options), parts_(parts), findings_(findings),
      machine_(session.program, machine_options(options)), locals_(parts), tables_(session.program, locals_.objects),
      threads_(machine_, locals_.threads, tables_, options.unroll != 0), contents_(parts.contents),
      memory_({.buffer = buffer,
               .bound = options.buffer,
               .delayed = options.tuning.delayed_flushing,
               .remember = options.tuning.remember_moves},
              parts, tables_, contents_, pool_, log_),
      renumbering_(session.program, threads_, tables_, contents_) {
    // Where each flush is a step of its own, it is a step that others take: there is no telling what may come before.
    if (options.tuning.partial_order && options.tuning.collapse_local &&
        (options.tuning.delayed_flushing || buffer == Buffer::None)) {
        prologue_.emplace(run_prologue(machine_));
        independence_ = std::make_unique<Independence>(threads_, memory_, session.program, *prologue_);
    }
    if (options.races) {
        races_ = std::make_unique<RaceWatch>(machine_, threads_, tables_, findings, independence_.get(), parts.races_by_place);
    }
}

void Stepper::initial(const Emit& emit) {
    Prologue prologue = prologue_ ? std::move(*prologue_) : run_prologue(machine_);
    prologue_.reset();
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
    if (races_) {
        w.races.widen(w.threads.size());
    }
    collapse(w, 0, 0, false, emit);
}

void Stepper::canonicalise(World& w) {
    if (parts_.objects_made) {
        renumbering_.apply(w);
    }
    settle_races(w);
}

bool Stepper::trim() {
    const std::size_t many = options_.tuning.forget_from;
    memory_.trim(many);
    renumbering_.trim(many);
    if (!threads_.is_more_than(many)) {
        return false;
    }
    threads_.forget();
    tables_.clear();
    renumbering_.forget_ways();
    if (independence_) {
        independence_->forget_images();
    }
    locals_.threads.forget();
    locals_.objects.forget();
    return true;
}

void Stepper::successors(const World& w, const Emit& emit) {
    if (w.atomic != 0) {
        if (is_over(w)) {
            return;
        }
        // Nobody else acts, unless the thread waits for something in the section.
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
    if (memory_.options().delayed) {
        return;
    }
    memory_.flush_one(w, [&](World& next, const PendingStore& store) {
        const std::uint32_t words[3] = {store.thread, static_cast<std::uint32_t>(store.address),
                                        static_cast<std::uint32_t>(store.address >> 32)};
        const bool by_thread = memory_.options().buffer == Buffer::PerThread;
        mover_ = kFlush | static_cast<std::uint32_t>(by_thread ? store.thread : hash_words(words, 3));
        emit(next);
    });
}

bool Stepper::is_over(const World& w) {
    if (w.atomic == 0) {
        return false;
    }
    const Standing& s = standing(w, w.atomic - 1);
    return s.phase == ThreadPhase::Exited || (s.phase == ThreadPhase::Running && s.action.kind == ActionKind::Block);
}

void Stepper::steps_of(const World& w, std::uint32_t thread, const Emit& emit) {
    if (!is_able(w, thread)) {
        return;
    }
    const std::size_t noted = log_.entries.size();
    mover_ = thread;
    auto copy = pool_.copy(w);
    perform(*copy, thread, [&](World& next) { collapse(next, thread, 0, threads_.looped(), emit); });
    log_.entries.resize(noted);
}

bool Stepper::goes(const World& w, std::uint32_t t, bool local, bool looped) {
    const Standing& s = standing(w, t);
    return s.phase == ThreadPhase::Running && ((local && is_local(w, t, s)) || (!looped && is_independent(w, t, s)));
}

Stepper::Went Stepper::go(World& w, std::uint32_t t, unsigned done, bool& looped, const Emit& emit) {
    Went went = Went::Nowhere; // what cannot be done yet must not take the state away with it
    const auto take = [&](World& from) {
        perform(from, t, [&](World& next) {
            if (&next == &w) {
                went = Went::On;
                looped = looped || threads_.looped();
            } else {
                went = Went::Elsewhere;
                collapse(next, t, done + 1, looped || threads_.looped(), emit);
            }
        });
    };
    if (log_.on) { // what was done is told from there, and taken back behind it
        const std::size_t noted = log_.entries.size();
        auto copy = pool_.copy(w);
        take(*copy);
        log_.entries.resize(noted);
    } else {
        take(w);
    }
    return went;
}

void Stepper::collapse(World& w, std::uint32_t mover, unsigned done, bool looped, const Emit& emit) {
    while (options_.tuning.collapse_local && done < kMostCollapsed) {
        Went went = goes(w, mover, true, looped) ? go(w, mover, done, looped, emit) : Went::Nowhere;
        // A thread that has ended, or was started, may have given another something to do; and what the mover will not do any more may let others go on.
        const bool others = went == Went::Nowhere && (standing(w, mover).phase != ThreadPhase::Running || done > 0);
        const bool asked = others || (independence_ && !looped);
        for (std::uint32_t t = 0; went == Went::Nowhere && asked && t < w.threads.size(); ++t) {
            if (t != mover && goes(w, t, others, looped)) {
                went = go(w, t, done, looped, emit);
                mover = went == Went::On ? t : mover;
            }
        }
        if (went == Went::Elsewhere) {
            return;
        }
        if (went == Went::Nowhere) {
            break;
        }
        ++done;
    }
    const auto runs = [&](PartId t) { return threads_.at(t, w.objects).phase == ThreadPhase::Running; };
    if (!w.pending.empty() && options_.tuning.delayed_flushing && !runs(w.threads[mover]) &&
        std::ranges::none_of(w.threads, runs)) {
        memory_.flush_all(w, [&](World& next) { emit(next); });
        return;
    }
    emit(w);
}

bool Stepper::is_independent(const World& w, std::uint32_t t, const Standing& s) {
    return independence_ && w.atomic == 0 && is_access(s.action) && independence_->holds(w, t, s);
}

bool Stepper::is_private(const World& w, std::uint32_t t, const Action& a) {
    return options_.tuning.private_objects && looks_like_made(a.address) && renumbering_.is_private(w, t, a.address);
}

/// Sound under tso because whoever learns of the object later learns of it by a later store of this thread, which reaches memory after all that was stored
/// before it (section 3.4 of the paper). Under pso it need not. Not where buffers are bounded: it would take a place. Nor if the store has a fence
/// behind it that must drain something: others can tell.
bool Stepper::bypasses(const World& w, std::uint32_t t, const Action& a) {
    if (memory_.options().buffer == Buffer::PerLocation || memory_.options().bound != 0 || !looks_like_made(a.address)) {
        return false;
    }
    const bool waits = memory_.has_buffers() && drains_after(a.order) && !memory_.is_drained(w, t);
    return !waits && is_private(w, t, a);
}

bool Stepper::is_local(const World& w, std::uint32_t t, const Standing& s) {
    if (w.atomic != 0 && w.atomic != t + 1) {
        return false;
    }
    const Action& a = s.action;
    const auto drained = [&] { return !memory_.has_buffers() || memory_.is_drained(w, t); };
    // In an atomic section nobody else acts. (Where flushes are steps, what waits for one must be a step too.)
    const bool alone = w.atomic == t + 1 && (memory_.options().delayed || !memory_.has_buffers());
    switch (a.kind) {
    case ActionKind::Alloc:
    case ActionKind::Choose:
    case ActionKind::Nondet:
        return true;
    case ActionKind::Fence:
        return drained() || (!is_full_fence(a.order) && !is_store_fence(memory_.options().buffer, a.order, a.fence));
    case ActionKind::Spawn:
    case ActionKind::Done:
    case ActionKind::Exit:
        return drained();
    case ActionKind::Join:
        return a.value.lo < w.threads.size() && standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Done &&
               drained();
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

void Stepper::go_on(World& next, std::uint32_t t, const Value& outcome, const Emit& emit) {
    next.threads[t] = threads_.after(next.threads[t], next.objects, next.objects, outcome);
    emit(next);
}

bool Stepper::is_able(const World& w, std::uint32_t t) {
    const Standing& s = standing(w, t);
    if (s.phase != ThreadPhase::Running) {
        return false;
    }
    const Action& a = s.action;
    switch (a.kind) {
    case ActionKind::Block:
    case ActionKind::Trap:
        return false;
    case ActionKind::Join: // it waits, or the join is wrong: who judges the state says so
        return a.value.lo < w.threads.size() && standing(w, static_cast<std::uint32_t>(a.value.lo)).phase == ThreadPhase::Done;
    default:
        return true;
    }
}

void Stepper::perform(World& next, std::uint32_t t, const Emit& emit) {
    const Standing& s = standing(next, t);
    const Action& a = s.action;
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock:
        return access(next, t, s, emit);
    case ActionKind::Store:
    case ActionKind::Unlock:
        return store(next, t, s, emit);
    case ActionKind::Choose:
    case ActionKind::Nondet:
        return choose(next, t, s, emit);
    case ActionKind::Fence:
        note(Happened::Kind::Other, t, a, {}, {}, false);
        if (is_full_fence(a.order) && !memory_.drain(next, t)) {
            return;
        }
        if (is_store_fence(memory_.options().buffer, a.order, a.fence)) {
            memory_.fence_stores(next, t);
        }
        if (races_) {
            next.races.fence(t, a.order);
        }
        return go_on(next, t, {}, emit);
    case ActionKind::Alloc:
        note(Happened::Kind::Other, t, a, {}, {}, false);
        return allocate(next, t, s, emit);
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

} // namespace heddle::stateful
