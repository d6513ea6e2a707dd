// Explorer: executions that need not be built to be counted. Of executions that differ in their very last access only, each has its own leaf of the search, and building
// that leaf is a large part of what an execution costs. If nothing can be wrong with the access, whatever is chosen for it, the choices are as
// good as their number. (Revisits by a last write are offered as always: they lead elsewhere.)
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
    if (s.action.kind != ActionKind::Load || s.may_wait) {
        return;
    }
    const GraphEvent read = reads_there(t);
    if (!is_good_and_last(read) || !model_->admits_all(read)) {
        return;
    }
    std::erase_if(sources_, [&](EventId w) { return ends(s, steps_.reading(s, value_of(w))) && count_one(); });
    if (!counted_) {
        return;
    }
    note_length(graph_.size() + 1);
    look_at_failures(); // whatever the last read reads, nobody reads or knows more because of it
    if (options_asked_.leaks) {
        check_leaks(); // for all that were counted: what the thread has read changes nothing in memory
    }
}

/// With a write more could be read by an iteration that fails, and what is lost in memory depends on its place: where that would be asked, leaves are built.
///
/// The last place in coherence is always consistent; so is that of an update which has read what no other has taken: what is ordered before the
/// write of it was ordered before the next write in coherence too, which its read and the other readers of its source come before. Others are if the model admits all.
void Explorer::count_last_writes(const GraphEvent& write, std::size_t first) {
    Step& s = step_of(write.thread);
    if (!ends(s, write.update ? steps_.reading(s, notes_[write.update_read.index].value) : steps_.having(s, {})) ||
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
