#include "search/value/certain_order.hpp"

#include "machine/action.hpp"
#include "search/dpor/steps.hpp"

#include <algorithm>

namespace heddle {
namespace {

template <class T> T& at(std::vector<T>& all, std::size_t k) {
    if (k >= all.size()) {
        all.resize(k + 1);
    }
    return all[k];
}

bool drains(const HistoryOp& op) {
    return op.kind == OpKind::Update || op.kind == OpKind::FullFence || op.kind == OpKind::Spawn || op.kind == OpKind::Join ||
           (op.kind == OpKind::Write && op.seq_cst);
}

} // namespace

void CertainOrder::pushed(ThreadId t) {
    const OpAt here{t, static_cast<std::uint32_t>(history_.thread(t).size() - 1)};
    const HistoryOp& op = history_.thread(t)[here.op];
    order_.push_back(here);
    if (op.stores()) {
        at(stores_, op.location.index).push_back(here);
        auto& sources = at(sources_, op.given.index);
        sources.push_back(here);
        if (sources.size() == 2 && at(readers_, op.given.index) > 0) {
            made_ = 0;
            ++doubts_;
        }
    }
    if (op.reads()) {
        ++at(readers_, op.taken.index);
    }
    if (op.kind == OpKind::Spawn) {
        at(spawns_, op.other.index) = here;
    }
}

void CertainOrder::pop(ThreadId t) {
    const HistoryOp& op = history_.thread(t).back();
    order_.pop_back();
    made_ = std::min(made_, order_.size());
    if (op.reads()) {
        --readers_[op.taken.index];
    }
    if (op.stores()) {
        stores_[op.location.index].pop_back();
        auto& sources = sources_[op.given.index];
        sources.pop_back();
        if (sources.size() == 1 && readers_[op.given.index] > 0) {
            made_ = 0;
            --doubts_;
        }
    }
    if (op.kind == OpKind::Spawn) {
        spawns_[op.other.index].reset();
    }
}

bool CertainOrder::synchronizes(const HistoryOp& store, const HistoryOp& read) const {
    return buffer_ || all_synchronize_ ||
           (is_release(order_of_write(store.step->action)) && is_acquire(order_of_read(read.step->action, read.writes)));
}

void CertainOrder::join_source(OpAt here, const HistoryOp& op, Row clock) {
    const auto& sources = at(sources_, op.taken.index);
    if (sources.size() != 1 || sources[0].thread == here.thread || initial_(op.location) == op.read) {
        return;
    }
    const auto [u, k] = sources[0];
    if (!synchronizes(history_.thread(u)[k], op)) {
        return;
    }
    const std::uint32_t* const other = row(sources[0]);
    for (std::uint32_t x = 0; x < width_; ++x) {
        clock[x] = std::max(clock[x], other[x]);
    }
    // A store that may overtake others of its thread comes after none of them.
    clock[u.index] = other[u.index] >= k ? std::max(clock[u.index], k + 1) : clock[u.index];
}

void CertainOrder::make_clock(OpAt here) {
    const HistoryOp& op = history_.thread(here.thread)[here.op];
    Thread& thread = threads_[here.thread.index];
    thread.clocks.resize(std::size_t{here.op + 1} * width_);
    thread.drained.resize(here.op + 1);
    Row clock = &thread.clocks[std::size_t{here.op} * width_];
    std::fill(clock, clock + width_, 0);
    std::uint32_t drained = 0;
    if (here.op > 0) {
        std::copy(clock - width_, clock, clock);
        drained = thread.drained[here.op - 1];
    } else if (const auto spawn = at(spawns_, here.thread.index)) {
        std::copy(row(*spawn), row(*spawn) + width_, clock);
        clock[spawn->thread.index] = spawn->op + 1;
    }
    const bool in_order = !buffer_ || *buffer_ == Buffer::None;
    const bool after_all = in_order || (drains(op) && op.kind != OpKind::Write) ||
                           (op.kind == OpKind::Write && (*buffer_ == Buffer::PerThread || op.release));
    const std::uint32_t flushed = op.kind == OpKind::Write ? op.flush_after : 0;
    clock[here.thread.index] = after_all ? here.op : std::max(drained, flushed);
    if (op.reads()) {
        join_source(here, op, clock);
    } else if (op.kind == OpKind::Join && op.other.index < threads_.size()) {
        const auto all = static_cast<std::uint32_t>(history_.thread(op.other).size());
        if (all > 0) {
            const std::uint32_t* const other = row({op.other, all - 1});
            for (std::uint32_t x = 0; x < width_; ++x) {
                clock[x] = std::max(clock[x], other[x]);
            }
            clock[op.other.index] = all;
        }
    }
    const bool is_over = in_order || drains(op) || (drained == here.op && op.kind != OpKind::Write);
    thread.drained[here.op] = is_over ? here.op + 1 : drained;
}

void CertainOrder::refresh() {
    if (history_.threads() > width_) {
        width_ = static_cast<std::uint32_t>(history_.threads()) + 3;
        made_ = 0;
    }
    threads_.resize(width_);
    for (; made_ < order_.size(); ++made_) {
        make_clock(order_[made_]);
    }
}

bool CertainOrder::is_overwritten(ThreadId t, const HistoryOp& next, const Lengths& lengths) {
    const std::size_t l = next.location.index;
    if (l >= stores_.size() || stores_[l].empty()) {
        return false;
    }
    if (next.stores()) { // who has read what it stores may have read it from there
        const auto stored = history_.find_content(next.location, next.written);
        if (stored && at(readers_, stored->index) > 0) {
            return false;
        }
    }
    refresh();
    const auto is_there = [&](OpAt a) { return a.thread.index < lengths.size() && a.op < lengths[a.thread.index]; };
    const auto done = static_cast<std::uint32_t>(history_.thread(t).size());
    const auto spawn = at(spawns_, t.index);
    const auto is_past = [&](OpAt a) {
        if (a.thread == t) {
            return true;
        }
        if (done > 0) {
            return row({t, done - 1})[a.thread.index] > a.op;
        }
        return spawn && (a.thread == spawn->thread ? a.op < spawn->op : row(*spawn)[a.thread.index] > a.op);
    };
    // Nothing: the value that was there at first.
    const auto is_replaced = [&](std::optional<OpAt> source) {
        return std::ranges::any_of(stores_[l], [&](OpAt later) {
            return is_there(later) && is_past(later) && (!source || (*source != later && is_before(*source, later)));
        });
    };
    if (initial_(next.location) == next.read && !is_replaced(std::nullopt)) {
        return false;
    }
    const auto content = history_.find_content(next.location, next.read);
    const auto& sources = content ? at(sources_, content->index) : stores_[l];
    return !content || std::ranges::all_of(sources, [&](OpAt source) { return !is_there(source) || is_replaced(source); });
}

} // namespace heddle
