// ValueExplorer: races of iterations that fail, which are in no history.
//
// An iteration of a loop that had no effect and leaves its thread as it was is left out (dpor/spin.hpp), which loses no values. But one of its reads may race where nothing that is in a history does.
// Let a read f of an iteration that fails race with w. That execution goes on to its end, E. Let G be E without its iterations that fail. The search finds the values of G: a
// history H. It need not find G itself. In H the thread of f comes to the head of the loop as it did in E, since what it does is decided by what it has read; there the
// iteration can be put back: E, with its other failed iterations left out again, is an execution of that history, and since what is left out orders no more than before, f still races with w. So it is enough
// to ask, at the end of each execution found, for each head of a loop that a thread comes to and for each iteration from there that fails: does the history with the iteration put
// in there have an execution that races? That is exact, whether the loop is explored read by read or an iteration at a time.
//
// And it is much to ask. So all executions of H are built first, as they are for the races of H itself, among them G, and of each of them it is asked which iterations that fail might be put in and race
// (failing_iterations.hpp: its reads need not what the thread does from the head on, and know what happens before them in G). Mostly there is none. Nothing is built
// if no read of such an iteration could be in conflict with what others do, whatever it reads of what is stored in H; nor, under rc11, if happens-before certainly orders each such read, as each
// access of H, and what it is in conflict with (forced_order_races.cpp).
//
// A wait of the library is not asked about: its words are nothing that a program accesses plainly.
#include "search/dpor/failing_iterations.hpp"
#include "search/value/graph_realizer.hpp"
#include "search/value/value_explorer.hpp"

#include <algorithm>
#include <set>

namespace heddle {

namespace {

bool has(const Ref<LoopRecord>& loops, const LoopRecord* loop) {
    for (const LoopRecord* r = loops.raw(); r; r = r->outer.raw()) {
        if (r == loop) {
            return true;
        }
    }
    return false;
}

constexpr std::size_t kManyValuesFound = 64; ///< of a location: from then on the histories are asked one by one

/// Is the step, which the thread comes to after `before` (null: at first), the first of an iteration of this loop?
bool begins(const Step* before, const LoopRecord* loop) { return !before || !has(before->loops, loop); }

} // namespace

class ValueExplorer::Failures {
  public:
    Failures(ValueExplorer& explorer, const std::vector<LoopEntry>& entries) : x_(explorer), entries_(entries) {}

    /// Notes the iterations that might be put into the execution that has been built.
    void look() {
        for (const LoopEntry& e : entries_) {
            entry_ = &e;
            if (e.at.op < x_.history_.thread(e.at.thread).size()) {
                iterations_.begin(built_.event(e.at));
            } else {
                iterations_.begin(e.at.thread);
            }
            static_cast<void>(iterations_.may_race(*e.step, !x_.asked_.tuning.quick_failures));
        }
    }

    struct Suspect {
        OpAt at; ///< before which it is put
        std::vector<HistoryOp> reads;
    };
    [[nodiscard]] const std::vector<Suspect>& suspects() const { return suspects_; }

    // --- for FailingIterations
    [[nodiscard]] const ExecutionGraph& graph() const { return built_.graph(); }
    [[nodiscard]] const MemoryModel& model() const { return built_.model(); }
    [[nodiscard]] const HappensBefore& races() const { return built_.happens_before(); }
    [[nodiscard]] Steps& steps() const { return x_.steps_; }
    [[nodiscard]] const Value& value_of(EventId write) const { return x_.history_.value(built_.value_of(write)); }
    [[nodiscard]] std::optional<LocationId> place_of(Step& s, std::uint32_t part) {
        return x_.can_be_read(s) ? std::optional(built_.location(x_.location_of(s, part))) : std::nullopt;
    }
    [[nodiscard]] bool fails(const Edge& edge) const { return ValueExplorer::fails(*entry_, edge); }
    [[nodiscard]] bool is_part(const Step& next) const { return ValueExplorer::is_part(*entry_, next); }
    void reads(Step& s, std::uint32_t part, EventId source) {
        way_.push_back(x_.read_op({.step = &s, .part = part}, built_.value_of(source)));
    }
    void passes(Step& fence) { way_.push_back(fence_op(fence)); }
    void unreads() { way_.pop_back(); }
    [[nodiscard]] Value whole(const Step& s) const { return x_.whole_of(s, std::span<const HistoryOp>(way_).last(s.pieces)); }
    [[nodiscard]] bool is_too_much() const {
        x_.look_at_budgets();
        return x_.stopped_;
    }
    [[nodiscard]] bool is_enough() {
        std::vector<std::uint32_t> key{entry_->at.thread.index, entry_->at.op};
        for (const HistoryOp& op : way_) {
            key.push_back(op.read.index);
        }
        if (noted_.insert(std::move(key)).second) {
            suspects_.push_back({entry_->at, way_});
        }
        return false;
    }

