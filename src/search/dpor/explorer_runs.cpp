// Explorer: the rest of the last thread, foreseen and counted instead of built.
//
// When all other threads have ended, what the last one does is often settled after its next read: it takes the lock that is free, writes what it knows to be its own, and
// lets it go. Then each source of that read is one execution, and to build its events and to take them back is most of what the execution costs. So the rest is followed from
// step to step, with what the thread knows and what its next write would need as rows of numbers (as in explorer_foresight.cpp), and if there is one way to go on at every
// step, down to the thread's end, the execution is counted.
//
// Sound, because what is asked at each step is what would have been asked with the events there, or more:
//   - a read reads the latest write, which is always consistent. Any other write that respects the floor must be one that find_sources leaves out: it would not let the thread go on, or another update
//     has taken it and cannot be pushed behind. A read of what the run itself has written has no other;
//   - a write has the last place only, which is always consistent and takes nobody's chance away: nobody waits, and no write comes after it;
//   - it revisits nothing. That is asked of the events that are there. Those of the run are in the prefix of the write, and writes among them could only make others not canonical;
//   - what might race is known to the thread. What it learns from writes of the run itself, and by fences, is left out: it could only know more;
//   - under rf all this is so while there is but one coherence, and each write of the run must be forced to come last (MemoryModel::foresees_runs);
//   - what else could be wrong (freed objects, locks without a value, loops that fail) is left to building, and so is all that is not an access or a fence.
#include "search/dpor/explorer.hpp"

#include "search/conclude/conclude.hpp"

#include <algorithm>
#include <array>

namespace heddle {

class Explorer::LastRun {
  public:
    LastRun(Explorer& explorer, ThreadId t) : x_(explorer), t_(t) {}

    /// Has the thread one way to its end when the read at which it stands reads from `source`?
    bool foresee(EventId source) {
        const EventId last = x_.graph_.last(t_);
        x_.trial_known_.start(x_.model_->known(last));
        x_.trial_prefix_.start(x_.model_->prefix(last));
        x_.touched_.clear();
        length_ = 0;
        for (Step* s = &x_.step_of(t_); s && length_ < kLong; source = kNoEvent) {
            switch (s->action.kind) {
            case ActionKind::Done:
            case ActionKind::Exit:
                return true;
            case ActionKind::Fence:
                s = s->is_after_failure() ? nullptr : x_.steps_.follow(*s, x_.steps_.having(*s, {}));
                break;
            case ActionKind::Load:
            case ActionKind::Rmw:
            case ActionKind::Lock:
                s = is_good(*s) ? read(*s, source) : nullptr;
                break;
            case ActionKind::Store:
            case ActionKind::Unlock:
                s = is_good(*s) ? store(*s) : nullptr;
                break;
            default:
                return false;
            }
            ++length_;
        }
        return false;
    }
    /// Of the run that was foreseen last, or of what there is of it: how many actions.
    [[nodiscard]] std::uint32_t length() const { return length_; }

  private:
    static constexpr std::uint32_t kLong = 64; ///< actions; what has been touched is looked through at each of them

    /// Is it an access to one location, about which nothing is wrong and which races with nothing?
    bool is_good(Step& s) {
        if (s.is_after_failure() || Steps::may_vanish(s.action.address)) {
            return false;
        }
        if (s.pieces == 0) {
            x_.locate(s);
        }
        if (s.pieces != 1) {
            return false;
        }
        const Location& l = x_.graph_.location(s.location);
        if (!x_.races_ || (l.plain == 0 && s.action.order != Order::NonAtomic)) {
            return true;
        }
        const bool reads = s.action.kind == ActionKind::Load;
        if (s.may_wait || (!l.has_other_writer(t_) && (reads || !l.has_other_reader(t_)))) {
            return !s.may_wait; // else see check_failed_races
        }
        if (x_.own_hb_) {
            return false; // what the thread knows here is the model's happens-before, and races are judged by that of C11
        }
        bool races = false;
        for_each_beyond(x_.graph_.lengths(), x_.trial_known_.top(), [&](std::uint32_t k) {
            races = races || (k != t_.index && ((k < l.writes_of.size() && l.writes_of[k] > 0) ||
                                                (!reads && k < l.reads_of.size() && l.reads_of[k] > 0)));
        });
        return !races;
    }

