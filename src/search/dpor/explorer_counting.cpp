// Explorer: executions that need not be built to be counted. Of executions that differ in their very last access only, each has its own leaf of the search, and building
// that leaf is a large part of what an execution costs. If nothing can be wrong with the access, whatever is chosen for it, the choices are as
// good as their number. (Revisits by a last write are offered as always: they lead elsewhere.)
//
// Under rf the last write has no choice, and nothing that is counted in its place: there the last access with a choice is a read that only one write comes after,
// its thread's or its own update's. If that write would revisit nothing, the read is not built either.
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

bool Explorer::is_good_and_last(const GraphEvent& access) {
    const Step& s = step_of(access.thread);
    if (!options_asked_.tuning.count_last || observer_ || s.pieces != 1 || !frees_.empty() || graph_.may_have_holes() ||
        (races_ && (graph_.location(s.location).plain > 0 || access.order == Order::NonAtomic))) {
        return false;
    }
    return is_alone(access.thread);
}

bool Explorer::ends(Step& s, Edge& edge) {
    const ActionKind next = steps_.follow(s, edge)->action.kind;
    return next == ActionKind::Done || next == ActionKind::Exit;
}

bool Explorer::count_one() {
    if (!is_within_budget()) {
        return false;
    }
    result_.complete += is_repeating() ? 0 : 1;
    counted_ = true;
    return true;
}

void Explorer::count_last_reads(ThreadId t) {
    Step& s = step_of(t);
    if (s.action.kind != ActionKind::Load || s.may_wait || !is_alone(t)) {
        return;
    }
    GraphEvent read = reads_there(t);
    if (!is_good_and_last(read)) {
        return;
    }
    const bool all = model_->admits_all(read);
    std::erase_if(sources_, [&](EventId w) {
        read.source = w;
        return (all || (options_asked_.tuning.count_pairs && model_->surely_admits(read))) &&
               ends(s, steps_.reading(s, value_of(w))) && count_one();
    });
    if (!counted_) {
        return;
    }
    note_length(graph_.size() + 1);
    look_at_failures(); // whatever the last read reads, nobody reads or knows more because of it
    if (options_asked_.leaks) {
        check_leaks(); // for all that were counted: what the thread has read changes nothing in memory
    }
}

/// A write whose place is not given has no choice, and can always be the latest; the write of an update, behind what no other has taken, is as consistent as its
/// read. Whether it revisits is a question about the events that are there already, and the same with the read and without if that changes nothing in what is latest.
void Explorer::count_last_pairs(ThreadId t) {
    const Step& s = step_of(t);
    if (!options_asked_.tuning.count_pairs || options_asked_.equivalence != Equivalence::Rf || s.may_wait || s.action.weak ||
        (s.action.kind != ActionKind::Load && s.action.kind != ActionKind::Rmw) || !lessons_.whole.empty() ||
        (options_asked_.leaks && (allocs_ > 0 || heap_before_))) {
        return;
    }
    const GraphEvent read = reads_there(t);
    if (!is_good_and_last(read) || !model_->keeps_latest(read)) {
        return;
    }
    bool some = false;
    std::erase_if(sources_, [&](EventId w) {
        const bool counted = model_->surely_admits(read_event(t, w)) && leads_to_last_write(t, w) && count_one();
        some = some || counted;
        return counted;
    });
    if (some) {
        note_length(graph_.size() + 2);
    }
}

bool Explorer::leads_to_last_write(ThreadId t, EventId source) {
    Step& s = step_of(t);
    Edge& edge = steps_.reading(s, value_of(source));
    GraphEvent write{.kind = EventKind::Write, .thread = t, .index = next_index(t) + 1, .location = s.location};
    if (edge.writes) {
        if (!ends(s, edge) || graph_.taker(source) != kNoEvent) {
            return false;
        }
    } else {
        Step& next = *steps_.follow(s, edge);
        // (Whether an object on the heap or on a stack is there is asked when the thread stands at the access.)
        if (next.action.kind != ActionKind::Store || Steps::may_vanish(next.action.address)) {
            return false;
        }
        if (next.pieces == 0) {
            locate(next);
        }
        write.location = next.location;
        if (next.pieces != 1 || !ends(next, steps_.having(next, {})) ||
            (races_ && (graph_.location(next.location).plain > 0 || next.action.order == Order::NonAtomic))) {
            return false;
        }
    }
    if (model_->tracks_coherence(write.location)) {
        return false;
    }
    // No reader of such a location waits, so that nobody's chance is taken away either.
    bool revisits = false;
    for_each_revisit(write, prefix_of_update(t, source), ~0u, [&](EventId) { return revisits = true; });
    return !revisits;
}

/// With a write more could be read by an iteration that fails, and what is lost in memory depends on its place: where that would be asked, leaves are built.
///
/// The last place in coherence is always consistent; so is that of an update which has read what no other has taken: what is ordered before the
/// write of it was ordered before the next write in coherence too, which its read and the other readers of its source come before. Others are if the model admits all.
void Explorer::count_last_writes(const GraphEvent& write, std::size_t first) {
    Step& s = step_of(write.thread);
    if (!is_alone(write.thread) ||
        !ends(s, write.update ? steps_.reading(s, notes_[write.update_read.index].value) : steps_.having(s, {})) ||
        (races_ && !lessons_.whole.empty()) || (options_asked_.leaks && (allocs_ > 0 || heap_before_)) ||
        !is_good_and_last(write)) {
        return;
    }
    const Value value = written_value(write.thread, write);
    const auto last = graph_.location(write.location).coherence.size();
    const bool all = write.update || model_->admits_all(write);
    const auto from = options_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto rest = std::remove_if(from, options_.end(), [&](const Option& place) {
        return (all || place.number == last) &&
               (comes_too_early({model_->prefix_before(write), place.number, value}, write.location) || count_one());
    });
    options_.erase(rest, options_.end());
    if (counted_) {
        note_length(graph_.size() + 1);
    }
}

} // namespace heddle
