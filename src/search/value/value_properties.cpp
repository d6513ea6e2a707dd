// ValueExplorer: how executions end, and what is wrong with them.
//
// Values decide what a thread does, so whatever a thread does wrong by itself is in the history. Three questions are about more: is an access after the
// free of its object, what does memory hold in the end (leaks), and does a thread that waits wait for good. Each is asked of the Realizer as a question
// about the runs of the history at hand. As soon as one run goes wrong, it is shown.
//
// So are data races, at the end of an execution: a race stays one whatever comes after it, and every execution can be gone on with. Happens-before depends
// on which write of a value is read, so where no run races all of them are looked at, and nothing is left of the reduction for that execution.
#include "search/value/value_explorer.hpp"

#include "property/races.hpp"
#include "search/conclude/conclude.hpp"
#include "search/conclude/names.hpp"
#include "search/conclude/stuck.hpp"
#include "search/dpor/endings.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace heddle {

void ValueExplorer::assume(Assumption a) {
    if (assumed_.insert(std::pair(a.kind, a.place.index)).second) {
        result_.assumptions.push_back(std::move(a));
    }
}

void ValueExplorer::report(Trap trap, ThreadId thread, const Question& question, const std::vector<OpAt>& about,
                           std::vector<Violation::Other> also) {
    if (is_sequential_ && !looks_around_) {
        learn_weak();
    }
    if (trap.kind == TrapKind::Unsupported || trap.kind == TrapKind::OutOfBudget) {
        stop(trap.kind == TrapKind::Unsupported ? Verdict::Unsupported : Verdict::OutOfBudget, trap.message, trap.stack.front());
        return;
    }
    if (looks_around_) {
        return;
    }
    std::vector<PlaceId> places;
    for (const OpAt& a : about) {
        places.push_back(history_.thread(a.thread)[a.op].step->action.place);
    }
    if (!reported_.insert(violation_key(trap, places)).second) {
        return;
    }
    Violation v{.trap = std::move(trap), .thread = thread, .also = std::move(also)};
    v.witness = witness(question, about, v.about);
    name_conditions(v);
    result_.violations.push_back(std::move(v));
    stopped_ = stopped_ || !asked_.keep_going;
}

// --- accesses ------------------------------------------------------------------------------------------------------------------------------

void ValueExplorer::check_access(ThreadId t, std::uint32_t at) {
    const HistoryOp op = history_.thread(t)[at];
    const Action& a = op.step->action;
    if (op.reads() && decides_by_value(a) && !history_.value(op.read).defined()) {
        report(machine_.trap_here(op.step->state, TrapKind::UninitializedRead, kUninitializedLock), t, whole(), {{t, at}});
    }
    if (frees_.empty()) {
        return;
    }
    const Object* o = memory_.objects().find(a.address);
    const auto it = o ? frees_.find(o->base) : frees_.end();
    for (std::size_t k = 0; it != frees_.end() && k < it->second.size() && !stopped_; ++k) {
        const OpAt free = it->second[k];
        Question question = whole();
        question.order = {free.thread, free.op, t, at};
        // In the thread's own order the free came first.
        if (free.thread == t || ask(question)) {
            Objects after = memory_.objects();
            after.end(o->base, history_.thread(free.thread)[free.op].step->action.place);
            if (auto fault = after.access_fault(a.address, a.size, op.stores(), false)) {
                report_lifetime(std::move(*fault), t, at, free.thread, free.op);
            }
        }
    }
}

void ValueExplorer::report_lifetime(Fault fault, ThreadId t, std::uint32_t op, ThreadId freed_by, std::uint32_t free) {
    Trap trap = machine_.trap_here(history_.thread(t)[op].step->state, fault.kind, std::move(fault.message));
    trap.object = std::move(fault.object);
    Question question = whole();
    question.order = {freed_by, free, t, op};
    report(std::move(trap), t, question, {{t, op}, {freed_by, free}});
}

