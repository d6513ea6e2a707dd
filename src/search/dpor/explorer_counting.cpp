// Explorer: executions that need not be built to be counted. Of executions that differ in their very last access only, each has its own leaf of the search, and building
// that leaf is a large part of what an execution costs. If nothing can be wrong with the access, whatever is chosen for it, the choices are as
// good as their number. (Revisits by a last write are offered as always: they lead elsewhere.)
//
// Under rf the last write has no choice, and nothing that is counted in its place: there the last access with a choice is a read that only one write comes after,
// its thread's or its own update's. If that write would revisit nothing, the read is not built either.
//
// A revisit by such a last write that takes nothing from anybody but the reader's thread, which then has only its last write to do, leads to one execution: it is
// counted too (revisit_leads_to_one). (Several last reads: explorer_runs.cpp.) Then a last read is not built even if the write behind it revisits, if all its revisits are of this kind.
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
        const auto is_counted = [&] { return ends(s, steps_.reading(s, value_of(w))) && count_one(); };
        if (all || !options_asked_.tuning.count_pairs) {
            return all && is_counted();
        }
        const auto told = model_->foretells(read);
        return told && (!*told || is_counted());
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
    Step& s = step_of(t);
    if (!options_asked_.tuning.count_pairs || s.may_wait || s.action.weak ||
        (s.action.kind != ActionKind::Load && s.action.kind != ActionKind::Rmw) || !lessons_.whole.empty() ||
        (options_asked_.leaks && (allocs_ > 0 || heap_before_))) {
        return;
    }
    GraphEvent read = reads_there(t);
    if (!is_good_and_last(read) || !model_->keeps_latest(read)) {
        return;
    }
    std::size_t length = 0;
    std::erase_if(sources_, [&](EventId w) {
        Edge& edge = steps_.reading(s, value_of(w)); // nobody asks about the step until the next source
        read.source = w;
        read.order = order_of_read(s.action, edge.writes);
        if (!sources_are_told_ && !model_->foretells(read).value_or(false)) {
            return false;
        }
        LastPair pair = leads_to_last_write(read, s, edge);
        if (pair.executions == 0) {
            return false;
        }
        length = std::max(length, pair.longest);
        for (const EventId r : last_revisits_) {
            offer({.kind = Option::Kind::Revisit, .event = r, .source = w});
        }
        while (pair.executions > 0 && count_one()) {
            --pair.executions;
        }
        return pair.executions == 0;
    });
    if (length > 0) {
        note_length(length);
    }
}

bool Explorer::is_last_write(Step& s, Edge& edge, GraphEvent& write) {
    if (edge.writes) {
        return ends(s, edge) && !model_->tracks_coherence(write.location);
    }
    Step& next = *steps_.follow(s, edge);
    if (next.is_last == Step::IsLast::NotAsked || !options_asked_.tuning.remember_steps) {
        next.is_last = is_last_store(next) ? Step::IsLast::Yes : Step::IsLast::No;
    }
    if (next.is_last == Step::IsLast::No) {
        return false;
    }
    write.location = next.location;
    return !model_->tracks_coherence(write.location) &&
           !(races_ && (graph_.location(next.location).plain > 0 || next.action.order == Order::NonAtomic));
}

bool Explorer::is_last_store(Step& s) {
    // (Whether an object on the heap or on a stack is there is asked when the thread stands at the access.)
    if (s.action.kind != ActionKind::Store || Steps::may_vanish(s.action.address)) {
        return false;
    }
    if (s.pieces == 0) {
        locate(s);
    }
    return s.pieces == 1 && ends(s, steps_.having(s, {}));
}

Explorer::LastPair Explorer::leads_to_last_write(const GraphEvent& read, Step& s, Edge& edge) {
    GraphEvent write{.kind = EventKind::Write, .thread = read.thread, .index = read.index + 1, .location = s.location};
    const bool updates = edge.writes;
    if ((updates && graph_.taker(read.source) != kNoEvent) || !is_last_write(s, edge, write)) {
        return {};
    }
    last_revisits_.clear();
    model_->note_loose(write.location); // it may be: what it comes after is not looked for
    if (revisits_nothing_behind(write, read.source)) {
        return {.executions = 1, .longest = graph_.size() + 2};
    }
    // No reader of such a location waits, so that nobody's chance is taken away either.
    const std::size_t most = updates ? 0 : options_asked_.tuning.revisits_of_reads;
    LastPair found{.executions = 1, .longest = graph_.size() + 2};
    for_each_last_revisit(write, read, [&](EventId revisited, ConstClock prefix) {
        const std::size_t length =
            updates ? 0 : revisit_leads_to_one(write, steps_.follow(s, edge)->action.value, prefix, revisited);
        if (length > 0) {
            ++found.executions;
            found.longest = std::max(found.longest, length + 1); // the read is not there yet
        } else {
            last_revisits_.push_back(revisited);
        }
        return last_revisits_.size() > most;
    });
    return last_revisits_.size() <= most ? found : LastPair{};
}

