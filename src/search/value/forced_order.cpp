#include "search/value/forced_order.hpp"

#include "machine/action.hpp"
#include "search/dpor/steps.hpp"

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
    if (cell.accesses.empty()) {
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
    cell.accesses.insert(e);
    if (a.plain) {
        cell.plain.insert(e);
    }
    if (a.seq_cst) {
        seq_cst_.insert(e);
    }
    if (a.reads) {
        cell.reads.insert(e);
    }
    if (a.stores) {
        cell.stores.insert(e);
        cell.values[a.written].stores.insert(e);
    }
    set_learner(a.fenced, e);
}

void ForcedOrder::erase(std::uint32_t e) {
    const Access& a = accesses_[e];
    Cell& cell = cells_[a.cell];
    cell.accesses.erase(e);
    cell.plain.erase(e);
    seq_cst_.erase(e);
    cell.reads.erase(e);
    cell.stores.erase(e);
    if (a.stores) {
        cell.values[a.written].stores.erase(e);
    }
    set_learner(a.fenced, kMost);
}

void ForcedOrder::set_learner(const Set& reads, std::uint32_t e) {
    reads.all_of([&](std::uint32_t r) {
        accesses_[r].learner = e;
        return true;
    });
}

void ForcedOrder::drain(Thread& thread) const {
    thread.pending.all_of([&](std::uint32_t w) {
        thread.always |= accesses_[w].program_order;
        thread.always.insert(w);
        return true;
    });
    thread.pending = {};
}

void ForcedOrder::pass_fence(Thread& thread, const HistoryOp& op) const {
    const Action& fence = op.step->action;
    if (is_machine_ || fence.kind != ActionKind::Fence) {
        return;
    }
    if (is_release(fence.order)) {
        thread.released = thread.always;
    }
    if (is_acquire(fence.order)) {
        thread.fenced |= thread.unfenced;
        thread.unfenced = {};
    }
}

/// What the access, which would be the next one, tells and learns.
void ForcedOrder::synchronise(Thread& thread, const HistoryOp& op, Access& access) const {
    const auto here = static_cast<std::uint32_t>(accesses_.size());
    const Action& action = op.step->action;
    const heddle::Order of_read = order_of_read(action, op.writes);
    const heddle::Order of_write = access.reads ? order_of_write(action) : action.order;
    access.seq_cst = orders_seq_cst_ && (!access.reads || of_read == heddle::Order::SeqCst) &&
                     (!access.stores || of_write == heddle::Order::SeqCst);
    if (access.stores) {
        if (all_synchronize_ || is_release(of_write)) {
            access.message = access.program_order;
            access.message.insert(here);
        } else if (of_write != heddle::Order::NonAtomic) {
            access.message = thread.released;
        }
    }
    if (access.reads) {
        if (all_synchronize_ || is_acquire(of_read)) {
            access.learner = here;
        } else if (of_read != heddle::Order::NonAtomic) {
            thread.unfenced.insert(here);
        }
    }
    access.fenced = std::exchange(thread.fenced, {});
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
                  .plain = is_machine_ ? !is_seq_cst(op.step->action) : op.step->action.order == heddle::Order::NonAtomic,
                  .seq_cst = false,
                  .ousts = kMost,
                  .previous = thread.last,
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
    if (!is_machine_) {
        synchronise(thread, op, access);
    }
    return access;
}

void ForcedOrder::catch_up() {
    while (records_.size() < pushed_.size()) {
        add(pushed_[records_.size()]);
    }
}

void ForcedOrder::add(ThreadId t) {
    if (t.index >= threads_.size()) {
        threads_.resize(t.index + 1);
    }
    Thread& thread = threads_[t.index];
    const HistoryOp& op = history_.thread(t)[thread.done];
    const auto e = static_cast<std::uint32_t>(accesses_.size());
    const Action& action = op.step->action;
    records_.push_back({thread,
                        e,
                        op.is_access() && e < kMost,
                        action.kind == ActionKind::Fence,
                        action.order == heddle::Order::SeqCst,
                        {t, thread.done}});
    fences_ += records_.back().is_fence ? 1 : 0;
    seq_csts_ += records_.back().is_seq_cst ? 1 : 0;
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
            thread.last = buffer_ == Buffer::None ? e : kMost;
        }
        levels_.resize(std::max<std::size_t>(levels_.size(), e + 2));
        levels_[e + 1].known = false;
    } else if (op.kind == OpKind::FullFence || op.kind == OpKind::Spawn || op.kind == OpKind::Join) {
        drain(thread);
    }
    pass_fence(thread, op);
    ++thread.done;
    if (op.kind == OpKind::Spawn) {
        const Set always = thread.always;
        threads_.resize(std::max<std::size_t>(threads_.size(), op.other.index + 1));
        threads_[op.other.index] = {};
        threads_[op.other.index].always = always;
    } else if (op.kind == OpKind::Join && op.other.index < threads_.size()) {
        Thread other = threads_[op.other.index];
        drain(other);
        thread.always |= other.always;
        thread.last = kMost;
    }
}

void ForcedOrder::pop(ThreadId t) {
    pushed_.pop_back();
    if (records_.size() <= pushed_.size()) {
        return;
    }
    const Record& record = records_.back();
    threads_[t.index] = record.thread;
    fences_ -= record.is_fence ? 1 : 0;
    seq_csts_ -= record.is_seq_cst ? 1 : 0;
    if (record.is_access) {
        erase(record.accesses);
        accesses_.pop_back();
    }
    records_.pop_back();
}

} // namespace heddle
