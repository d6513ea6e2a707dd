// ValueExplorer: is it worth postponing a read?
//
// A postponed read goes on only with a value that a later write makes realizable. Let w be that write, of value v to location y. Then in the run that shows
// it somebody reads from w (without w it would be a run too): the postponed read itself, so y is its location; or a read of v at y that was there
// before w, and which then had another write to read from. So it is not worth it unless
//   1. some thread that is not postponed can still come to a write by reading what is there, or a postponed one was just given something new;
//   2. some other thread may still write to the read's location, or a value that somebody else reads elsewhere and that has another source too. If it waits:
//      a value that lets it go on, and that is not there already unless the same values are stored there more than once.
// A read that waits may also wait for good. Then memory holds in the end what does not let it go on: the last write of some thread to its location, or what others
// may still write there.
// Also not when no other thread ever writes to its location (or even reads it, if this is an update): then what it reads is settled. That is not known before the end; it is taken for granted until
// somebody does write there, and then the search starts again knowing so (Lessons::users). Sound: as long as nobody has written there, the search is that of
// a program in which that location is a thread's own and reading it is nothing that others can see, and the first write of another thread is an event of that
// program too, so it is found. (An update can be seen by who reads there: it may keep another thread's update from writing. Random programs showed it.)
// What threads may still do is what they were seen doing (foreknowledge.hpp).
#include "search/value/value_explorer.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace heddle {

void ValueExplorer::note_read(ThreadId t, LocationId l) {
    if (known_.reads(t, l, places_.location(l).address)) {
        surprised();
    }
}

void ValueExplorer::note_store(ThreadId t, LocationId l) {
    // A step is reached one way only, so that is known the second time.
    Step& s = step_of(t);
    if (s.foreseen && s.pieces == 1) {
        return;
    }
    s.foreseen = true;
    PlaceSet places;
    for (const HistoryOp& op : history_.thread(t)) {
        places.insert(op.step->action.place.index);
    }
    places.insert(s.action.place.index);
    if (known_.stores({t, static_cast<std::uint32_t>(history_.thread(t).size())}, l, places_.location(l).address, places)) {
        surprised();
    }
}

std::uint32_t ValueExplorer::standing(ThreadId t) {
    const bool is_there = threads_[t.index].exists && asked_.tuning.know_by_place;
    return is_there ? step_of(t).action.place.index : 0;
}

void ValueExplorer::note_stored_value(ThreadId t, const HistoryOp& store) {
    const OpAt at{t, static_cast<std::uint32_t>(history_.thread(t).size())};
    if (known_.stores_value(at, store.location, places_.location(store.location).address, history_.value(store.written))) {
        surprised();
    }
    if (!known_.is_known_to_repeat(store.location, places_.location(store.location).address)) {
        note_repetition(store);
    }
}

void ValueExplorer::note_repetition(const HistoryOp& store) {
    if (any_candidate(store.location, [&](ValueId v) { return v == store.written; }) &&
        known_.repeats(store.location, places_.location(store.location).address)) {
        surprised();
    }
}

void ValueExplorer::note_prevented_store(ThreadId t, ValueId v) {
    const HistoryOp op = read_op(t, v);
    if (!op.stores()) {
        return;
    }
    const Address address = places_.location(op.location).address;
    // If whoever has stored the same has replaced the same, then only one of them can, unless the replaced value is there more than once. That would be
    // noted as a repetition itself.
    const bool may_repeat =
        !known_.is_known_to_repeat(op.location, address) && !history_.is_stored_only_instead_of(op.location, op.written, v);
    if ((may_repeat || known_.is_news(op.location, address, history_.value(op.written))) && can_read(t, v, nullptr, false)) {
        note_stored_value(t, op);
    }
}

bool ValueExplorer::stands_at_idle_update(ThreadId t) {
    Step& s = step_of(t);
    return s.action.kind == ActionKind::Rmw && s.pieces == 1 &&
           !any_candidate(location_of(s, 0), [&](ValueId v) { return steps_.reading(s, history_.value(v)).writes; });
}

void ValueExplorer::surprised() {
    if (surprised_) {
        return;
    }
    surprised_ = true;
    if (!looks_around_) {
        look_around();
    }
}

void ValueExplorer::look_around() {
    // What has not been seen yet is found, so that there are fewer attempts.
    constexpr std::uint64_t kFew = 100;
    constexpr std::uint64_t kPart = 8;
    looks_around_ = asked_.tuning.look_around;
    lessons_.look_around = looks_around_; // until it is over: another lesson may come before
    stop_growing_at_ = grown_steps_ + (looks_around_ ? grown_steps_ / kPart : grown_steps_) + kFew;
}