/// Most of what may be read was there before what one looks at, and then each event is as canonical as it is for a write that needs nothing but its thread. That is asked once, and for what is newer
/// than all that the source needs nothing changes. Of that nothing is newer than the source: what a write needs was there when it was added, at the end of the order, and cuts keep the order.
/// (Only a read that is revisited gets an older place than what it reads from.)
bool Explorer::revisits_nothing_behind(const GraphEvent& write, EventId source) {
    if (!options_asked_.tuning.share_walks) {
        return false;
    }
    const LastWalk& walk = walk_back(write.thread, write.location);
    return walk.reads.empty() && !walk.goes_beyond(graph_[source].stamp);
}

void Explorer::for_each_last_revisit(const GraphEvent& write, const GraphEvent& read,
                                     FunctionRef<bool(EventId, ConstClock)> visit) {
    if (!options_asked_.tuning.share_walks) {
        const ConstClock prefix = model_->prefix_before(read); // there are no holes: is_good_and_last
        for_each_revisit(write, prefix, ~0u, [&](EventId r) { return visit(r, prefix); });
        return;
    }
    const LastWalk& walk = walk_back(write.thread, write.location);
    const std::uint32_t newest = graph_[read.source].stamp;
    const ConstClock prefix = model_->prefix_before(read);
    for (const EventId r : walk.reads) {
        if (graph_[r].stamp > newest && visit(r, prefix)) {
            return;
        }
    }
    if (walk.goes_beyond(newest)) {
        // (What it needs besides could only make the oldest read a younger one.)
        look_back(write, prefix, ~0u, [&](EventId r) { return visit(r, prefix); }, newest, walk.oldest);
    }
}

const Explorer::LastWalk& Explorer::walk_back(ThreadId t, LocationId location) {
    LastWalk& walk = last_walk_;
    if (walk.size != graph_.size() || walk.losses != graph_.losses() || walk.thread != t || walk.location != location) {
        walk = {
            .size = graph_.size(), .losses = graph_.losses(), .thread = t, .location = location, .reads = std::move(walk.reads)};
        walk.reads.clear();
        const GraphEvent write{.kind = EventKind::Write, .thread = t, .location = location};
        const ConstClock own = model_->prefix(graph_.last(t));
        walk.oldest = options_asked_.tuning.narrow_revisits ? oldest_read_outside(own, write) : 1;
        const auto collect = [&](EventId read) {
            walk.reads.push_back(read);
            return false;
        };
        walk.end = look_back(write, own, ~0u, collect, static_cast<std::uint32_t>(graph_.size()), walk.oldest);
    }
    return walk;
}

bool Explorer::can_push(ThreadId t, EventId source, EventId taker) {
    const EventId read = graph_[taker].update_read;
    if (options_asked_.equivalence == Equivalence::Rf && options_asked_.tuning.share_walks &&
        graph_[source].kind == EventKind::Init && is_alone(t)) { // what a last write will be asked about too
        return std::ranges::find(walk_back(t, graph_[source].location).reads, read) != last_walk_.reads.end();
    }
    return can_revisit(read, prefix_of_update(t, source));
}

// --- revisits ------------------------------------------------------------------------------------------------------------------------------

/// A plain write whose place is not given, after which its thread has nothing to do, nor has any other, revisits `read`. Say that all that goes is the read and what came after it
/// in its thread R. The write can be the latest, and what is read last may read the latest; so that is consistent. If R has nothing to do then, that is one execution. If it has one
/// more write to do, which has no choice either (it can be the latest, or updates what is new), that is one execution and the revisits of that write; there must be none. (Nothing is wrong
/// with any of these accesses: is_good_and_last, is_last_write.)
std::size_t Explorer::revisit_leads_to_one(const GraphEvent& write, const Value& value, ConstClock prefix, EventId read) {
    const GraphEvent& r = graph_[read];
    Step& s = *notes_[read.index].before.step;
    if (!options_asked_.tuning.count_revisits || s.may_wait || s.pieces != 1 || s.action.weak ||
        (races_ && s.action.order == Order::NonAtomic)) {
        return 0;
    }
    std::size_t length = graph_.size() + 2;
    const auto order = graph_.order();
    for (std::size_t k = order.size(); k > r.stamp; --k) {
        const GraphEvent& e = graph_[order[k - 1]];
        if (e.thread == r.thread && e.kind != EventKind::Wait) {
            --length;
        } else if (!stays(order[k - 1], prefix, r.stamp)) {
            return 0;
        }
    }
    model_->note_loose(write.location); // it may be: what it comes after is not looked for
    Edge& edge = steps_.reading(s, value);
    if (!edge.writes && ends(s, edge)) {
        return length - 1;
    }
    GraphEvent last{.kind = EventKind::Write, .thread = r.thread, .index = r.index + 1, .location = r.location};
    if (!is_last_write(s, edge, last) || may_revisit_then(last, {write, prefix, read})) {
        return 0;
    }
    model_->note_loose(last.location);
    return length;
}

