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
    if (op.stores()) {
        at(stores_, op.location.index).push_back(here);
        at(at(stores_by_, op.location.index), t.index).push_back(here.op);
        auto& sources = at(sources_, op.given.index);
        sources.push_back(here);
        if (sources.size() == 2 && !at(readers_, op.given.index).empty()) {
            doubt(op.given);
            ++doubts_;
        }
    }
    if (op.reads()) {
        at(readers_, op.taken.index).push_back(static_cast<std::uint32_t>(order_.size()));
    }
    order_.push_back(here);
    if (op.kind == OpKind::Spawn) {
        at(spawns_, op.other.index) = here;
    }
}

void CertainOrder::pop(ThreadId t) {
    const HistoryOp& op = history_.thread(t).back();
    order_.pop_back();
    made_ = std::min(made_, order_.size());
    harmless_ = std::min(harmless_, order_.size());
    if (op.reads()) {
        readers_[op.taken.index].pop_back();
    }
    if (op.stores()) {
        stores_[op.location.index].pop_back();
        stores_by_[op.location.index][t.index].pop_back();
        auto& sources = sources_[op.given.index];
        sources.pop_back();
        if (sources.size() == 1 && !at(readers_, op.given.index).empty()) {
            doubt(op.given);
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

std::uint32_t CertainOrder::past(OpAt at, ThreadId u) const {
    if (u == at.thread) {
        return at.op;
    }
    if (at.op > 0) {
        return row({at.thread, at.op - 1})[u.index];
    }
    const auto spawn = at.thread.index < spawns_.size() ? spawns_[at.thread.index] : std::nullopt;
    return !spawn ? 0 : u == spawn->thread ? spawn->op : row(*spawn)[u.index];
}

void CertainOrder::find_live(OpAt here, LocationId l, std::vector<ValueId>& live) {
    refresh();
    live.clear();
    latest_.clear();
    const auto add = [&](ValueId v) {
        if (std::ranges::find(live, v) == live.end()) {
            live.push_back(v);
        }
    };
    const auto written = [&](OpAt store) { return history_.thread(store.thread)[store.op].written; };
    const auto& threads = at(stores_by_, l.index);
    for (std::uint32_t u = 0; u < threads.size(); ++u) {
        const auto later = std::ranges::lower_bound(threads[u], past(here, ThreadId(u)));
        if (later != threads[u].begin()) {
            latest_.push_back({ThreadId(u), *(later - 1)});
        }
    }
    if (latest_.empty()) {
        add(initial_(l));
    }
    for (const OpAt store : latest_) {
        if (std::ranges::none_of(latest_, [&](OpAt later) { return later != store && is_before(store, later); })) {
            add(written(store));
        }
    }
    const bool is_next = here.op == history_.thread(here.thread).size();
    for (std::uint32_t u = 0; u < threads.size(); ++u) {
        const auto later = std::ranges::lower_bound(threads[u], past(here, ThreadId(u)));
        for (auto k = later; k != threads[u].end() && (is_next || !is_before(here, {ThreadId(u), *k}));
             ++k) { // then all behind it are, too
            add(written({ThreadId(u), *k}));
        }
    }
}

bool CertainOrder::orders_conflicts() {
    refresh();
    for (; harmless_ < order_.size(); ++harmless_) {
        const OpAt here = order_[harmless_];
        const HistoryOp& op = history_.thread(here.thread)[here.op];
        const bool is_plain = op.is_access() && op.step->action.order == Order::NonAtomic;
        const bool is_in_conflict = op.is_access() && history_.any_access(op.location, [&](OpAt there, const HistoryOp& other) {
            return there.thread != here.thread && (op.stores() || other.stores()) &&
                   (is_plain || other.step->action.order == Order::NonAtomic) && !is_before(there, here) &&
                   !is_before(here, there);
        });
        if (is_in_conflict) {
            return false;
        }
    }
    return true;
}

bool CertainOrder::is_overwritten(ThreadId t, const HistoryOp& next, const Lengths& lengths) {
    const std::size_t l = next.location.index;
    if (l >= stores_.size() || stores_[l].empty()) {
        return false;
    }
    if (next.stores()) { // who has read what it stores may have read it from there
        const auto stored = history_.find_content(next.location, next.written);
        if (stored && !at(readers_, stored->index).empty()) {
            return false;
        }
    }
    refresh();
    const auto is_there = [&](OpAt a) { return a.thread.index < lengths.size() && a.op < lengths[a.thread.index]; };
    const OpAt here{t, static_cast<std::uint32_t>(history_.thread(t).size())};
    const auto is_past = [&](OpAt a) { return a.op < past(here, a.thread); };
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
