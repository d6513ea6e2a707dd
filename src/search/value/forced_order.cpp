#include "search/value/forced_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle {

// --- the history ---------------------------------------------------------------------------------------------------------------------------

std::uint32_t ForcedOrder::cell_of(LocationId l) {
    if (l.index >= cell_of_.size()) {
        cell_of_.resize(l.index + 1);
    }
    std::uint32_t& at = cell_of_[l.index];
    if (at == 0) {
        cells_.emplace_back();
        at = static_cast<std::uint32_t>(cells_.size());
    }
    Cell& cell = cells_[at - 1];
    if (cell.stores.empty() && cell.reads.empty()) {
        cell.values.clear();
        cell.initial = value_of(cell, initial_(l)); // another time another object may be there
    }
    return at - 1;
}

std::uint32_t ForcedOrder::value_of(Cell& cell, ValueId v) {
    const auto found = std::ranges::find(cell.values, v, &Cell::Content::value);
    const auto at = static_cast<std::uint32_t>(found - cell.values.begin());
    if (found == cell.values.end()) {
        cell.values.push_back({v, {}});
    }
    return at;
}

void ForcedOrder::insert(std::uint32_t e) {
    const Access& a = accesses_[e];
    Cell& cell = cells_[a.cell];
    if (a.reads) {
        cell.reads.insert(e);
    }
    if (a.stores) {
        cell.stores.insert(e);
        cell.values[a.written].stores.insert(e);
    }
}

void ForcedOrder::erase(std::uint32_t e) {
    const Access& a = accesses_[e];
    Cell& cell = cells_[a.cell];
    cell.reads.erase(e);
    cell.stores.erase(e);
    if (a.stores) {
        cell.values[a.written].stores.erase(e);
    }
}

void ForcedOrder::drain(Thread& thread) const {
    thread.pending.all_of([&](std::uint32_t w) {
        thread.always |= accesses_[w].program_order;
        thread.always.insert(w);
        return true;
    });
    thread.pending = {};
}

ForcedOrder::Access ForcedOrder::access_of(Thread& thread, ThreadId t, const HistoryOp& op) {
    if (op.kind == OpKind::Update) {
        drain(thread);
    }
    Access access{.thread = t.index,
                  .op = thread.done,
                  .cell = cell_of(op.location),
                  .read = 0,
                  .written = 0,
                  .reads = op.reads(),
                  .stores = op.stores(),
                  .ousts = kMost,
                  .program_order = thread.always,
                  .buffered = thread.pending};
    Cell& cell = cells_[access.cell];
    access.read = access.reads ? value_of(cell, op.read) : 0;
    access.written = access.stores ? value_of(cell, op.written) : 0;
    if (op.kind == OpKind::Write) {
        thread.pending.all_of([&](std::uint32_t w) {
            const Access& earlier = accesses_[w];
            if (buffer_ == Buffer::PerThread || earlier.op < op.flush_after || earlier.cell == access.cell) {
                access.program_order |= earlier.program_order;
                access.program_order.insert(w);
            }
            return true;
        });
    }
    if (access.stores) {
        cell.reads.all_of([&](std::uint32_t r) {
            const bool is_ousted = accesses_[r].read == access.written && accesses_[r].thread != access.thread;
            access.ousts = is_ousted ? r : kMost;
            return !is_ousted;
        });
    }
    return access;
}

void ForcedOrder::pushed(ThreadId t) {
    if (t.index >= threads_.size()) {
        threads_.resize(t.index + 1);
    }
    Thread& thread = threads_[t.index];
    const HistoryOp& op = history_.thread(t).back();
    const auto e = static_cast<std::uint32_t>(accesses_.size());
    records_.push_back({thread, e, op.is_access() && e < kMost});
    if (records_.back().is_access) {
        const Access access = access_of(thread, t, op);
        accesses_.push_back(access);
        insert(e);
        if (op.kind == OpKind::Write && buffer_ != Buffer::None) {
            thread.pending.insert(e);
            if (op.seq_cst) {
                drain(thread);
            }
        } else {
            thread.always |= access.program_order;
            thread.always.insert(e);
        }
        levels_.resize(std::max<std::size_t>(levels_.size(), e + 2));
        levels_[e + 1].known = false;
    } else if (op.kind == OpKind::FullFence || op.kind == OpKind::Spawn || op.kind == OpKind::Join) {
        drain(thread);
    }
    ++thread.done;
    if (op.kind == OpKind::Spawn) {
        const Set always = thread.always;
        threads_.resize(std::max<std::size_t>(threads_.size(), op.other.index + 1));
        threads_[op.other.index] = {.done = 0, .always = always, .pending = {}};
    } else if (op.kind == OpKind::Join && op.other.index < threads_.size()) {
        Thread other = threads_[op.other.index];
        drain(other);
        thread.always |= other.always;
    }
}