bool ValueExplorer::stands_still(ThreadId t) {
    const Thread& thread = threads_[t.index];
    if (!thread.exists || thread.postponed || finished(t)) {
        return thread.exists && !thread.asks;
    }
    Step& s = step_of(t);
    if (!s.may_wait || s.pieces > 1) {
        return s.action.kind == ActionKind::Block || s.action.kind == ActionKind::Trap;
    }
    return !any_readable(t, location_of(s, 0), [&](ValueId v) { return steps_.reading(s, history_.value(v)).satisfies(); });
}

const Foreknowledge::Now& ValueExplorer::now_without(std::optional<ThreadId> t, Foreknowledge::Now& buffer) {
    if (!is_now_known_ || !asked_.tuning.remember_outlook) {
        is_now_known_ = true;
        now_.resize(threads_.size());
        for (std::uint32_t k = 0; k < threads_.size(); ++k) {
            const ThreadId u(k);
            now_[k] = {stands_still(u) ? Foreknowledge::kNothingMore : static_cast<std::uint32_t>(history_.thread(u).size()),
                       standing(u)};
        }
    }
    buffer = now_;
    if (t) {
        buffer[t->index].done = Foreknowledge::kNothingMore;
    }
    return buffer;
}

const ValueExplorer::Last& ValueExplorer::may_be_last(LocationId l) {
    if (l.index >= last_there_.size()) {
        last_there_.resize(l.index + 1);
    }
    Last& last = last_there_[l.index];
    const bool is_there_always = kind_of(places_.location(l).address) == AddressKind::Global;
    const Fingerprint objects = is_there_always ? Fingerprint{} : history_.print_of_stores();
    if (last.accesses != history_.print_of(l) || last.objects != objects || !asked_.tuning.remember_outlook) {
        last.accesses = history_.print_of(l);
        last.objects = objects;
        last.certain = history_.may_be_last(l, initial(l), last.values);
    }
    return last;
}

bool ValueExplorer::may_be_freed(ThreadId t, const Foreknowledge::Now& now) {
    Step& s = step_of(t);
    const LocationId l = location_of(s, 0);
    const Lengths all = history_.lengths();
    std::optional<ValueId> possible;
    const bool several = any_candidate(l, [&](ValueId v) {
        if ((s.may_wait && !steps_.reading(s, history_.value(v)).satisfies()) || is_used_up(read_op(t, v), all)) {
            return false;
        }
        return std::exchange(possible, v).has_value();
    });
    if (several || !possible) {
        return several;
    }
    const Last& last = may_be_last(l);
    return !last.certain || last.values != std::vector{*possible} ||
           !known_.nobody_stores_there(l, places_.location(l).address, now, {});
}

bool ValueExplorer::may_be_helped(ThreadId t, const Foreknowledge::Now& now) {
    Step& s = step_of(t);
    if (s.pieces > 1) {
        return true;
    }
    if (begins_iteration(t)) {
        // By what is stored where it reads, or may come to read: that depends on what is stored where it reads before.
        return !known_.nobody_frees(now) || std::ranges::any_of(reads_ahead(t), [&](const ReadsThere& there) {
            return !known_.nobody_stores_there(there.location, places_.location(there.location).address, now, {}) &&
                   std::ranges::any_of(there.reads, [&](Step* read) { return may_be_helped_at(*read, now); });
        });
    }
    return may_be_helped_at(s, now) || (!known_.nobody_frees(now) && may_be_freed(t, now));
}

bool ValueExplorer::may_be_helped_at(Step& s, const Foreknowledge::Now& now) {
    const LocationId l = location_of(s, 0);
    const Address address = places_.location(l).address;
    const auto helps = [&](const Value& v) {
        if (!steps_.reading(s, v).satisfies()) {
            return false;
        }
        const ValueId id = history_.id_of(v);
        return known_.is_known_to_repeat(l, address) || !any_candidate(l, [&](ValueId there) { return there == id; });
    };
    const auto meant = s.may_wait ? Foreknowledge::Meant(std::cref(helps)) : Foreknowledge::Meant();
    return !known_.nobody_stores_there(l, address, now, meant);
}