  private:
    ValueExplorer& x_;
    GraphRealizer& built_ = *x_.by_graph_;
    const std::vector<LoopEntry>& entries_;
    const LoopEntry* entry_ = nullptr; ///< that is looked at
    std::vector<HistoryOp> way_;       ///< from there
    std::vector<Suspect> suspects_;
    std::set<std::vector<std::uint32_t>> noted_; ///< of `suspects_`: where, and the values read
    FailingIterations<Failures> iterations_{*this, x_.failure_clocks_};
};

bool ValueExplorer::can_be_read(Step& s) {
    if (steps_.arrive_without_object(s)) {
        return false;
    }
    if (s.pieces == 0) {
        locate(s);
    }
    return true;
}

bool ValueExplorer::fails(const LoopEntry& entry, const Edge& edge) {
    return edge.futile && begins(entry.before, edge.futile.raw());
}

bool ValueExplorer::is_part(const LoopEntry& entry, const Step& next) {
    const ActionKind kind = next.action.kind;
    if (kind != ActionKind::Load && kind != ActionKind::Rmw && kind != ActionKind::Lock && kind != ActionKind::Fence) {
        return false;
    }
    for (const LoopRecord* r = entry.step->loops.raw(); r; r = r->outer.raw()) {
        if (has(next.loops, r)) {
            return begins(entry.before, r); // those further out began no later
        }
    }
    return false;
}

std::vector<ValueExplorer::LoopEntry> ValueExplorer::loop_entries() {
    const bool skips_harmless = asked_.tuning.quick_failures && asked_.tuning.harmless_failures;
    std::vector<LoopEntry> entries;
    for (std::uint32_t k = 0; k < threads_.size(); ++k) {
        const ThreadId t(k);
        const Step* before = nullptr;
        const auto look = [&](std::uint32_t op, Step* s) {
            const bool may_be_first = s->action.kind == ActionKind::Fence || (s->may_wait && s != before); // not a later piece
            if (may_be_first && s->loops && begins(before, s->loops.raw())) {
                const LoopEntry entry{{t, op}, s, before};
                if (!skips_harmless || !is_harmless(entry)) {
                    entries.push_back(entry);
                }
            }
            before = s;
        };
        const auto ops = history_.thread(t);
        for (std::uint32_t op = 0; op < ops.size(); ++op) {
            look(op, ops[op].step);
        }
        if (threads_[k].exists && !finished(t) && stands_at_read(t)) {
            look(static_cast<std::uint32_t>(ops.size()), &step_of(t));
        }
    }
    return entries;
}

// --- iterations that are in conflict with nothing whatever they read -----------------------------------------------------------------------
//
// Mostly the iterations of a loop that fail read only what nobody ever accesses plainly. That is found once for each step at which a loop begins, not at the end of each execution: what
// such an iteration may read is followed through all values that were ever seen in the locations that it reads (`Found`), and asked is whether anybody was ever seen to access one of these plainly.
// Both sets only grow, and have in them what the execution at hand has, so what is harmless is harmless in it too; when something is new (`findings_`) it is asked again. Nothing is remembered of
// locations that come and go, or of accesses that nobody was seen to make: to find out which locations those are is to have made them.

void ValueExplorer::note_found(const HistoryOp& access) {
    if (access.location.index >= found_there_.size()) {
        found_there_.resize(access.location.index + 1);
        ++findings_;
    }
    FoundThere& there = found_there_[access.location.index];
    if (!there.is_plain && counts_as_plain(access.step->action)) {
        there.is_plain = is_any_plain_ = true;
        ++findings_;
    }
    const bool may_be_new = there.is_followed && access.stores() && there.values.size() <= kManyValuesFound;
    if (may_be_new && std::ranges::find(there.values, access.written) == there.values.end()) {
        there.values.push_back(access.written);
        ++findings_;
    }
}

const std::vector<ValueId>& ValueExplorer::values_found(LocationId l) {
    FoundThere& there = found_there_[l.index];
    if (!there.is_followed) {
        there.is_followed = true;
        for_each_candidate(l, [&](ValueId v) { there.values.push_back(v); });
    }
    return there.values;
}

bool ValueExplorer::is_harmless(const LoopEntry& entry) {
    Step& s = *entry.step;
    if (s.harmless_asked != findings_) {
        s.harmless_asked = findings_;
        unsigned ways = 0;
        s.is_harmless = is_harmless(entry, s, false, ways);
    }
    return s.is_harmless;
}

bool ValueExplorer::is_harmless(const LoopEntry& entry, Step& s, bool conflicts, unsigned& ways) {
    constexpr unsigned kManyWaysOnce = 300;
    if (++ways > kManyWaysOnce) {
        return false;
    }
    if (s.action.kind == ActionKind::Fence) {
        Step& next = *steps_.follow(s, steps_.having(s, {}));
        return !is_part(entry, next) || is_harmless(entry, next, conflicts, ways);
    }
    const Action& a = s.action;
    if (kind_of(a.address) != AddressKind::Global || !cells_.is_one(a.address, a.size)) {
        return false;
    }
    can_be_read(s);
    const LocationId l = location_of(s, 0);
    if (l.index >= found_there_.size()) {
        return false;
    }
    const bool now = conflicts || counts_as_plain(a) || found_there_[l.index].is_plain;
    const std::size_t count = values_found(l).size();
    if (count > kManyValuesFound) {
        return false;
    }
    for (std::size_t k = 0; k < count; ++k) {
        Edge& edge = steps_.reading(s, history_.value(values_found(l)[k]));
        if (fails(entry, edge)) {
            if (now) {
                return false;
            }
        } else if (edge.satisfies() && !edge.writes) {
            Step& next = *steps_.follow(s, edge);
            if (is_part(entry, next) && !is_harmless(entry, next, now, ways)) {
                return false;
            }
        }
    }
    return true;
}

bool ValueExplorer::may_conflict(const LoopEntry& entry, Step& s, bool conflicts, const ForcedOrder::Knowledge* known,
                                 unsigned& ways) {
    if (++ways > kManyWays) {
        return true;
    }
    if (s.action.kind == ActionKind::Fence) {
        Step& next = *steps_.follow(s, steps_.having(s, {}));
        return is_part(entry, next) && may_conflict(entry, next, conflicts, known, ways);
    }
    if (!can_be_read(s)) {
        return false;
    }
    if (s.pieces > 1) {
        return true;
    }
    const LocationId l = location_of(s, 0);
    const bool may_store = s.action.kind != ActionKind::Load; // what it found
    const bool now = conflicts || history_.any_access(l, [&](OpAt at, const HistoryOp& op) {
        const bool is_plain = s.action.order == Order::NonAtomic || op.step->action.order == Order::NonAtomic;
        return is_plain && at.thread != entry.at.thread && (may_store || op.stores()) &&
               !(known && forced_->is_ordered(*known, at));
    });
    return any_live(entry.at, s, l, [&](ValueId v) {
        Edge& edge = steps_.reading(s, history_.value(v));
        if (fails(entry, edge)) {
            return now;
        }
        if (!edge.satisfies() || edge.writes) {
            return false;
        }
        Step& next = *steps_.follow(s, edge);
        if (!is_part(entry, next)) {
            return false;
        }
        if (!known) {
            return may_conflict(entry, next, now, nullptr, ways);
        }
        const auto then = forced_->having_read(*known, l, v, is_acquire(order_of_read(s.action, false)));
        return then && may_conflict(entry, next, now, &*then, ways);
    });
}

void ValueExplorer::check_races_with(const std::vector<HistoryOp>& iteration, OpAt at) {
    const History found = history_;
    for (std::uint32_t t = 0; t < found.threads(); ++t) {
        for (std::size_t k = found.thread(ThreadId(t)).size(); k-- > 0;) {
            history_.pop(ThreadId(t));
        }
    }
    for (std::uint32_t t = 0; t < std::max<std::size_t>(found.threads(), at.thread.index + 1);
         ++t) { // it may have done nothing yet
        const auto ops = found.thread(ThreadId(t));
        for (std::uint32_t k = 0; k <= ops.size(); ++k) {
            for (std::size_t n = 0; at == OpAt{ThreadId(t), k} && n < iteration.size(); ++n) {
                history_.push(ThreadId(t), iteration[n]);
            }
            if (k < ops.size()) {
                history_.push(ThreadId(t), ops[k]);
            }
        }
    }
    check_races();
    history_ = found;
}

void ValueExplorer::check_races_and_failures() {
    if (!judges_races_ || looks_around_) {
        return;
    }
    if (is_sequential_) {
        look_for_weakness();
        return;
    }
    const std::vector<LoopEntry> entries = loop_entries();
    const auto may_conflict = [&](bool is_order_known) {
        return std::ranges::any_of(entries, [&](const LoopEntry& e) {
            unsigned ways = 0;
            const auto known = is_order_known ? std::optional(forced_->known_before(e.at)) : std::nullopt;
            return this->may_conflict(e, *e.step, false, known ? &*known : nullptr, ways);
        });
    };
    // What is cheap comes first; but if it is to be known what is certain anyway, the iterations are asked about once.
    bool may_race =
        is_any_plain_ && (is_certain_of_races_ && certain_.is_cheap() ? !certain_.orders_conflicts() : this->may_race());
    bool may_fail = !entries.empty() && (!asked_.tuning.quick_failures || may_race || may_conflict(false));
    if (!may_race && !may_fail) {
        return;
    }
    if (asked_.tuning.quick_races && forced_ && forced_->settle()) {
        may_fail = may_fail && (!asked_.tuning.quick_failures || may_conflict(true));
        may_race = may_race && forced_->may_race();
        if (asked_.tuning.race_cases && (may_fail || may_race) &&
            !forced_->may_hold([&] { return (may_race && forced_->may_race()) || (may_fail && may_conflict(true)); })) {
            return;
        }
    } else if (may_fail && may_race && asked_.tuning.quick_failures) {
        may_fail = may_conflict(false);
    }
    if (!may_fail) {
        if (may_race) {
            check_races();
        }
        return;
    }
    Failures failures(*this, entries);
    check_races([&] {
        failures.look();
        return stopped_;
    });
    for (const Failures::Suspect& s : failures.suspects()) {
        if (!stopped_) {
            check_races_with(s.reads, s.at);
        }
    }
}

} // namespace heddle