void ForcedOrder::pop(ThreadId t) {
    const Record& record = records_.back();
    threads_[t.index] = record.thread;
    if (record.is_access) {
        erase(record.accesses);
        accesses_.pop_back();
    }
    records_.pop_back();
}

// --- what follows --------------------------------------------------------------------------------------------------------------------------

bool ForcedOrder::order(std::uint32_t a, std::uint32_t b) {
    if (order_.before[b].has(a)) {
        return true;
    }
    if (a == b || order_.before[a].has(b)) {
        return false;
    }
    Set earlier = order_.before[a];
    earlier.insert(a);
    Set later = order_.after[b];
    later.insert(b);
    later.remove(order_.after[a]); // they have been
    later.all_of([&](std::uint32_t e) {
        order_.before[e] |= earlier;
        return true;
    });
    earlier.all_of([&](std::uint32_t e) {
        order_.after[e] |= later;
        return true;
    });
    touched_ |= later;
    return true;
}

bool ForcedOrder::have_read_initial(std::uint32_t r) {
    Set stores = stores_of(r);
    stores.remove(order_.after[r]);
    return stores.all_of([&](std::uint32_t w) { return w == r || order(r, w); });
}

bool ForcedOrder::have_read(std::uint32_t r, std::uint32_t source) {
    if (!accesses_[r].buffered.has(source) && !order(source, r)) {
        return false;
    }
    Set stores = stores_of(r);
    stores.erase(r);
    stores.erase(source);
    Set seen = order_.before[r];
    seen |= accesses_[r].buffered;
    seen &= stores;
    seen.remove(order_.before[source]);
    if (!seen.all_of([&](std::uint32_t w) { return order(w, source); })) {
        return false;
    }
    stores &= order_.after[source];
    stores.remove(order_.after[r]);
    return stores.all_of([&](std::uint32_t w) { return order(r, w); });
}

bool ForcedOrder::come_after_all(std::uint32_t r, const Set& sources) {
    if (sources.meets(accesses_[r].buffered)) {
        return true;
    }
    Set all = considered_;
    sources.all_of([&](std::uint32_t s) {
        Set past = order_.before[s];
        past.insert(s);
        all &= past;
        return true;
    });
    all.remove(order_.before[r]);
    return all.all_of([&](std::uint32_t e) { return order(e, r); });
}

bool ForcedOrder::look_at_read(std::uint32_t r) {
    const Access& read = accesses_[r];
    const Cell& cell = cells_[read.cell];
    Set seen = order_.before[r];
    seen |= read.buffered;
    seen &= stores_of(r);
    seen.erase(r);
    Set possible = stores_of_value(r, read.read);
    possible.erase(r);
    Set later = order_.after[r];
    later.remove(read.buffered); // what it finds in its own buffer may reach memory after the read
    possible.remove(later);
    Set sources;
    std::uint32_t count = 0;
    std::uint32_t last = 0;
    possible.all_of([&](std::uint32_t s) {
        if (!seen.meets(order_.after[s])) { // or it is overwritten
            sources.insert(s);
            last = s;
            ++count;
        }
        return true;
    });
    const bool may_be_initial = cell.initial == read.read && seen.empty();
    if (count == 0) {
        return may_be_initial && have_read_initial(r);
    }
    if (may_be_initial) {
        return true;
    }
    return count == 1 ? have_read(r, last) : come_after_all(r, sources);
}