bool ValueExplorer::may_wait_for_good(ThreadId t, const Foreknowledge::Now& now) {
    Step& s = step_of(t);
    if (!s.may_wait || s.pieces > 1) {
        return false;
    }
    if (begins_iteration(t)) {
        const auto is_over = [&](const ReadsThere& there) {
            return known_.nobody_stores_there(there.location, places_.location(there.location).address, now, {});
        };
        latest_.clear();
        if (!std::ranges::all_of(reads_ahead(t), is_over) || may_fail(&s)) {
            return true;
        }
        for (const ReadsThere& there : reads_ahead(t)) {
            known_.claim_nobody_stores_there(there.location, places_.location(there.location).address, now);
        }
        return false;
    }
    const LocationId l = location_of(s, 0);
    const Address address = places_.location(l).address;
    const auto keeps_waiting = [&](const Value& v) { return !steps_.reading(s, v).satisfies(); };
    if (std::ranges::any_of(may_be_last(l).values, [&](ValueId v) { return keeps_waiting(history_.value(v)); }) ||
        !known_.nobody_stores_there(l, address, now, std::cref(keeps_waiting))) {
        return true;
    }
    known_.claim_nobody_stores_there(l, address, now);
    return false;
}

ValueExplorer::Outlook ValueExplorer::outlook(std::optional<ThreadId> also) {
    Foreknowledge::Now& now = outlook_now_;
    now_without(also, now);
    std::vector<ThreadId>& stuck = stuck_;
    stuck.clear();
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (ThreadId(k) == also || (now[k].done == Foreknowledge::kNothingMore && stands_at_read(ThreadId(k)))) {
            stuck.emplace_back(k);
        }
    }
    for (bool again = true; again;) {
        again = std::erase_if(stuck, [&](ThreadId t) {
                    const bool helped = may_be_helped(t, now);
                    if (helped) {
                        now[t.index].done = static_cast<std::uint32_t>(history_.thread(t).size());
                    }
                    return helped;
                }) > 0;
    }
    if (std::ranges::all_of(stuck, [&](ThreadId t) { return may_wait_for_good(t, now); })) {
        return also && std::ranges::find(stuck, *also) != stuck.end() ? Outlook::WaitsForGood : Outlook::Good;
    }
    for (const ThreadId t : stuck) {
        const auto claim = [&](LocationId l) { known_.claim_nobody_stores_there(l, places_.location(l).address, now); };
        if (begins_iteration(t)) {
            for (const ReadsThere& there : reads_ahead(t)) {
                claim(there.location);
            }
        } else {
            claim(location_of(step_of(t), 0)); // of one piece, or it may be helped
        }
        if (known_.nobody_frees(now)) {
            known_.claim_nobody_frees(now);
        }
    }
    return Outlook::Bad;
}

bool ValueExplorer::is_worth_postponing(ThreadId t) {
    if (!foresees_) {
        return true;
    }
    // If it cannot wait for good, all that counts is whether it may get more.
    if (!step_of(t).may_wait && is_settled(t)) {
        return false;
    }
    switch (outlook(t)) {
    case Outlook::Bad:
        return false;
    case Outlook::WaitsForGood:
        return true;
    case Outlook::Good:
        return may_get_more(t) || may_wait_for_good(t, now_without(t, without_now_));
    }
    return true;
}

bool ValueExplorer::is_settled(ThreadId t) {
    Step& s = step_of(t);
    const LocationId l = location_of(s, 0);
    return s.pieces == 1 && !begins_iteration(t) &&
           known_.is_left_alone(t, l, places_.location(l).address, s.action.kind != ActionKind::Load);
}

bool ValueExplorer::may_get_more(ThreadId t) {
    if (is_settled(t)) {
        return false;
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (k != t.index && threads_[k].asks && !new_readings_for(ThreadId(k), true).empty()) {
            return true;
        }
    }
    Foreknowledge::Now& now = without_now_;
    now_without(t, now);
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].exists && now[k].done != Foreknowledge::kNothingMore && stands_at_idle_update(ThreadId(k))) {
            ++now[k].done;
        }
    }
    if (known_.nobody_stores(now)) {
        return false;
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId u(k);
        if (u == t || !threads_[k].exists || threads_[k].postponed || finished(u) || !stands_at_read(u)) {
            continue;
        }
        // What does not wait can read what some run leaves behind. (So can an iteration, or its loop waits after all.)
        if (!step_of(u).may_wait || begins_iteration(u) || !readings_for(u, true).empty()) {
            return true;
        }
    }
    return false;
}

} // namespace heddle
