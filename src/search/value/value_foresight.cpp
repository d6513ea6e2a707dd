// ValueExplorer: is it worth postponing a read?
//
// A postponed read goes on only with a value that a later write makes realizable. Let w be that write, of value v to location y. Then in the run that shows
// it somebody reads from w (without w it would be a run too): the postponed read itself, so y is its location; or a read of v at y that was there
// before w, and which then had another write to read from. So it is not worth it unless
//   1. some thread that is not postponed can still come to a write by reading what is there, or a postponed one was just given something new;
//   2. some other thread may still write to the read's location, or a value that somebody reads elsewhere and that has another source too.
// Also not when no other thread ever writes to its location (or even reads it, if this is an update): then what it reads is settled. That is not known before the end; it is taken for granted until
// somebody does write there, and then the search starts again knowing so (Lessons::users). Sound: as long as nobody has written there, the search is that of
// a program in which that location is a thread's own and reading it is nothing that others can see, and the first write of another thread is an event of that
// program too, so it is found. (An update can be seen by who reads there: it may keep another thread's update from writing. Random programs showed it.)
// What threads may still do is what they were seen doing (foreknowledge.hpp).
#include "search/value/value_explorer.hpp"

#include <algorithm>

namespace heddle {

void ValueExplorer::note_read(ThreadId t, LocationId l) {
    if (known_.reads(t, l, places_.location(l).address)) {
        surprised();
    }
}

void ValueExplorer::note_store(ThreadId t, LocationId l) {
    if (known_.stores({t, static_cast<std::uint32_t>(history_.thread(t).size())}, l, places_.location(l).address)) {
        surprised();
    }
}

void ValueExplorer::note_repetition(const HistoryOp& store) {
    const auto known = candidates(store.location);
    if (std::ranges::find(known, store.written) != known.end() &&
        known_.repeats(store.location, places_.location(store.location).address)) {
        surprised();
    }
}

void ValueExplorer::note_prevented_store(ThreadId t, ValueId v) {
    const HistoryOp op = read_op(t, v);
    if (!op.stores() || known_.is_known_to_repeat(op.location, places_.location(op.location).address)) {
        return;
    }
    // If whoever has stored the same has replaced the same, then only one of them can, unless the replaced value is there more than once. That would be
    // noted as a repetition itself.
    if (history_.is_stored_only_instead_of(op.location, op.written, v)) {
        return;
    }
    if (can_read(t, v, nullptr, false)) {
        note_repetition(op);
    }
}

bool ValueExplorer::stands_at_idle_update(ThreadId t) {
    Step& s = step_of(t);
    return s.action.kind == ActionKind::Rmw && s.pieces == 1 &&
           std::ranges::none_of(candidates(location_of(s, 0)),
                                [&](ValueId v) { return steps_.reading(s, history_.value(v)).writes; });
}

void ValueExplorer::surprised() {
    if (!surprised_) {
        surprised_ = true;
        // Going on for as long again finds more that has not been seen, so that there are fewer attempts.
        constexpr std::uint64_t kFew = 100;
        stop_growing_at_ = grown_steps_ * 2 + kFew;
    }
}

Lengths ValueExplorer::now_without(ThreadId t) {
    Lengths now = history_.lengths();
    now.resize(std::max(now.size(), threads_.size()));
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const Thread& thread = threads_[k];
        if (k == t.index || (thread.exists && ((thread.postponed && !thread.asks) || finished(ThreadId(k))))) {
            now[k] = Foreknowledge::kNothingMore;
        }
    }
    return now;
}

bool ValueExplorer::all_may_get_more(std::optional<ThreadId> also) {
    Lengths now = now_without(also.value_or(ThreadId(static_cast<std::uint32_t>(threads_.size()))));
    std::vector<ThreadId> stuck;
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].exists && (ThreadId(k) == also || (threads_[k].postponed && !threads_[k].asks))) {
            stuck.emplace_back(k);
        }
    }
    const auto place = [&](ThreadId t) {
        const LocationId l = location_of(step_of(t), threads_[t.index].at.part);
        return std::pair(l, places_.location(l).address);
    };
    for (bool again = true; again;) {
        again = std::erase_if(stuck, [&](ThreadId t) {
                    const auto [l, address] = place(t);
                    if (step_of(t).pieces == 1 && known_.nothing_matters(l, address, now)) {
                        return false;
                    }
                    now[t.index] = static_cast<std::uint32_t>(history_.thread(t).size());
                    return true;
                }) > 0;
    }
    if (std::ranges::all_of(stuck, [&](ThreadId t) { return t != also && step_of(t).may_wait; })) {
        return true;
    }
    for (const ThreadId t : stuck) {
        const auto [l, address] = place(t);
        known_.claim_nothing_matters(l, address, now);
    }
    return false;
}

bool ValueExplorer::may_get_more(ThreadId t) {
    if (!foresees_) {
        return true;
    }
    Step& s = step_of(t);
    if (s.pieces == 1) {
        const LocationId l = location_of(s, 0);
        if (known_.is_left_alone(t, l, places_.location(l).address, s.action.kind != ActionKind::Load)) {
            return false;
        }
    }
    if (!all_may_get_more(t)) {
        return false;
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (k != t.index && threads_[k].asks && !new_values_for(ThreadId(k), true).empty()) {
            return true;
        }
    }
    Lengths now = now_without(t);
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        if (threads_[k].exists && now[k] != Foreknowledge::kNothingMore && stands_at_idle_update(ThreadId(k))) {
            ++now[k];
        }
    }
    if (known_.nobody_stores(now)) {
        return false;
    }
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId u(k);
        if (u != t && threads_[k].exists && !threads_[k].postponed && !finished(u) && stands_at_read(u) &&
            !values_for(u, true).empty()) {
            return true;
        }
    }
    return false;
}

bool ValueExplorer::may_wait_for_good(ThreadId t) {
    Step& s = step_of(t);
    if (!s.may_wait || s.pieces > 1) {
        return false;
    }
    return std::ranges::any_of(candidates(location_of(s, 0)),
                               [&](ValueId v) { return !steps_.reading(s, history_.value(v)).satisfies(); });
}

} // namespace heddle
