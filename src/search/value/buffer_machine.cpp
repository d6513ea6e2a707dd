// BufferRealizer: what the machine does, and undoes.
#include "search/value/buffer_realizer.hpp"

namespace heddle {

// --- doing and undoing ---------------------------------------------------------------------------------------------------------------------

void BufferRealizer::start_using(std::uint32_t cell, std::uint32_t t) {
    cells_[cell].users += uses_[cell * threads_ + t].accesses++ == 0 ? 1u : 0u;
}

void BufferRealizer::stop_using(std::uint32_t cell, std::uint32_t t) {
    cells_[cell].users -= --uses_[cell * threads_ + t].accesses == 0 ? 1u : 0u;
}

void BufferRealizer::do_op(std::uint32_t t, std::uint32_t k, const HistoryOp& op, Change::Kind kind) {
    ++done_[t];
    changes_.push_back({kind, t, k, 0, {}, 0});
    if (kind == Change::Kind::Buffered) {
        pending_.push_back({t, k});
        ++buffered_[t];
    } else if (op.is_access()) {
        stop_using(known_cell(op), t);
    } else if (op.kind == OpKind::Spawn && op.other.index < threads_) {
        begun_[op.other.index] = 1;
    }
    if (op.stores()) {
        --need(op.given, t).own;
    }
    if (op.reads()) {
        --need(op.taken, t).wanted;
        --contents_[known_content(op.taken)].wanted;
    }
}

void BufferRealizer::land(std::uint32_t t, std::uint32_t k, const HistoryOp& op) {
    const std::uint32_t c = known_cell(op);
    Cell& cell = cells_[c];
    changes_.push_back({Change::Kind::Landed, t, k, 0, cell.memory, cell.holds});
    cell.memory = op.written;
    cell.holds = known_content(op.given);
    --cell.stores;
    --uses_[c * threads_ + t].stores;
    --contents_[cell.holds].supply;
}

void BufferRealizer::leave_buffer(std::uint32_t slot) {
    const auto [t, k] = pending_[slot];
    pending_.erase(pending_.begin() + slot);
    --buffered_[t];
    const HistoryOp& op = op_of(t, k);
    stop_using(known_cell(op), t);
    land(t, k, op);
    changes_.back().kind = Change::Kind::LeftBuffer;
    changes_.back().slot = slot;
}

void BufferRealizer::choose(const Buffered& chosen) {
    for (std::uint32_t slot = 0; slot < pending_.size(); ++slot) {
        if (pending_[slot].thread == chosen.thread && pending_[slot].op == chosen.op) {
            leave_buffer(slot);
            return;
        }
    }
    const HistoryOp& op = op_of(chosen.thread, chosen.op);
    do_op(chosen.thread, chosen.op, op, Change::Kind::Done);
    land(chosen.thread, chosen.op, op);
}

void BufferRealizer::undo(std::size_t changes) {
    for (; changes_.size() > changes; changes_.pop_back()) {
        const Change& c = changes_.back();
        const HistoryOp& op = op_of(c.thread, c.op);
        if (c.kind == Change::Kind::Landed || c.kind == Change::Kind::LeftBuffer) {
            const std::uint32_t cell = known_cell(op);
            ++contents_[cells_[cell].holds].supply;
            ++cells_[cell].stores;
            ++uses_[cell * threads_ + c.thread].stores;
            cells_[cell].memory = c.before;
            cells_[cell].holds = c.held;
            if (c.kind == Change::Kind::LeftBuffer) {
                pending_.insert(pending_.begin() + c.slot, {c.thread, c.op});
                ++buffered_[c.thread];
                start_using(cell, c.thread);
            }
            continue;
        }
        --done_[c.thread];
        if (c.kind == Change::Kind::Buffered) {
            pending_.pop_back();
            --buffered_[c.thread];
        } else if (op.is_access()) {
            start_using(known_cell(op), c.thread);
        } else if (op.kind == OpKind::Spawn && op.other.index < threads_) {
            begun_[op.other.index] = 0;
        }
        if (op.stores()) {
            ++need(op.given, c.thread).own;
        }
        if (op.reads()) {
            ++need(op.taken, c.thread).wanted;
            ++contents_[known_content(op.taken)].wanted;
        }
    }
}

// --- what is no choice ---------------------------------------------------------------------------------------------------------------------

bool BufferRealizer::reads_now(std::uint32_t t, const HistoryOp& op) const {
    // The newest write of the thread to the location, if it is still in the buffer, hides what memory has. A seq_cst one lets nobody read.
    const HistoryOp* newest = nullptr;
    for (std::size_t k = buffered_[t] == 0 ? 0 : pending_.size(); k-- > 0;) {
        if (pending_[k].thread != t) {
            continue;
        }
        const HistoryOp& w = op_of(t, pending_[k].op);
        if (w.seq_cst) {
            return false;
        }
        if (!newest && w.location == op.location) {
            newest = &w;
        }
    }
    return (newest ? newest->written : cells_[known_cell(op)].memory) == op.read;
}

bool BufferRealizer::advance(std::uint32_t t, const Question& question) {
    const std::uint32_t k = done_[t];
    const HistoryOp& op = op_of(t, k);
    if (op.kind != OpKind::Write && forbids(question, t, k)) {
        return false;
    }
    Change::Kind kind = Change::Kind::Done;
    switch (op.kind) {
    case OpKind::Read:
        if (!reads_now(t, op)) {
            return false;
        }
        break;
    case OpKind::Update:
        if (op.writes || buffered_[t] > 0 || cells_[known_cell(op)].memory != op.read) {
            return false;
        }
        break;
    case OpKind::Write:
        if (lands_at_once(t, k, op, question) && (buffered_[t] == 0 || may_land({t, k}, op, question))) {
            do_op(t, k, op, kind);
            land(t, k, op);
            return true;
        }
        if (buffer_ == Buffer::None) {
            return false;
        }
        kind = Change::Kind::Buffered;
        break;
    case OpKind::FullFence:
    case OpKind::Spawn:
        if (buffered_[t] > 0) {
            return false;
        }
        break;
    case OpKind::Join: {
        const std::uint32_t other = op.other.index; // beyond the others: it has done nothing
        const bool ended = other >= threads_ || (done_[other] == question.lengths[other] && buffered_[other] == 0);
        if (buffered_[t] > 0 || !ended) {
            return false;
        }
        break;
    }
    case OpKind::StoreFence:
    case OpKind::Local:
        break;
    }
    do_op(t, k, op, kind);
    return true;
}

void BufferRealizer::settle(const Question& question) {
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t t = 0; t < threads_; ++t) {
            while (begun_[t] != 0 && done_[t] < question.lengths[t] && advance(t, question)) {
                again = true; // a thread before it may wait for its start, its end or its free
            }
        }
        for (std::uint32_t slot = 0; slot < pending_.size();) {
            const Buffered p = pending_[slot];
            const HistoryOp& op = op_of(p.thread, p.op);
            if (lands_at_once(p.thread, p.op, op, question) && may_land(p, op, question)) {
                leave_buffer(slot); // and others may, or its thread can go on
                again = true;
            } else {
                ++slot;
            }
        }
    }
}

} // namespace heddle
