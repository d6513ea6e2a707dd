// What a Stepper does in one step: which actions, besides the first.
#include "search/conclude/conclude.hpp"
#include "search/stateful/stepper.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

/// So many actions in a row are collapsed at most.
constexpr unsigned kMostCollapsed = 500;
/// Where choices could have been made in so many ways, the next one is another step's: different ways may lead to the same state.
constexpr std::uint64_t kMostWays = 64;

bool is_choice(const Action& a) { return a.kind == ActionKind::Choose || a.kind == ActionKind::Nondet; }

} // namespace

bool Stepper::goes(const World& w, std::uint32_t t, bool local, const Course& course) {
    const Standing& s = standing(w, t);
    const bool too_many = course.ways >= kMostWays && is_choice(s.action);
    return s.phase == ThreadPhase::Running &&
           ((local && !too_many && is_local(w, t, s)) || (!course.looped && is_independent(w, t, s)));
}

std::uint32_t Stepper::ask(const World& w, const Course& course, std::uint32_t last) {
    const std::uint32_t mover = course.mover;
    if (last == kNobody && goes(w, mover, true, course)) {
        return mover;
    }
    // A thread that has ended, or was started, may have given another something to do; and what the mover will not do any more may let others go on.
    const bool others = standing(w, mover).phase != ThreadPhase::Running || course.done > 0;
    const bool asked = others || (independence_ && !course.looped);
    const std::uint32_t first = last == kNobody || last == mover ? 0 : last + 1;
    for (std::uint32_t t = first; asked && t < w.threads.size(); ++t) {
        if (t != mover && goes(w, t, others, course)) {
            return t;
        }
    }
    return kNobody;
}

std::uint32_t Stepper::find_sort(const World& w, std::uint32_t t) {
    const Standing& s = standing(w, t);
    s.sort = choices_.sort_of(s, independence_->number(w, t, s));
    return s.sort;
}

Choices::Situation Stepper::situation(const World& w) {
    const std::size_t n = w.threads.size();
    const bool named = w.pending.has_image() || w.pending.empty();
    // Without reduction little is asked, which is sooner found than looked up.
    if (!independence_ || !options_.tuning.remember_moves || log_.on || w.atomic != 0 || !named || n > Choices::kMostThreads) {
        return Choices::kNoSituation;
    }
    Choices::Makings makings(w.pending.shape_id());
    for (std::uint32_t t = 0; t < n; t += 2) {
        const std::uint32_t one = sort(w, t);
        makings.add(one, t + 1 < n ? sort(w, t + 1) : 0);
    }
    return choices_.find(makings);
}

Choices::Situation Stepper::situation(const World& w, const Course& course) {
    const bool named = w.pending.has_image() || w.pending.empty();
    if (course.before == Choices::kNoSituation || !named) {
        return situation(w);
    }
    const Choices::Change change(course.before, course.mover, course.joined, sort(w, course.mover), w.pending.shape_id());
    Choices::Situation now = choices_.after(change);
    if (now == Choices::kNoSituation) {
        now = situation(w);
        choices_.learn_change(change, now);
    }
    return now;
}

/// An action of these kinds changes, of all that makes a situation, only what its thread stands at, what is pending, and whether the one it joins was joined.
Stepper::Course Stepper::course_of(const Standing& s, std::uint32_t t, Choices::Situation before) {
    Course course{.mover = t};
    const Action& a = s.action;
    switch (a.kind) {
    case ActionKind::Join:
        course.joined = static_cast<std::uint32_t>(a.value.lo);
        [[fallthrough]];
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
    case ActionKind::Lock:
    case ActionKind::Unlock:
    case ActionKind::Fence:
    case ActionKind::Pause:
    case ActionKind::Done:
    case ActionKind::Exit:
        course.before = before;
        break;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        course.before = before;
        course.ways = std::max<std::uint64_t>(1, numbers_of(a).count);
        break;
    default:
        break;
    }
    return course;
}

std::uint32_t Stepper::choose(const World& w, const Course& course, Choices::Situation now) {
    if (now == Choices::kNoSituation || course.ways >= kMostWays) {
        return ask(w, course, kNobody);
    }
    const bool first = course.done == 0;
    const Choices::Answer known = choices_.answer(now, course.mover, first, course.looped);
    if (known != Choices::kNotKnown) {
        return known == Choices::kNobody ? kNobody : known;
    }
    looked_around_ = false;
    std::uint32_t who = ask(w, course, kNobody);
    if (!looked_around_) {
        choices_.learn(now, course.mover, first, course.looped,
                       who == kNobody ? Choices::kNobody : static_cast<Choices::Answer>(who));
    }
    return who;
}

Stepper::Went Stepper::go(World& w, std::uint32_t t, Course& course, Choices::Situation now, const Emit& emit) {
    Went went = Went::Nowhere; // what cannot be done yet must not take the state away with it
    const Standing& s = standing(w, t);
    Course next = course_of(s, t, now);
    next.done = course.done + 1;
    next.ways *= course.ways;
    const auto take = [&](World& from) {
        perform(from, t, s, [&](World& made) {
            next.looped = course.looped || threads_.looped();
            if (&made == &w) {
                went = Went::On;
            } else {
                went = Went::Elsewhere;
                collapse(made, next, emit);
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
    if (went == Went::On) {
        course = next;
    }
    return went;
}

void Stepper::collapse(World& w, Course course, const Emit& emit) {
    while (options_.tuning.collapse_local && course.done < kMostCollapsed) {
        const Choices::Situation now = situation(w, course);
        Went went = Went::Nowhere;
        for (std::uint32_t who = choose(w, course, now); who != kNobody && went == Went::Nowhere;) {
            went = go(w, who, course, now, emit);
            who = went == Went::Nowhere ? ask(w, course, who) : who;
        }
        if (went == Went::Elsewhere) {
            return;
        }
        if (went == Went::Nowhere) {
            break;
        }
    }
    const auto runs = [&](PartId t) { return threads_.at(t, w.objects).phase == ThreadPhase::Running; };
    if (!w.pending.empty() && options_.tuning.delayed_flushing && !runs(w.threads[course.mover]) &&
        std::ranges::none_of(w.threads, runs)) {
        memory_.flush_all(w, [&](World& next) { emit(next); });
        return;
    }
    emit(w);
}

bool Stepper::is_independent(const World& w, std::uint32_t t, const Standing& s) {
    if (!independence_ || w.atomic != 0 || !is_access(s.action)) {
        return false;
    }
    const bool holds = independence_->holds(w, t, s);
    looked_around_ = independence_->looked_at_memory() || looked_around_;
    return holds;
}

bool Stepper::is_private(const World& w, std::uint32_t t, const Action& a) {
    if (!options_.tuning.private_objects || !looks_like_made(a.address)) {
        return false;
    }
    looked_around_ = true;
    return renumbering_.is_private(w, t, a.address);
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

} // namespace heddle::stateful
