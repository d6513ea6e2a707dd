#include "search/stateful/stepper.hpp"

#include "search/conclude/conclude.hpp"
#include "search/prologue/prologue.hpp"
#include "search/stateful/termination.hpp"
#include "support/check.hpp"

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

} // namespace

Stepper::Stepper(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, Findings& findings)
    : session_(session), options_(options), parts_(parts), findings_(findings),
      machine_(session.program, machine_options(options)), locals_(parts), tables_(session.program, locals_.objects),
      threads_(machine_, locals_.threads, tables_, options.unroll != 0), contents_(parts.contents, options.tuning.remember_moves),
      memory_({.buffer = buffer,
               .bound = options.buffer,
               .delayed = options.tuning.delayed_flushing,
               .remember = options.tuning.remember_moves},
              parts, tables_, contents_, pool_, log_),
      renumbering_(session.program, threads_, tables_, contents_) {}

void Stepper::prepare(const std::function<bool()>& gives_up) {
    const CheckOptions& options = options_;
    bool gave_up = false;
    prologue_.emplace(run_prologue(machine_, [&] { return gave_up = gives_up && gives_up(); }));
    if (gave_up) {
        return; // what memory holds by then may be too much to look at
    }
    // Where each flush is a step of its own, it is a step that others take: there is no telling what may come before.
    if (options.tuning.partial_order && options.tuning.collapse_local &&
        (options.tuning.delayed_flushing || !memory_.has_buffers())) {
        independence_ = std::make_unique<Independence>(threads_, memory_, session_.program, *prologue_);
    }
    if (options.races) {
        races_ = std::make_unique<RaceWatch>(machine_, threads_, tables_, findings_, independence_.get(), parts_.races_by_place);
    }
}

void Stepper::initial(const Emit& emit) {
    HEDDLE_CHECK(prologue_, "a search that was not prepared");
    Prologue prologue = std::move(*prologue_);
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
    collapse(w, {.mover = 0}, emit);
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
    choices_.trim(many);
    if (!threads_.is_more_than(many)) {
        return false;
    }
    threads_.forget();
    choices_.forget();
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
        steps_of(w, w.atomic - 1, Choices::kNoSituation, [&](World& next) {
            moves = true;
            emit(next);
        });
        if (moves) {
            return;
        }
    }
    const Choices::Situation now = situation(w);
    for (std::uint32_t t = 0; t < w.threads.size(); ++t) {
        if (w.atomic != t + 1) {
            steps_of(w, t, now, emit);
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

void Stepper::steps_of(const World& w, std::uint32_t thread, Choices::Situation now, const Emit& emit) {
    const Standing& s = standing(w, thread);
    if (!is_able(w, s)) {
        return;
    }
    const std::size_t noted = log_.entries.size();
    mover_ = thread;
    auto copy = pool_.copy(w);
    if (w.atomic != 0 && w.atomic != thread + 1 && memory_.decides_late()) {
        (*copy).depth |= World::kTorn;
    }
    Course course = course_of(s, thread, now);
    perform(*copy, thread, s, [&](World& next) {
        course.looped = threads_.looped();
        collapse(next, course, emit);
    });
    log_.entries.resize(noted);
}

bool Stepper::is_able(const World& w, const Standing& s) {
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

void Stepper::perform(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
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
        return go_on(next, t, s, {}, emit);
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
        return go_on(next, t, s, {}, emit); // Pause: it goes round its loop again
    }
}

} // namespace heddle::stateful
