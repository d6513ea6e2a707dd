// ValueExplorer: loops that only try again, an iteration at a time.
//
// A loop such as
//     do { first = load(top); next = load(first->next); } while (!cas(top, first, next));
// fails when what it read no longer belongs together, and then tries again; iterations that fail are not in histories (dpor/spin.hpp). Read by read, the thread would
// read an old `first` and then wait at its compare-exchange for a value that does not come back, while the others go on in all their ways: each is a dead end. So the
// reads of an iteration, from the head of the loop on, are *one* choice, as in the search over traces (dpor/explorer_iterations.cpp, which says what an iteration is): one
// value for each of them such that it does not fail and the history stays realizable with the first of them, with the first two, and so on. Postponed is the whole iteration, before its
// first read; it goes on only with values of which that was not so before.
//
// Nothing is lost. Let the search follow a run of an execution: an operation is added when its turn has come in the run. Nobody else depends on the reads of an iteration but
// the last, if that is an update that stores. So they can all be added when the turn of the last one has come, and the history is realizable with the first of them, and so on, since that is
// a part of the run. A read (or iteration) r that is postponed, and has been possible all the time, is in the branch that has not postponed it: there an iteration of another thread comes
// after it, and must be possible with it, its first reads too. That is so if r was possible after these, before the update stored; so the history with them is one of the
// `baselines_`. (Before the iteration is not enough, as random programs showed: what the update stores may be what r has read, and without it there is no run.)
//
// What an iteration that fails does wrong by itself ends it, so that it counts as one that does not fail (a trap is not another iteration). What it does wrong because of what others do at
// the same time is not seen: to read what has been freed, so nothing of this is done if objects end while there are other threads; and to race, which is asked about apart (value_failures.cpp).
//
// A thread may also wait in a loop for good, or until somebody lets it go on. Such loops are read by read: where in an iteration the thread waits is part of a blocked execution. They are
// noticed when no iteration is possible (reading what a run leaves behind always is, if the loop does not wait), or when at the end of an execution some run leaves behind what
// makes the iteration fail again and again. Nothing is done as a whole before a loop has led to a dead end.
#include "search/value/value_explorer.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle {

/// Iterations that are tried one read after the other.
struct ValueExplorer::Trial {
    ThreadId thread;
    bool only_new;        ///< those that were not possible in one of the histories from `baseline` on
    bool any;             ///< one is enough
    std::size_t baseline; ///< of the thread
    std::vector<Reading> readings{};
    std::vector<Option> found{};
};

// --- what is an iteration ------------------------------------------------------------------------------------------------------------------

bool ValueExplorer::begins_iteration(ThreadId t) {
    const Step& s = step_of(t);
    return s.in_iteration == 1 && s.pieces == 1 && stands_at_read(t);
}

bool ValueExplorer::is_in_iteration(ThreadId t) {
    Step& s = step_of(t);
    if (s.in_iteration < 2) {
        return false;
    }
    if (s.action.kind == ActionKind::Fence) {
        return true;
    }
    if (steps_.arrive_without_object(s)) {
        return false; // a trap, which is looked at when the thread stands there
    }
    return look_at(t) && s.pieces == 1;
}

Step* ValueExplorer::next_read(Step* s) {
    while (s->in_iteration >= 2 && s->action.kind == ActionKind::Fence) {
        s = steps_.follow(*s, steps_.having(*s, {}));
    }
    if (s->in_iteration < 2 || steps_.arrive_without_object(*s)) {
        return nullptr;
    }
    if (s->pieces == 0) {
        locate(*s);
    }
    return s->pieces == 1 ? s : nullptr;
}

// --- the iterations that are possible ------------------------------------------------------------------------------------------------------

std::vector<ValueExplorer::Option> ValueExplorer::iterations_for(ThreadId t, bool only_new, bool any) {
    Trial trial{.thread = t, .only_new = only_new, .any = any, .baseline = threads_[t.index].baseline};
    // What is only tried leaves nothing behind but answers.
    const std::uint64_t events = result_.events;
    const bool grown = grown_;
    const bool in_a_row = in_a_row_;
    extend_iteration(trial, !only_new);
    result_.events = events;
    grown_ = grown;
    in_a_row_ = in_a_row;
    if (trial.found.empty() && !only_new && !stopped_) {
        learn_waiting(t);
    }
    return std::move(trial.found);
}

/// Pre: the thread stands at an event of the iteration. `is_new`: what was read so far was not possible before, or that does not count.
void ValueExplorer::extend_iteration(Trial& trial, bool is_new) {
    const ThreadId t = trial.thread;
    Step& s = step_of(t);
    const std::size_t before = edits_.size();
    const auto note = [&](bool was_not_there) {
        if (was_not_there) {
            trial.found.push_back(
                {.reading = trial.readings.front(), .rest = {trial.readings.begin() + 1, trial.readings.end()}});
        }
    };
    const auto go_further = [&](bool was_not_there) {
        is_in_iteration(t) ? extend_iteration(trial, was_not_there) : note(was_not_there);
        undo(before);
    };
    if (s.action.kind == ActionKind::Fence) {
        pass_fence(t);
        go_further(is_new);
        return;
    }
    any_readable(t, location_of(s, 0), [&](ValueId v) {
        if (stopped_ || (trial.any && !trial.found.empty())) {
            return true;
        }
        if (!steps_.reading(s, history_.value(v)).satisfies()) {
            return false;
        }
        if (!can_read(t, v, nullptr)) {
            if (foresees_) {
                note_prevented_store(t, v);
            }
            return false;
        }
        trial.readings.push_back(reading(t, v));
        const bool is_first = trial.readings.size() == 1;
        const bool was_not_there = is_new || this->is_new(t, v, trial.baseline, !is_first);
        Edge& edge = steps_.reading(s, history_.value(v));
        if (edge.writes || steps_.follow(s, edge)->in_iteration < 2) {
            note(was_not_there);
        } else {
            take(t, trial.readings.back());
            go_further(was_not_there);
        }
        trial.readings.pop_back();
        return false;
    });
}

