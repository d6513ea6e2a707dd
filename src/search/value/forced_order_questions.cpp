// ForcedOrder: what follows from a history and what is kept of that, and what is asked.
#include "search/dpor/steps.hpp"
#include "search/value/forced_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle {

std::uint32_t ForcedOrder::level_for(std::uint32_t count, std::uint32_t ousts) const {
    std::uint32_t level = std::min(count, ousts);
    for (std::uint32_t e = count;; --level) {
        while (e > level) {
            level = std::min(level, accesses_[--e].ousts);
        }
        if (level == 0 || levels_[level].known) {
            return level;
        }
    }
}

/// What is certain of an access by itself, if that of those before it is known.
void ForcedOrder::begin(std::uint32_t e) {
    const Access& access = accesses_[e];
    const auto put = [&](Order& order, const Set& first, std::uint32_t previous) {
        Set before = first;
        if (previous != kMost) {
            before |= order.before[previous];
        } else {
            first.all_of([&](std::uint32_t a) {
                before |= order.before[a];
                return true;
            });
        }
        before.all_of([&](std::uint32_t a) {
            order.after[a].insert(e);
            return true;
        });
        order.before[e] = before;
    };
    touched_.insert(e);
    if (is_machine_) {
        put(facts_.order, access.program_order, access.previous);
        return;
    }
    put(facts_.happens, access.program_order, access.previous);
    put(facts_.order, facts_.happens.before[e] & cells_[access.cell].accesses, kMost);
    if (access.seq_cst) {
        put(facts_.sequence, access.program_order & seq_cst_, kMost);
    }
    touched_ |= access.fenced; // it learns from them
}

bool ForcedOrder::follow(std::uint32_t from, const Set& considered) {
    if (from > 0 && levels_[from].impossible) {
        return false;
    }
    considered_ = considered;
    touched_ = {};
    chains_ = false;
    if (from > 0) {
        facts_ = levels_[from].facts;
    } else {
        facts_.order.clear();
        facts_.happens.clear();
        facts_.sequence.clear();
        facts_.source.clear();
        facts_.taken = {};
        facts_.unsure = {};
    }
    facts_.order.before.resize(accesses_.size());
    facts_.order.after.resize(accesses_.size());
    facts_.source.resize(accesses_.size(), kMost);
    if (!is_machine_) {
        facts_.happens.before.resize(accesses_.size());
        facts_.happens.after.resize(accesses_.size());
        if (!seq_cst_.empty()) {
            facts_.sequence.before.resize(accesses_.size());
            facts_.sequence.after.resize(accesses_.size());
        }
    }
    Set fresh = considered;
    fresh.remove(Set::first(from));
    fresh.all_of([&](std::uint32_t e) {
        begin(e);
        return true;
    });
    return saturate();
}

bool ForcedOrder::follow_all(std::uint32_t count) {
    if (count == 0) {
        return true;
    }
    Level& level = levels_[count];
    if (level.known) {
        return !level.impossible;
    }
    const std::uint32_t from = keeps_levels_ ? level_for(count, kMost) : 0;
    const bool possible = follow(from, Set::first(count));
    if (keeps_levels_) {
        level.known = true;
        level.impossible = !possible;
        if (possible) {
            level.facts = facts_;
        }
    }
    return possible;
}

ForcedOrder::Answer ForcedOrder::follow_with(const Access& next, std::uint32_t count, const Set& tried, bool decide,
                                             KnownExecution::Saved* execution, RunSought* run) {
    if (keeps_levels_ && tried.empty() && next.ousts >= count) { // mostly that is clear from what was found before
        const std::uint32_t level = level_for(count, kMost);
        if (level > 0 && (levels_[level].impossible || has_no_source(next, level, count))) {
            return Answer::No;
        }
        if (level < count && (!follow_all(count) || has_no_source(next, count, count))) {
            return Answer::No;
        }
    } else if (keeps_levels_ && !follow_all(count)) {
        return Answer::No;
    }
    const std::uint32_t from = keeps_levels_ ? level_for(count, next.ousts) : 0;
    const auto here = static_cast<std::uint32_t>(accesses_.size());
    accesses_.push_back(next);
    insert(here);
    Set considered = Set::first(count);
    considered |= tried;
    considered.insert(here);
    Answer answer = follow(from, considered) ? Answer::Unknown : Answer::No;
    if (decide && answer == Answer::Unknown) {
        unsigned cases = kManyCases;
        answer = this->decide(cases, 0);
        if (answer == Answer::Yes && execution) {
            note_execution(*execution);
        }
    }
    if (run && answer == Answer::Unknown && find_run(*run)) {
        answer = Answer::Yes;
    }
    erase(here);
    accesses_.pop_back();
    return answer;
}

bool ForcedOrder::has_no_source(const Access& next, std::uint32_t level, std::uint32_t count) const {
    const Facts& facts = levels_[level].facts;
    const Cell& cell = cells_[next.cell];
    const Set known = Set::first(level);
    Set seen = next.program_order;
    const auto close = [&](const Order& order) {
        const Set first = seen & known;
        first.all_of([&](std::uint32_t e) {
            seen |= order.before[e];
            return true;
        });
    };
    if (!is_machine_) {
        close(facts.happens);
        seen &= cell.accesses;
    }
    close(facts.order);
    seen |= next.buffered;
    seen &= cell.stores;
    if (seen.empty()) {
        return false;
    }
    const Set possible = cell.values[next.read].stores & Set::first(count);
    return possible.all_of([&](std::uint32_t s) { return known.has(s) && seen.meets(facts.order.after[s]); });
}

ForcedOrder::Answer ForcedOrder::ask(ThreadId t, const HistoryOp& next, const Lengths& lengths, std::uint32_t tried,
                                     KnownExecution::Saved* execution, RunSought* run) {
    catch_up();
    const auto here = static_cast<std::uint32_t>(accesses_.size());
    if (here == kMost) {
        return Answer::Unknown;
    }
    const auto operations = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}) - tried;
    const std::uint32_t count = operations < records_.size() ? records_[operations].accesses : here;
    Set only_tried;
    if (tried > 0) {
        only_tried = Set::first(here);
        only_tried.remove(Set::first(records_[records_.size() - tried].accesses));
    }
    Thread thread = t.index < threads_.size() ? threads_[t.index] : Thread{};
    return follow_with(access_of(thread, t, next), count, only_tried, says_all(next), execution, run);
}

bool ForcedOrder::cannot_end_with(LocationId l, ValueId v) {
    catch_up();
    const auto count = static_cast<std::uint32_t>(accesses_.size());
    if (count == kMost) {
        return false;
    }
    // A read of a thread of its own that comes after everything.
    Access end{.thread = kNobody,
               .op = 0,
               .cell = cell_of(l),
               .read = 0,
               .written = 0,
               .reads = true,
               .stores = false,
               .plain = false,
               .seq_cst = false,
               .ousts = kMost,
               .previous = kMost,
               .program_order = Set::first(count),
               .buffered = {}};
    end.read = value_of(cells_[end.cell], v);
    return follow_with(end, count, {}, false, nullptr, nullptr) == Answer::No;
}

} // namespace heddle