void ValueExplorer::check_free(ThreadId t, std::uint32_t at) {
    const Action& release = history_.thread(t)[at].step->action;
    const Address base = release.address;
    if (const auto earlier = frees_.find(base); earlier != frees_.end()) {
        const OpAt first = earlier->second.front();
        Objects before = memory_.objects();
        before.end(base, history_.thread(first.thread)[first.op].step->action.place);
        if (auto fault = before.release_fault(base)) {
            Trap trap = machine_.trap_here(history_.thread(t)[at].step->state, fault->kind, std::move(fault->message));
            trap.object = std::move(fault->object);
            report(std::move(trap), t, whole(), {{t, at}, first});
        }
    }
    const Object* o = memory_.objects().find(base);
    HEDDLE_CHECK(o, "freeing what is not there");
    const Object object = *o;
    Objects after = memory_.objects();
    after.end(base, release.place);
    for (std::uint32_t u = 0; u < history_.threads() && !stopped_; ++u) {
        for (std::uint32_t k = 0; u != t.index && k < history_.thread(ThreadId(u)).size() && !stopped_; ++k) {
            const HistoryOp op = history_.thread(ThreadId(u))[k];
            if (!op.is_access()) {
                continue;
            }
            const Location& l = places_.location(op.location);
            if (l.address < object.base || l.address >= object.base + object.size) {
                continue;
            }
            Question question = whole();
            question.order = {t, at, ThreadId(u), k};
            if (!ask(question)) {
                continue;
            }
            if (auto fault = after.access_fault(l.address, l.size, op.stores(), false)) {
                report_lifetime(std::move(*fault), ThreadId(u), k, t, at);
            }
        }
    }
}

// --- the end of an execution ---------------------------------------------------------------------------------------------------------------

std::string text_of(const Value& v) {
    std::string text = fmt::format("{}", v.lo);
    text += v.hi != 0 ? fmt::format(".{}", v.hi) : "";
    text += v.defined() ? "" : fmt::format("?{}.{}", v.undef_lo, v.undef_hi);
    return text;
}

std::string ValueExplorer::vector_of_values() const {
    std::string text;
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        for (const HistoryOp& op : history_.thread(ThreadId(t))) {
            if (op.reads()) {
                text += fmt::format("{}:{} ", t, text_of(history_.value(op.read)));
            } else if (op.step->action.kind == ActionKind::Choose || op.step->action.kind == ActionKind::Nondet) {
                text += fmt::format("{}:choice {} ", t, op.chosen);
            }
        }
    }
    return text;
}

bool ValueExplorer::count(std::uint64_t& counter, bool blocked) {
    if (looks_around_ && found_.find(history_.fingerprint())) {
        return false;
    }
    if (asked_.max_executions != 0 && result_.complete + result_.blocked >= asked_.max_executions) {
        stop(Verdict::OutOfBudget, fmt::format("--max-executions {}", asked_.max_executions));
        return false;
    }
    std::size_t events = 0;
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        events += history_.thread(ThreadId(t)).size();
    }
    if (!looks_around_ && lengths_.grow(events, steps_.busiest_loop()) && asked_.unroll == 0) {
        stop(Verdict::OutOfBudget, growing_executions(events, steps_.busiest_loop()), steps_.busiest_loop().place);
    }
    if (observer_) {
        observer_(vector_of_values(), blocked);
    }
    const bool fresh = found_.insert(history_.fingerprint(), 1).second;
    ++(fresh ? counter : result_.redundant);
    return fresh;
}

void ValueExplorer::leaf() {
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].exists && !finished(ThreadId(k))) {
            blocked_leaf();
            return;
        }
    }
    if (!count(result_.complete, false)) {
        return;
    }
    check_races_and_failures();
    if (asked_.leaks && !stopped_) {
        check_leaks();
    }
}

bool ValueExplorer::waits_for_good(ThreadId t, const std::function<ValueId(LocationId)>& latest) {
    const Edge* const edge = failing(t, latest);
    if (!edge || edge->waits || !edge->futile) {
        return edge && edge->waits;
    }
    const Ref<LoopRecord> loop = edge->futile;
    return fails_for_good(machine_, memory_.objects(), *loop,
                          [&](const ThreadState&, const Action& a) { return latest_value(a, latest); });
}

std::optional<Value> ValueExplorer::latest_value(const Action& a, const std::function<ValueId(LocationId)>& latest) {
    const auto cells = cells_.of(memory_.objects(), a.address, a.size, is_atomic(a), a.place);
    if (cells.size() > 1) {
        return std::nullopt;
    }
    return history_.value(latest(cells[0]));
}

