// ForcedOrder: can a history have a data race? Not if happens-before certainly orders all that is in conflict.
//
// What certainly happens before what is part of happens-before in every execution of the history. So a pair that it orders races in none of them, and if it orders every pair there is nothing to
// look for. (What it does not order may still be ordered in each execution; then they are built.)
//
// If it is not certain, the executions are divided by what a read that learns has read, one read after the other: what follows from each of its possible sources is found in the same way. Mostly
// a few cases are enough to see that there is nothing to look for, each a hundredth of the executions that would be built.
//
// The same is asked about an iteration that fails, put in somewhere (value_failures.cpp). A read of it learns what all stores tell from which it may have read: those of its value that do not happen
// after it, nor have been overwritten by one that it knows of. What the thread does from there on comes after the iteration, and so does what happens after that.
#include "search/value/forced_order.hpp"

#include "machine/action.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

bool is_seq_cst(const Action& access) {
    const bool may_fail =
        access.kind == ActionKind::Rmw && (access.rmw == RmwOp::CompareExchange || access.rmw == RmwOp::AddUnless);
    return access.order == Order::SeqCst && (!may_fail || access.failure_order == Order::SeqCst);
}

bool ForcedOrder::settle() {
    catch_up();
    const auto count = static_cast<std::uint32_t>(accesses_.size());
    // Races are told by the happens-before of C11, of which that of ra is more.
    if (is_machine_ || all_synchronize_ || count == kMost || count == 0 || !follow_all(count)) {
        return false;
    }
    if (keeps_levels_) {
        facts_ = levels_[count].facts;
        considered_ = Set::first(count);
    }
    return true;
}

bool ForcedOrder::keeps_conflicts_apart() {
    catch_up();
    const auto count = static_cast<std::uint32_t>(accesses_.size());
    if (!runs() || count == kMost || !follow_all(count)) {
        return false;
    }
    const Order& order = keeps_levels_ && count > 0 ? levels_[count].facts.order : facts_.order;
    return std::ranges::all_of(cells_, [&](const Cell& cell) {
        return cell.plain.all_of([&](std::uint32_t e) {
            return (accesses_[e].stores ? cell.accesses : cell.stores).all_of([&](std::uint32_t other) {
                // Between what is ordered by starting and joining threads that is what comes between.
                return accesses_[other].thread == accesses_[e].thread || accesses_[e].program_order.has(other) ||
                       accesses_[other].program_order.has(e) || order.after[other].meets(order.before[e]) ||
                       order.after[e].meets(order.before[other]);
            });
        });
    });
}

bool ForcedOrder::may_race() const {
    return std::ranges::any_of(cells_, [&](const Cell& cell) {
        return !cell.plain.all_of([&](std::uint32_t e) {
            Set others = accesses_[e].stores ? cell.accesses : cell.stores;
            others.erase(e);
            others.remove(facts_.happens.before[e]);
            others.remove(facts_.happens.after[e]);
            return others.empty();
        });
    });
}

bool ForcedOrder::may_hold(const std::function<bool()>& holds) {
    unsigned cases = kManyCases;
    return may_hold(holds, cases);
}

bool ForcedOrder::may_hold(const std::function<bool()>& holds, unsigned& cases) {
    if (!holds()) {
        return false;
    }
    const Set unsure = facts_.unsure & considered_;
    std::uint32_t r = kMost;
    static_cast<void>(unsure.all_of_backwards([&](std::uint32_t e) {
        r = e;
        return false;
    }));
    if (r == kMost) {
        return true;
    }
    const Sources sources = sources_of(r);
    if (sources.initial && may_hold_reading(r, kInitial, holds, cases)) {
        return true;
    }
    return !sources.stores.all_of([&](std::uint32_t s) { return !may_hold_reading(r, s, holds, cases); });
}

bool ForcedOrder::may_hold_reading(std::uint32_t r, std::uint32_t source, const std::function<bool()>& holds, unsigned& cases) {
    if (cases == 0) {
        return true;
    }
    --cases;
    Facts before = facts_;
    const bool result = assume(r, source) && may_hold(holds, cases);
    facts_ = std::move(before);
    return result;
}

ForcedOrder::Knowledge ForcedOrder::known_before(OpAt at) const {
    const auto record = std::ranges::find(records_, at, &Record::at);
    Knowledge known;
    if (at.thread.index < threads_.size()) {
        known.past = closed(record == records_.end() ? threads_[at.thread.index].always : record->thread.always);
    }
    const auto next =
        std::ranges::find_if(accesses_, [&](const Access& a) { return a.thread == at.thread.index && a.op >= at.op; });
    if (next != accesses_.end()) {
        const auto e = static_cast<std::uint32_t>(next - accesses_.begin());
        known.future = facts_.happens.after[e];
        known.future.insert(e);
    }
    return known;
}

std::optional<ForcedOrder::Knowledge> ForcedOrder::having_read(const Knowledge& known, LocationId l, ValueId v,
                                                               bool acquires) const {
    const Cell* const cell = l.index < cell_of_.size() && cell_of_[l.index] != 0 ? &cells_[cell_of_[l.index] - 1] : nullptr;
    if (!cell || cell->accesses.empty()) {
        return known; // its first value
    }
    const Set seen = known.past & cell->stores;
    Set learnt = considered_;
    bool possible = false;
    if (cell->values[cell->initial].value == v && seen.empty()) {
        learnt = {};
        possible = true;
    }
    const auto content = std::ranges::find(cell->values, v, &Cell::Content::value);
    Set sources = content == cell->values.end() ? Set{} : content->stores;
    sources.remove(known.future);
    sources.all_of([&](std::uint32_t s) {
        if (!seen.meets(facts_.order.after[s])) {
            learnt &= closed(message_of(s));
            possible = true;
        }
        return true;
    });
    if (!possible) {
        return std::nullopt;
    }
    Knowledge now = known;
    if (acquires) {
        now.past |= learnt;
    }
    return now;
}

bool ForcedOrder::is_ordered(const Knowledge& known, OpAt access) const {
    const auto there =
        std::ranges::find_if(accesses_, [&](const Access& a) { return a.thread == access.thread.index && a.op == access.op; });
    const auto e = static_cast<std::uint32_t>(there - accesses_.begin());
    return there != accesses_.end() && (known.past.has(e) || known.future.has(e));
}

} // namespace heddle