bool ForcedOrder::look_at_update(std::uint32_t u) {
    const std::uint32_t v = accesses_[u].read;
    Set takers;
    Set both; // and who gives it
    std::uint32_t taken = 0;
    std::uint32_t given = cells_[accesses_[u].cell].initial == v ? 1 : 0;
    stores_of(u).all_of([&](std::uint32_t s) {
        const Access& a = accesses_[s];
        if (a.replaces() && a.read == v) {
            takers.insert(s);
            both.insert(s);
            ++taken;
        } else if (a.written == v && !(a.reads && a.read == v)) {
            both.insert(s);
            ++given;
        }
        return true;
    });
    if (taken != given) {
        return taken < given;
    }
    std::uint32_t last = kMost;
    std::uint32_t candidates = 0;
    takers.all_of([&](std::uint32_t y) {
        if (!both.meets(order_.after[y])) {
            last = y;
            ++candidates;
        }
        return candidates < 2;
    });
    if (candidates != 1) {
        return candidates > 0;
    }
    both.remove(order_.before[last]);
    return both.all_of([&](std::uint32_t s) { return s == last || order(s, last); });
}

bool ForcedOrder::saturate() {
    while (!touched_.empty()) {
        Set reads; // of which something may follow
        std::exchange(touched_, {}).all_of([&](std::uint32_t e) {
            const Access& a = accesses_[e];
            if (a.stores) {
                reads |= cells_[a.cell].reads;
            } else {
                reads.insert(e);
            }
            return true;
        });
        reads &= considered_;
        const bool possible = reads.all_of_backwards([&](std::uint32_t e) { // first what is new
            return look_at_read(e) && (!accesses_[e].replaces() || look_at_update(e));
        });
        if (!possible) {
            return false;
        }
    }
    return true;
}

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

bool ForcedOrder::follow(std::uint32_t from, std::uint32_t count) {
    considered_ = Set::first(count);
    touched_ = {};
    if (from > 0) {
        order_ = levels_[from].order;
    } else {
        order_.before.clear();
        order_.after.clear();
    }
    for (std::uint32_t e = from; e < count; ++e) {
        Set before = accesses_[e].program_order;
        accesses_[e].program_order.all_of([&](std::uint32_t a) {
            before |= order_.before[a];
            return true;
        });
        before.all_of([&](std::uint32_t a) {
            order_.after[a].insert(e);
            return true;
        });
        order_.before.push_back(before);
        order_.after.emplace_back();
        touched_.insert(e);
    }
    return saturate();
}

bool ForcedOrder::follow_with(const Access& next, std::uint32_t count) {
    if (keeps_levels_ && count > 0 && !levels_[count].known) {
        if (!follow(level_for(count, kMost), count)) {
            return false;
        }
        levels_[count].order = order_;
        levels_[count].known = true;
    }
    const std::uint32_t from = keeps_levels_ ? level_for(count, next.ousts) : 0;
    Access later{}; // what came then does not count
    const bool is_in_between = count < accesses_.size();
    if (is_in_between) {
        erase(count);
        later = std::exchange(accesses_[count], next);
    } else {
        accesses_.push_back(next);
    }
    insert(count);
    const bool result = follow(from, count + 1);
    erase(count);
    if (is_in_between) {
        accesses_[count] = later;
        insert(count);
    } else {
        accesses_.pop_back();
    }
    return result;
}

std::uint32_t ForcedOrder::accesses_in(const Lengths& lengths) const {
    const auto operations = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
    if (operations < records_.size()) {
        return records_[operations].accesses;
    }
    return static_cast<std::uint32_t>(accesses_.size());
}

bool ForcedOrder::is_impossible(ThreadId t, const HistoryOp& next, const Lengths& lengths) {
    const std::uint32_t count = accesses_in(lengths);
    if (count == kMost) {
        return false;
    }
    Thread thread = t.index < threads_.size() ? threads_[t.index] : Thread{};
    return !follow_with(access_of(thread, t, next), count);
}

bool ForcedOrder::cannot_end_with(LocationId l, ValueId v) {
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
               .ousts = kMost,
               .program_order = Set::first(count),
               .buffered = {}};
    end.read = value_of(cells_[end.cell], v);
    return !follow_with(end, count);
}

} // namespace heddle