std::optional<Trap> ValueExplorer::awaited(const ThreadState& at, const Action& a) {
    const Object* const o = memory_.objects().find(a.address);
    const auto it = o ? frees_.find(o->base) : frees_.end();
    if (it == frees_.end()) {
        return std::nullopt;
    }
    const OpAt free = it->second.front();
    Objects after = memory_.objects();
    after.end(o->base, history_.thread(free.thread)[free.op].step->action.place);
    auto fault = after.access_fault(a.address, a.size, false, false);
    if (!fault) {
        return std::nullopt;
    }
    Trap trap = machine_.trap_here(at, fault->kind, std::move(fault->message));
    trap.object = std::move(fault->object);
    return trap;
}

/// A thread that waits reads again and again; after the free too (Explorer::check_awaited has the argument).
bool ValueExplorer::check_awaited() {
    bool wrong = false;
    for (std::uint32_t k = 0; k < threads_.size() && !frees_.empty() && !stopped_; ++k) {
        const ThreadId t(k);
        if (!threads_[k].exists || finished(t) || !threads_[k].postponed || !step_of(t).may_wait || step_of(t).pieces > 1) {
            continue;
        }
        Step& s = step_of(t);
        Question question = whole();
        std::optional<Trap> found = awaited(s.state, s.action);
        if (!found) { // in its loop, which reads the latest that some run leaves behind
            question.ends_well = [&](const std::function<ValueId(LocationId)>& latest) {
                const Ref<LoopRecord> loop =
                    steps_.reading(s, history_.value(latest(location_of(s, threads_[t.index].at.part)))).futile;
                found.reset();
                const auto look = [&](const ThreadState& at, const Action& a) -> std::optional<Value> {
                    found = awaited(at, a);
                    return found ? std::nullopt : latest_value(a, latest);
                };
                static_cast<void>(loop && fails_for_good(machine_, memory_.objects(), *loop, look));
                return found.has_value();
            };
            if (!ask(question)) {
                continue;
            }
        }
        wrong = true;
        const auto what = found; // telling it asks again
        report(*what, t, question);
    }
    return wrong;
}

bool ValueExplorer::cannot_wait_for_good(ThreadId t) {
    Step& s = step_of(t);
    const LocationId l = location_of(s, 0);
    return forced_ && !begins_iteration(t) && !any_candidate(l, [&](ValueId v) {
               return !steps_.reading(s, history_.value(v)).satisfies() && !forced_->cannot_end_with(l, v);
           });
}

void ValueExplorer::blocked_leaf() {
    const bool wrong = check_awaited();
    std::vector<ThreadId> waiting;
    std::vector<Stuck> stuck;
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId t(k);
        if (!threads_[k].exists || finished(t)) {
            continue;
        }
        if (threads_[k].postponed) {
            if (!step_of(t).may_wait || step_of(t).pieces > 1) {
                ++result_.dead_ends; // it can read something: that is another branch's
                return;
            }
            waiting.push_back(t);
        }
        stuck.push_back({t, &step_of(t), {}});
    }
    if (std::ranges::any_of(waiting, [&](ThreadId t) { return cannot_wait_for_good(t); })) {
        learn_whole();
        ++result_.dead_ends;
        return;
    }
    // Some run must end so that all of them wait for good.
    Question question = whole();
    std::vector<Value> words;
    question.ends_well = [&](const std::function<ValueId(LocationId)>& latest) {
        words.clear();
        for (const ThreadId t : waiting) {
            if (!waits_for_good(t, latest)) {
                return false;
            }
            words.push_back(history_.value(latest(location_of(step_of(t), 0))));
        }
        return true;
    };
    if (!ask(question)) {
        learn_whole();
        ++result_.dead_ends;
        return;
    }
    // Where in an iteration that fails it waits is part of the execution.
    if (const auto waits = std::ranges::find_if(waiting, [&](ThreadId t) { return begins_iteration(t); });
        waits != waiting.end()) {
        learn_waiting(*waits);
    }
    for (Stuck& s : stuck) {
        const auto at = std::ranges::find(waiting, s.thread);
        if (at != waiting.end() && s.step->action.kind == ActionKind::Lock) {
            s.word = words[static_cast<std::size_t>(at - waiting.begin())];
        }
        if (const auto bound = loop_bound(s.step->action, asked_.unroll)) {
            assume(*bound);
        }
    }
    if (!count(result_.blocked, true)) {
        return;
    }
    check_races_and_failures();
    // When somebody has ended the program, nobody knows what the others would still have done. Nor if somebody reads what has ended.
    bool exited = false;
    bool misused = false; // a thread was stopped by its join, and that has been said
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        exited = exited || (threads_[k].exists && step_of(ThreadId(k)).action.kind == ActionKind::Exit);
        misused = misused || (threads_[k].exists && !finished(ThreadId(k)) && join_fault(step_of(ThreadId(k)).action));
    }
    if (wrong || misused || stopped_ || !asked_.stuck || exited) {
        return;
    }
    if (auto v = violation_of(machine_, memory_.objects(), stuck)) {
        report(std::move(v->trap), v->thread, question, {}, std::move(v->also));
    }
}