// --- what may come of them -----------------------------------------------------------------------------------------------------------------

std::span<const ValueExplorer::ReadsThere> ValueExplorer::reads_ahead(ThreadId t) {
    if (t.index >= ahead_.size()) {
        ahead_.resize(t.index + 1);
    }
    Ahead& ahead = ahead_[t.index];
    Step* const from = &step_of(t);
    if (ahead.stores != history_.print_of_stores() || ahead.from != from || !asked_.tuning.remember_outlook) {
        ahead.stores = history_.print_of_stores();
        ahead.from = from;
        ahead.reads.clear();
        unsigned ways = 0;
        look_ahead(from, ahead.reads, ways);
        if (ways > kManyWays) {
            learn_waiting(t);
        }
    }
    return ahead.reads;
}

void ValueExplorer::look_ahead(Step* s, std::vector<ReadsThere>& reads, unsigned& ways) {
    const LocationId l = location_of(*s, 0);
    auto there = std::ranges::find(reads, l, &ReadsThere::location);
    if (there == reads.end()) {
        there = reads.insert(there, {.location = l, .reads = {}});
    }
    there->reads.push_back(s);
    any_candidate(l, [&](ValueId v) {
        Edge& edge = steps_.reading(*s, history_.value(v));
        if (++ways > kManyWays) {
            return true;
        }
        if (edge.satisfies() && !edge.writes) {
            if (Step* const next = next_read(steps_.follow(*s, edge))) {
                look_ahead(next, reads, ways);
            }
        }
        return false;
    });
}

const Edge* ValueExplorer::failing(ThreadId t, const std::function<ValueId(LocationId)>& latest) {
    Step* s = &step_of(t);
    const bool is_whole = begins_iteration(t);
    for (;;) {
        Edge& edge = steps_.reading(*s, history_.value(latest(location_of(*s, threads_[t.index].at.part))));
        if (!edge.satisfies()) {
            return &edge;
        }
        s = is_whole && !edge.writes ? next_read(steps_.follow(*s, edge)) : nullptr;
        if (!s) {
            return nullptr;
        }
    }
}

bool ValueExplorer::may_fail(Step* s) {
    const LocationId l = location_of(*s, 0);
    const auto fails_with = [&](ValueId v) {
        Edge& edge = steps_.reading(*s, history_.value(v));
        if (!edge.satisfies()) {
            return true;
        }
        Step* const next = edge.writes ? nullptr : next_read(steps_.follow(*s, edge));
        return next && may_fail(next);
    };
    const auto known = std::ranges::find(latest_, l, &std::pair<LocationId, ValueId>::first);
    if (known != latest_.end()) {
        return fails_with(known->second);
    }
    const std::size_t count = may_be_last(l).values.size();
    for (std::size_t k = 0; k < count; ++k) {
        const ValueId v = last_there_[l.index].values[k]; // further on others are looked at, and the list of lists may grow
        latest_.emplace_back(l, v);
        const bool fails = fails_with(v);
        latest_.pop_back();
        if (fails) {
            return true;
        }
    }
    return false;
}

// --- which loops ---------------------------------------------------------------------------------------------------------------------------

void ValueExplorer::learn_whole() {
    if (!asked_.tuning.whole_iterations || lessons_.objects_end) {
        return;
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId t(k);
        if (!threads_[k].exists || !threads_[k].postponed || begins_iteration(t)) {
            continue;
        }
        Step& s = step_of(t);
        if (!s.may_wait || s.pieces > 1) {
            continue;
        }
        Ref<LoopRecord> loop;
        const bool fails = any_candidate(location_of(s, 0), [&](ValueId v) {
            loop = steps_.reading(s, history_.value(v)).futile;
            return bool(loop);
        });
        if (!fails || lessons_.waiting.contains(key_of(*loop)) || lessons_.whole.contains(key_of(*loop))) {
            continue;
        }
        // If the first read of an iteration makes it fail, there is nothing to be done as a whole.
        ThreadState head = loop->state;
        machine_.resume(head, {});
        if (machine_.run(head, memory_.objects()).place == s.action.place) {
            continue;
        }
        lessons_.whole.insert(key_of(*loop));
        lessons_.look_around = asked_.tuning.look_around; // what is seen in other orders now
        throw LessonLearnt{};
    }
}

void ValueExplorer::learn_waiting(ThreadId t) {
    const LoopKey key = key_of(*innermost(step_of(t).loops.raw(), lessons_.whole));
    lessons_.waiting.insert(key);
    lessons_.whole.erase(key);
    throw LessonLearnt{};
}

void ValueExplorer::learn_ending() {
    lessons_.objects_end = true;
    if (!lessons_.whole.empty()) {
        lessons_.whole.clear();
        throw LessonLearnt{};
    }
}

} // namespace heddle