    Touched* touched(LocationId l) {
        const auto it = std::ranges::find(x_.touched_, l, &Touched::location);
        return it == x_.touched_.end() ? nullptr : &*it;
    }

    /// Of a location that the run has not written.
    std::uint32_t floor(LocationId l, const Touched* own) {
        return std::max(x_.model_->foreseen_floor(l, x_.trial_known_.top()), own ? own->rank : 0);
    }

    /// Can the read not read from this write, which is not the latest, although the floor allows it? See find_sources.
    bool is_left_out(Step& s, EventId w) {
        const Edge& edge = x_.steps_.reading(s, x_.value_of(w));
        if (s.may_wait && !edge.satisfies()) {
            return true;
        }
        const EventId taker = s.action.kind != ActionKind::Load && x_.options_asked_.tuning.foresee_updates && edge.writes
                                  ? x_.graph_.taker(w)
                                  : kNoEvent;
        if (taker == kNoEvent) {
            return false;
        }
        x_.trial_prefix_.push();
        join_prefix(w);
        const bool stays = !x_.can_revisit(x_.graph_[taker].update_read, x_.trial_prefix_.top());
        x_.trial_prefix_.pop();
        return stays;
    }

    void join_prefix(EventId source) {
        if (x_.graph_[source].kind == EventKind::Write) {
            join(x_.trial_prefix_.top(), x_.model_->prefix(source));
        }
    }

    /// Where the thread comes to stand after a read, and the write if it is an update; null: there may be more than one way. `source`: of the first read of the run.
    Step* read(Step& s, EventId source) {
        const LocationId l = s.location;
        const auto& co = x_.graph_.location(l).coherence;
        Touched* own = touched(l);
        const bool chosen = source != kNoEvent;
        if (own && own->written) {
            return go_on(s, own->value, own);
        }
        if (!chosen) {
            source = co.back();
            for (std::size_t rank = floor(l, own); rank + 1 < co.size(); ++rank) {
                if (!is_left_out(s, co[rank])) {
                    return nullptr;
                }
            }
        }
        const Value& value = x_.value_of(source);
        const Edge& edge = x_.steps_.reading(s, value);
        const Order order = order_of_read(s.action, edge.writes);
        if (source != co.back() && (edge.writes || !x_.model_->admits_all({.order = order}))) {
            return nullptr;
        }
        x_.model_->learn(x_.trial_known_.top(), source, order);
        join_prefix(source);
        if (!own) {
            own = &x_.touched_.emplace_back(Touched{.location = l});
        }
        own->rank = x_.graph_[source].rank;
        return go_on(s, value, own);
    }

    Step* go_on(Step& s, const Value& value, Touched* own) {
        Edge& edge = x_.steps_.reading(s, value);
        if (!edge.satisfies() || s.action.weak || (decides_by_value(s.action) && !value.defined())) {
            return nullptr;
        }
        if (edge.writes) {
            if (revisits(s.location)) {
                return nullptr;
            }
            x_.note_unbuilt_write(s.location, x_.trial_prefix_.top());
            own->written = true;
            own->value = edge.written;
        }
        return x_.steps_.follow(s, edge);
    }