bool ValueExplorer::may_race() const {
    struct Users {
        ThreadId thread{};
        bool any = false, several = false, plain = false, writes = false;
    };
    std::vector<Users> by_location(places_.locations());
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        for (const HistoryOp& op : history_.thread(ThreadId(t))) {
            if (op.is_access()) {
                Users& u = by_location[op.location.index];
                u.several = u.several || (u.any && u.thread.index != t);
                u.thread = ThreadId(t);
                u.any = true;
                u.plain = u.plain || counts_as_plain(op.step->action);
                u.writes = u.writes || op.stores();
            }
        }
    }
    return std::ranges::any_of(by_location, [](const Users& u) { return u.several && u.plain && u.writes; });
}

void ValueExplorer::check_races(const std::function<bool()>& look) {
    if (!judges_races_ || (!look && !may_race())) {
        return;
    }
    std::vector<std::pair<OpAt, OpAt>> races; // later access first; one of each pair of places
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    const auto place = [&](OpAt at) { return history_.thread(at.thread)[at.op].step->action.place; };
    Question question = whole();
    question.shown = false;
    question.is_race_sought = [&](OpAt later, OpAt earlier) {
        if (places.emplace(place(later).index, place(earlier).index).second) {
            races.emplace_back(later, earlier);
        }
        return !asked_.keep_going;
    };
    question.is_sought = look;
    static_cast<void>(ask(question));
    for (const auto& [later, earlier] : races) {
        const HistoryOp& op = history_.thread(later.thread)[later.op];
        const HistoryOp& other = history_.thread(earlier.thread)[earlier.op];
        const auto racer = [](OpAt at, const HistoryOp& o) {
            return Racer{.thread = at.thread, .atomic = o.step->action.order != Order::NonAtomic, .reads = !o.stores()};
        };
        const auto& location = places_.location(op.location);
        Trap trap = machine_.trap_here(op.step->state, TrapKind::DataRace,
                                       race_text(racer(later, op), racer(earlier, other),
                                                 name_of(memory_.objects(), location.address, location.size),
                                                 to_string(session_.program, place(earlier))));
        question.is_sought = {};
        question.is_race_sought = [&](OpAt a, OpAt b) { // which came later is nothing that the execution knows
            return (a == later && b == earlier) || (a == earlier && b == later);
        };
        report(std::move(trap), later.thread, question, {later, earlier});
        if (stopped_) {
            return;
        }
    }
}

void ValueExplorer::check_leaks() {
    bool any = false;
    if (allocs_ > 0 || heap_before_) {
        memory_.objects().for_each(
            [&](const Object& o) { any = any || (o.alive && o.kind == ObjectKind::Heap && !frees_.contains(o.base)); });
    }
    if (!any) {
        return;
    }
    std::vector<Violation::Other> lost;
    Question question = whole();
    question.ends_well = [&](const std::function<ValueId(LocationId)>& latest) {
        Memory after = memory_;
        for (std::uint32_t k = 0; k < places_.locations(); ++k) {
            const Location& l = places_.location(LocationId(k));
            if (!history_.written(LocationId(k)).empty() && after.objects().accessible(l.address, l.size, false)) {
                after.store(l.address, l.size, history_.value(latest(LocationId(k))));
            }
        }
        for (const auto& [base, frees] : frees_) {
            Action release;
            release.kind = ActionKind::Free;
            release.place = history_.thread(frees.front().thread)[frees.front().op].step->action.place;
            release.address = base;
            static_cast<void>(after.perform(release));
        }
        lost.clear();
        for (const Object& o : after.leaks({})) {
            lost.push_back({leak_of(o), thread_of(o.base)});
        }
        return !lost.empty();
    };
    if (!ask(question)) {
        return;
    }
    if (auto v = together(std::move(lost))) {
        report(std::move(v->trap), v->thread, question, {}, std::move(v->also));
    }
}

} // namespace heddle
