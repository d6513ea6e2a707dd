// ForcedOrder: is there an execution of the history? Under ra and rc11, unless seq_cst accesses or fences have to do with it.
//
// What follows from what must come before what is a contradiction, or it is not. If it is none, and it is certain of each read what it has read, then there is an execution. Proof: of each location,
// what comes before what is an order that contains happens-before there, has every read behind what it has read, and no store in between. Take any order of the stores that agrees with it and has
// each update right behind what it updates: there is one, since what comes before an update and is not what it has read comes before that too, and what comes after that comes after the update, so
// both may be taken as one. That is coherence. Let x happen before y, and let eco lead from y to x. Both are accesses of that location, and x comes before y there. Let x' be x, or what
// it has read, and y' likewise; from y to x in eco: y' comes before x' or is the same in coherence. If x' and y' are different, then x' comes before y' (what comes before a read comes before what it has
// read, or is that): a contradiction. If they are the same, then y is that write and x reads from it, so y comes before x, which is a contradiction, too. Happens-before and reads-from have no
// cycles: in ra that is the order itself, in rc11 program order and reads-from are asked about in the end (is_grounded). Psc has no cycles: it would need two seq_cst accesses, or a fence.
//
// If it is not certain, the cases are tried, one read after the other: what it may have read, what follows then, until all is certain or each is a contradiction. What was found the last time comes
// first. Mostly there are a few cases and the first is good. A fence lets what follows learn, which is not kept well enough here: what is learnt by nobody is not passed on.
#include "machine/action.hpp"
#include "search/dpor/steps.hpp"
#include "search/value/forced_order.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

bool ForcedOrder::says_all(const HistoryOp& next) const {
    const bool is_seq_cst = next.step->action.order == heddle::Order::SeqCst;
    return decides_ && (all_synchronize_ || (fences_ == 0 && seq_csts_ + (is_seq_cst ? 1 : 0) <= 1));
}

std::uint32_t ForcedOrder::find_undecided(Sources& sources) const {
    std::uint32_t found = kMost;
    static_cast<void>(considered_.all_of([&](std::uint32_t e) {
        if (!accesses_[e].reads || facts_.source[e] != kMost) {
            return true;
        }
        const Sources here = sources_of(e);
        if (here.count == 0 && here.initial) {
            return true;
        }
        if (found == kMost || here.count < sources.count) {
            found = e;
            sources = here;
        }
        return sources.count + (sources.initial ? 1 : 0) > 2;
    }));
    return found;
}

bool ForcedOrder::is_grounded() const {
    Set done;
    Set left = considered_;
    for (bool moved = true; moved;) {
        moved = false;
        static_cast<void>(left.all_of([&](std::uint32_t e) {
            const Access& a = accesses_[e];
            const std::uint32_t source = a.reads ? facts_.source[e] : kMost;
            Set missing = a.program_order & considered_;
            missing.remove(done);
            if (missing.empty() && (source >= kMost || done.has(source))) {
                done.insert(e);
                moved = true;
            }
            return true;
        }));
        left.remove(done);
    }
    return left.empty();
}

bool ForcedOrder::assume(std::uint32_t r, std::uint32_t source) {
    facts_.unsure.erase(r);
    facts_.source[r] = source;
    if (source != kInitial && accesses_[r].stores) {
        facts_.taken.insert(source);
    }
    touched_ = {};
    touched_.insert(r);
    chains_ = accesses_[r].stores;
    // Which comes first is said at once: updates must not have read each other.
    return (source == kInitial || order(source, r)) && saturate();
}

ForcedOrder::Answer ForcedOrder::decide(unsigned& cases, std::size_t depth) {
    Sources sources;
    const std::uint32_t r = find_undecided(sources);
    if (r == kMost) {
        const bool is_one = all_synchronize_ || is_grounded();
        if (is_one) {
            hints_.assign(facts_.source.begin(), facts_.source.end());
        }
        return is_one ? Answer::Yes : Answer::No;
    }
    if (undecided_.size() <= depth) {
        undecided_.resize(depth + 1);
    }
    undecided_[depth] = facts_;
    Answer answer = Answer::No;
    const auto is_good = [&](std::uint32_t source) {
        if (cases == 0) {
            answer = Answer::Unknown;
            return true;
        }
        --cases;
        const Answer here = assume(r, source) ? decide(cases, depth + 1) : Answer::No;
        if (here == Answer::No) {
            facts_ = undecided_[depth];
        } else {
            answer = here;
        }
        return here != Answer::No;
    };
    const std::uint32_t hint = r < hints_.size() ? hints_[r] : kMost;
    const bool is_hinted = hint == kInitial || hint == kMost ? sources.initial : sources.stores.has(hint);
    const std::uint32_t first = !is_hinted ? kMost : hint == kMost ? kInitial : hint;
    if (is_hinted && is_good(first)) {
        return answer;
    }
    const bool found = !sources.stores.all_of_backwards([&](std::uint32_t s) { return s == first || !is_good(s); });
    if (!found && sources.initial && first != kInitial) {
        static_cast<void>(is_good(kInitial));
    }
    return answer;
}

void ForcedOrder::note_execution(KnownExecution::Saved& execution) const {
    execution.assign(history_.threads(), {});
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        execution[t].resize(history_.thread(ThreadId(t)).size());
    }
    const auto place = [&](std::uint32_t e) -> KnownExecution::Place& {
        const Access& a = accesses_[e];
        if (a.thread >= execution.size()) {
            execution.resize(a.thread + 1);
        }
        auto& ops = execution[a.thread];
        ops.resize(std::max<std::size_t>(ops.size(), a.op + 1));
        return ops[a.op];
    };
    std::vector<std::uint32_t> taker(accesses_.size(), kMost); ///< which update reads a store
    considered_.all_of([&](std::uint32_t e) {
        const Access& a = accesses_[e];
        const std::uint32_t source = a.reads ? facts_.source[e] : kMost;
        KnownExecution::Place& here = place(e); // the last one is not in the history
        if (source < kMost) {
            here.source = OpAt{ThreadId(accesses_[source].thread), accesses_[source].op};
            if (a.stores) {
                taker[source] = e;
            }
        }
        return true;
    });
    for (const Cell& cell : cells_) {
        const Set stores = cell.stores & considered_;
        // Those that update no store, each after what comes before it; and each with those that update it, one after the other.
        std::vector<std::pair<int, std::uint32_t>> heads;
        stores.all_of([&](std::uint32_t s) {
            if (!accesses_[s].reads || facts_.source[s] >= kMost) {
                const Set earlier = facts_.order.before[s] & stores;
                heads.emplace_back(std::popcount(earlier.words[0]) + std::popcount(earlier.words[1]), s);
            }
            return true;
        });
        std::ranges::sort(heads);
        KnownExecution::Time time = 0;
        for (const auto& [earlier, head] : heads) {
            for (std::uint32_t s = head; s != kMost; s = taker[s]) {
                time += KnownExecution::kGap;
                place(s).time = time;
            }
        }
    }
}

} // namespace heddle