    Step* store(Step& s) {
        const LocationId l = s.location;
        const auto& co = x_.graph_.location(l).coherence;
        Touched* own = touched(l);
        if (!own || !own->written) {
            for (std::size_t rank = floor(l, own); rank + 1 < co.size(); ++rank) {
                if (x_.graph_.taker(co[rank]) == kNoEvent || !x_.model_->tracks_coherence(l)) {
                    return nullptr; // there is a place behind it, or coherence would be open
                }
            }
        }
        if (revisits(l)) {
            return nullptr;
        }
        if (!own || !own->written) {
            x_.note_unbuilt_write(l, x_.trial_prefix_.top());
        }
        if (!own) {
            own = &x_.touched_.emplace_back(Touched{.location = l});
        }
        own->written = true;
        own->value = s.action.kind == ActionKind::Unlock ? Value{} : s.action.value;
        return x_.steps_.follow(s, x_.steps_.having(s, {}));
    }

    bool revisits(LocationId l) {
        if (!x_.graph_.location(l).has_other_reader(t_)) {
            return false;
        }
        bool some = false;
        x_.for_each_revisit({.kind = EventKind::Write, .thread = t_, .location = l}, x_.trial_prefix_.top(), ~0u,
                            [&](EventId) { return some = true; });
        return some;
    }

    Explorer& x_;
    ThreadId t_;
    std::uint32_t length_ = 0;
};

/// A run that could not be foreseen because of what the thread does at some step cannot be foreseen from a later step before that one either: it is not tried. Nor
/// after a load that does not wait: what follows it is seldom settled, and where reads and writes alternate asking would cost more than it saves.
/// Whether a run is tried decides which options a frame has, so it may depend on the choices made so far only, not on what was tried before them: another worker makes just these
/// choices (crew.hpp). Hence a run is hopeless until a choice is made that is not the first of its frame (advance).
void Explorer::count_last_runs(ThreadId t) {
    const Tuning& tuning = options_asked_.tuning;
    const Step& s = step_of(t);
    if ((s.action.kind == ActionKind::Load && !s.may_wait) || s.pieces != 1 || sources_.empty() || !is_alone(t)) {
        return;
    }
    if (!tuning.count_last || !tuning.count_runs || observer_ || !model_->foresees_runs() || !frees_.empty() ||
        graph_.may_have_holes() || !lessons_.whole.empty() || (options_asked_.leaks && (allocs_ > 0 || heap_before_)) ||
        (hopeless_run_.thread == t && next_index(t) < hopeless_run_.size)) {
        return;
    }
    LastRun run(*this, t);
    const EventId latest = sources_.back();
    if (!run.foresee(latest)) { // who has read an older write knows less, and has more ways: not tried
        hopeless_run_ = {.thread = t, .size = next_index(t) + run.length()};
        return;
    }
    std::size_t longest = run.length();
    bool some = false;
    std::erase_if(sources_, [&](EventId w) {
        const bool counted = (w == latest || run.foresee(w)) && count_one();
        longest = std::max<std::size_t>(longest, run.length());
        some = some || counted;
        return counted;
    });
    if (some) {
        note_length(graph_.size() + longest);
    }
}

// --- reads only ----------------------------------------------------------------------------------------------------------------------------

/// Under rf, where happens-before decides about coherence (ra; rc11 but for seq_cst reads), reads that are all that is left are counted whatever they read: the sources
/// of each are known (MemoryModel::foresee_sources), and so is what it teaches the thread. Nothing can be wrong with them, and nobody reads or knows more because of them.
class Explorer::LastReads {
  public:
    LastReads(Explorer& explorer, ThreadId t) : x_(explorer), t_(t), index_(explorer.next_index(t)) {
        x_.trial_known_.start(x_.model_->known(x_.graph_.last(t)));
        x_.last_choices_.resize(kLong);
        for (LastChoice& choice : x_.last_choices_) {
            choice.asked = false;
        }
    }

    /// In how many ways does the thread go to its end when the read at which it stands reads from `source`? 0: it cannot be told.
    std::uint32_t count(EventId source) {
        ways_ = 0;
        longest_ = 0;
        return goes_on(x_.step_of(t_), source, 1) ? ways_ : 0;
    }
    /// Of those that were counted last: how many reads there are on the longest.
    [[nodiscard]] std::uint32_t longest() const { return longest_; }

