#include "search/value/forced_order.hpp"

#include <algorithm>

namespace heddle {

// --- program order -------------------------------------------------------------------------------------------------------------------------

void ForcedOrder::clear() {
    for (std::size_t c = 0; c < cell_count_; ++c) {
        cell_of_[cells_[c].location.index] = 0;
        cells_[c].stores.clear();
    }
    cell_count_ = 0;
    accesses_.clear();
    before_.clear();
}

std::uint32_t ForcedOrder::cell_of(LocationId l) {
    if (l.index >= cell_of_.size()) {
        cell_of_.resize(l.index + 1);
    }
    std::uint32_t& at = cell_of_[l.index];
    if (at == 0) {
        if (cell_count_ == cells_.size()) {
            cells_.emplace_back();
        }
        cells_[cell_count_].location = l;
        cells_[cell_count_].initial = initial_(l);
        at = static_cast<std::uint32_t>(++cell_count_);
    }
    return at - 1;
}

void ForcedOrder::drain(Thread& thread) {
    for (const std::uint32_t w : thread.pending) {
        thread.always |= before_[w];
        thread.always.insert(w);
    }
    thread.pending.clear();
}

bool ForcedOrder::add_access(Thread& thread, OpAt at, const HistoryOp& op) {
    const auto e = static_cast<std::uint32_t>(accesses_.size());
    if (e == kMost) {
        return false;
    }
    if (op.kind == OpKind::Update) {
        drain(thread);
    }
    Set before = thread.always;
    if (op.kind == OpKind::Write) {
        for (const std::uint32_t w : thread.pending) {
            const Access& earlier = accesses_[w];
            if (buffer_ == Buffer::PerThread || earlier.op < op.flush_after || cells_[earlier.cell].location == op.location) {
                before |= before_[w];
                before.insert(w);
            }
        }
    }
    const std::uint32_t cell = cell_of(op.location);
    accesses_.push_back({at.thread.index, at.op, cell, op.read, op.written, op.reads(), op.stores()});
    before_.push_back(before);
    if (op.stores()) {
        cells_[cell].stores.push_back(e);
    }
    if (op.kind == OpKind::Write && buffer_ != Buffer::None) {
        thread.pending.push_back(e);
        if (op.seq_cst) {
            drain(thread);
        }
    } else {
        thread.always |= before;
        thread.always.insert(e);
    }
    return true;
}

bool ForcedOrder::walk_program_order(ThreadId t, const HistoryOp& next, const Lengths& lengths) {
    const std::size_t count = std::max<std::size_t>(lengths.size(), t.index + 1);
    threads_.resize(std::max(threads_.size(), count));
    for (Thread& thread : threads_) {
        thread.begun = false;
        thread.done = 0;
        thread.always = {};
        thread.pending.clear();
    }
    threads_[0].begun = true;
    const auto length = [&](std::uint32_t u) { return u < lengths.size() ? lengths[u] : 0; };
    for (bool again = true; again;) { // starts come before what is started, ends before who waits for them
        again = false;
        for (std::uint32_t u = 0; u < count; ++u) {
            while (threads_[u].begun && threads_[u].done < length(u)) {
                Thread& thread = threads_[u];
                const HistoryOp& op = history_.thread(ThreadId(u))[thread.done];
                if (op.kind == OpKind::Join && op.other.index < count && threads_[op.other.index].done < length(op.other.index)) {
                    break;
                }
                if (op.is_access() && !add_access(thread, {ThreadId(u), thread.done}, op)) {
                    return false;
                }
                if (op.kind == OpKind::FullFence || op.kind == OpKind::Spawn || op.kind == OpKind::Join) {
                    drain(thread);
                }
                ++thread.done;
                again = true;
                if (op.kind == OpKind::Spawn && op.other.index < count) {
                    threads_[op.other.index].begun = true;
                    threads_[op.other.index].always = thread.always;
                } else if (op.kind == OpKind::Join && op.other.index < count) {
                    drain(threads_[op.other.index]);
                    thread.always |= threads_[op.other.index].always;
                }
            }
        }
    }
    return threads_[t.index].begun && add_access(threads_[t.index], {t, length(t.index)}, next);
}

// --- what follows --------------------------------------------------------------------------------------------------------------------------

bool ForcedOrder::order(std::uint32_t a, std::uint32_t b) {
    if (before_[b].has(a)) {
        return true;
    }
    if (a == b || before_[a].has(b)) {
        return false;
    }
    Set all = before_[a];
    all.insert(a);
    for (std::uint32_t e = 0; e < accesses_.size(); ++e) {
        if (e == b || before_[e].has(b)) {
            before_[e] |= all;
        }
    }
    changed_ = true;
    return true;
}

bool ForcedOrder::have_read_initial(std::uint32_t r) {
    return std::ranges::all_of(cells_[accesses_[r].cell].stores, [&](std::uint32_t w) { return w == r || order(r, w); });
}

bool ForcedOrder::have_read(std::uint32_t r, std::uint32_t source) {
    if (!may_be_forwarded(source, r) && !order(source, r)) {
        return false;
    }
    return std::ranges::all_of(cells_[accesses_[r].cell].stores, [&](std::uint32_t w) {
        return w == r || w == source || ((!is_seen(w, r) || order(w, source)) && (!before_[w].has(source) || order(r, w)));
    });
}

bool ForcedOrder::come_after_all(std::uint32_t r) {
    Set all;
    all.words.fill(~std::uint64_t{0});
    for (const std::uint32_t s : sources_) {
        if (may_be_forwarded(s, r)) {
            return true;
        }
        Set past = before_[s];
        past.insert(s);
        all &= past;
    }
    all.remove(before_[r]);
    for (std::uint32_t e = 0; !all.empty() && e < accesses_.size(); ++e) {
        if (all.has(e) && !order(e, r)) {
            return false;
        }
    }
    return true;
}

bool ForcedOrder::look_at_read(std::uint32_t r) {
    const Access& read = accesses_[r];
    const Cell& cell = cells_[read.cell];
    Set overwritten;
    bool may_be_initial = cell.initial == read.read;
    for (const std::uint32_t w : cell.stores) {
        if (w != r && is_seen(w, r)) {
            overwritten |= before_[w];
            may_be_initial = false;
        }
    }
    sources_.clear();
    for (const std::uint32_t s : cell.stores) {
        // What it finds in its own buffer may reach memory after the read.
        if (accesses_[s].written == read.read && s != r && !overwritten.has(s) &&
            (!before_[s].has(r) || may_be_forwarded(s, r))) {
            sources_.push_back(s);
        }
    }
    if (sources_.empty()) {
        return may_be_initial && have_read_initial(r);
    }
    if (may_be_initial) {
        return true;
    }
    return sources_.size() == 1 ? have_read(r, sources_.front()) : come_after_all(r);
}

bool ForcedOrder::look_at_update(std::uint32_t u) {
    const ValueId v = accesses_[u].read;
    const Cell& cell = cells_[accesses_[u].cell];
    const auto takes = [&](std::uint32_t s) { return accesses_[s].replaces() && accesses_[s].read == v; };
    const auto gives = [&](std::uint32_t s) {
        return accesses_[s].written == v && !(accesses_[s].reads && accesses_[s].read == v);
    };
    const auto taken = static_cast<std::size_t>(std::ranges::count_if(cell.stores, takes));
    const auto given = static_cast<std::size_t>(std::ranges::count_if(cell.stores, gives)) + (cell.initial == v ? 1 : 0);
    if (taken != given) {
        return taken < given;
    }
    const auto may_be_last = [&](std::uint32_t y) {
        return takes(y) && std::ranges::none_of(cell.stores, [&](std::uint32_t s) {
                   return s != y && (takes(s) || gives(s)) && before_[s].has(y);
               });
    };
    const auto candidates = std::ranges::count_if(cell.stores, may_be_last);
    if (candidates != 1) {
        return candidates > 0;
    }
    const std::uint32_t last = *std::ranges::find_if(cell.stores, may_be_last);
    return std::ranges::all_of(cell.stores,
                               [&](std::uint32_t s) { return s == last || !(takes(s) || gives(s)) || order(s, last); });
}

bool ForcedOrder::saturate() {
    do {
        changed_ = false;
        for (auto e = static_cast<std::uint32_t>(accesses_.size()); e-- > 0;) { // first what is new
            if ((accesses_[e].reads && !look_at_read(e)) || (accesses_[e].replaces() && !look_at_update(e))) {
                return false;
            }
        }
    } while (changed_);
    return true;
}

bool ForcedOrder::is_impossible(ThreadId t, const HistoryOp& next, const Lengths& lengths) {
    clear();
    return walk_program_order(t, next, lengths) && !saturate();
}

} // namespace heddle