void Explorer::count_revisits(const GraphEvent& write, ConstClock prefix, std::uint32_t youngest) {
    const bool counts = !write.update && !model_->tracks_coherence(write.location) && lessons_.whole.empty();
    const Value value = written_value(write.thread, write);
    for_each_revisit(write, prefix, youngest, [&](EventId read) {
        const std::size_t length = counts ? revisit_leads_to_one(write, value, prefix, read) : 0;
        if (length == 0 || !count_one()) {
            offer({.kind = Option::Kind::Revisit, .event = read});
        } else {
            note_length(length);
        }
        return false;
    });
}

/// After the revisit everything that the last write does not need was there before the read (the rest was kept because the revisiting write needs it). So what it could revisit is too,
/// and all of that down to there must have been added canonically, as things are then. What is certainly not: a read of the location of the revisiting write that reads what comes
/// before that one by name, since that one can be the latest (RfModel::latest; in the part at hand it is read by nothing but `read`, after which nothing comes).
bool Explorer::may_revisit_then(const GraphEvent& last, const Planned& revisit) {
    const GraphEvent& r = graph_[revisit.read];
    const EventId previous = graph_.thread(r.thread)[r.index - 1];
    const ConstClock before = model_->prefix(previous);
    after_revisit_.assign(before.begin(), before.end());
    join(after_revisit_, revisit.prefix);
    after_revisit_[revisit.write.thread.index] = revisit.write.index + 1;
    after_revisit_[r.thread.index] = r.index + 1;
    const std::uint32_t oldest = oldest_read_outside(after_revisit_, last);
    ++comparison_;
    const auto order = graph_.order();
    for (std::size_t k = r.stamp - 1; k >= oldest; --k) {
        const EventId id = order[k - 1];
        const GraphEvent& e = graph_[id];
        if (model_->contains(after_revisit_, id) && e.kind != EventKind::Wait) {
            continue;
        }
        if (!may_be_canonical(id, revisit)) {
            return false;
        }
        if (e.is_read() && e.location == last.location) {
            return true;
        }
    }
    return false;
}

bool Explorer::may_be_canonical(EventId id, const Planned& revisit) {
    const GraphEvent& e = graph_[id];
    const auto found = [&](EventId x) { return graph_[x].stamp <= e.stamp || model_->contains(after_revisit_, x); };
    if (e.kind == EventKind::Choose) {
        return notes_[id.index].value.lo == 0;
    }
    if (e.kind == EventKind::Read) {
        const auto name = [](const GraphEvent& w) { return std::pair(w.thread.index, w.index); };
        const GraphEvent& source = graph_[e.source];
        if (!found(e.source)) {
            return false;
        }
        return e.location != revisit.write.location || (source.kind == EventKind::Write && name(source) > name(revisit.write));
    }
    if (e.kind == EventKind::Write) {
        for (EventId x = e.first_reader; x != kNoEvent; x = graph_[x].next_reader) {
            if (x != revisit.read && found(x)) {
                return false;
            }
        }
    }
    return true;
}

/// With a write more could be read by an iteration that fails, and what is lost in memory depends on its place: where that would be asked, leaves are built.
///
/// The last place in coherence is always consistent; so is that of an update which has read what no other has taken: what is ordered before the
/// write of it was ordered before the next write in coherence too, which its read and the other readers of its source come before. Others are if the model admits all.
bool Explorer::count_last_writes(const GraphEvent& write, std::size_t first) {
    Step& s = step_of(write.thread);
    if (!is_alone(write.thread) ||
        !ends(s, write.update ? steps_.reading(s, notes_[write.update_read.index].value) : steps_.having(s, {})) ||
        (races_ && !lessons_.whole.empty()) || (options_asked_.leaks && (allocs_ > 0 || heap_before_)) ||
        !is_good_and_last(write)) {
        return false;
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
        note_unbuilt_write(write.location, model_->prefix_before(write));
    }
    return true;
}

} // namespace heddle