  private:
    static constexpr std::uint32_t kLong = 8;    ///< reads on a way; the stack grows with them
    static constexpr std::uint32_t kMany = 4096; ///< ways; nobody looks at the clock meanwhile

    bool is_good(Step& s) {
        if (s.action.kind != ActionKind::Load || s.may_wait || s.is_after_failure() || Steps::may_vanish(s.action.address)) {
            return false;
        }
        if (s.pieces == 0) {
            x_.locate(s);
        }
        return s.pieces == 1 && !(x_.races_ && (x_.graph_.location(s.location).plain > 0 || s.action.order == Order::NonAtomic));
    }

    /// Counts the ways on which the read at this step, of so many, reads from `source`.
    bool goes_on(Step& s, EventId source, std::uint32_t length) {
        Step& next = *x_.steps_.follow(s, x_.steps_.reading(s, x_.value_of(source)));
        if (next.action.kind == ActionKind::Done || next.action.kind == ActionKind::Exit) {
            longest_ = std::max(longest_, length);
            return ++ways_ <= kMany;
        }
        if (length == kLong || !is_good(next)) {
            return false;
        }
        x_.trial_known_.push();
        x_.model_->learn(x_.trial_known_.top(), source, s.action.order);
        way_[length - 1] = source;
        bool told = finds_sources(next, length);
        for (std::size_t k = 0; told && k < x_.last_choices_[length].sources.size(); ++k) {
            told = goes_on(next, x_.last_choices_[length].sources[k], length + 1);
        }
        x_.trial_known_.pop();
        return told;
    }

    /// What a read finds that comes after so many is mostly the same on the next way: what these have read of other locations matters only if it has taught the thread something.
    bool finds_sources(const Step& s, std::uint32_t length) {
        const ConstClock known = x_.trial_known_.top();
        LastChoice& choice = x_.last_choices_[length];
        const std::span<const EventId> way(way_.data(), length);
        const bool apart = std::ranges::none_of(way, [&](EventId w) { return x_.graph_[w].location == s.location; });
        if (apart && choice.asked && choice.location == s.location && choice.order == s.action.order &&
            std::ranges::equal(choice.known, known)) {
            return choice.told;
        }
        choice.asked = apart;
        choice.location = s.location;
        choice.order = s.action.order;
        choice.known.assign(known.begin(), known.end());
        choice.sources.clear();
        choice.told = x_.model_->foresee_sources(
            {.kind = EventKind::Read, .order = s.action.order, .thread = t_, .index = index_ + length, .location = s.location},
            known, way, choice.sources);
        return choice.told;
    }

    Explorer& x_;
    ThreadId t_;
    std::uint32_t index_;
    std::array<EventId, kLong> way_{};
    std::uint32_t ways_ = 0;
    std::uint32_t longest_ = 0;
};

void Explorer::count_all_last_reads(ThreadId t) {
    const Step& s = step_of(t);
    if (!options_asked_.tuning.count_reads || s.action.kind != ActionKind::Load || s.may_wait || sources_.empty() ||
        !is_alone(t)) {
        return;
    }
    GraphEvent read = reads_there(t);
    if (!is_good_and_last(read) || (races_ && !lessons_.whole.empty()) || !model_->foresees_reads(read)) {
        return;
    }
    LastReads reads(*this, t);
    std::size_t longest = 0;
    std::erase_if(sources_, [&](EventId w) {
        read.source = w;
        std::uint32_t ways = model_->foretells(read).value_or(false) ? reads.count(w) : 0;
        if (ways == 0) {
            return false;
        }
        longest = std::max<std::size_t>(longest, reads.longest());
        while (ways > 0 && count_one()) {
            --ways;
        }
        return ways == 0;
    });
    if (longest == 0) {
        return;
    }
    note_length(graph_.size() + longest);
    if (options_asked_.leaks) {
        check_leaks(); // for all that were counted: see count_last_reads
    }
}

} // namespace heddle
