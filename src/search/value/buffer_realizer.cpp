#include "search/value/buffer_realizer.hpp"

#include <algorithm>
#include <tuple>

namespace heddle {

void BufferRealizer::prepare(const Question& question) {
    for (const Cell& c : cells_) {
        cell_of_[c.location.index] = 0;
    }
    cells_.clear();
    failed_.clear();
    run_.clear();
    levels_.resize(std::max<std::size_t>(levels_.size(), 1));
    State& first = levels_.front().state;
    const std::size_t threads = question.lengths.size();
    first.done.assign(threads, 0);
    first.begun.assign(threads, 0);
    first.memory.clear();
    first.pending.clear();
    if (threads > 0) {
        first.begun[0] = 1;
    }
    facts_.resize(std::max(facts_.size(), threads));
    for (std::uint32_t t = 0; t < threads; ++t) {
        const auto ops = history_.thread(ThreadId(t));
        auto& facts = facts_[t];
        facts.resize(question.lengths[t]);
        for (std::uint32_t k = 0; k < question.lengths[t]; ++k) {
            const HistoryOp& op = ops[k];
            if (!op.is_access()) {
                continue;
            }
            if (op.location.index >= cell_of_.size()) {
                cell_of_.resize(op.location.index + 1);
            }
            std::uint32_t& at = cell_of_[op.location.index];
            if (at == 0) {
                cells_.push_back({.location = op.location, .only_thread = t});
                at = static_cast<std::uint32_t>(cells_.size());
                first.memory.push_back(initial_(op.location));
            }
            Cell& cell = cells_[at - 1];
            cell.shared = cell.shared || cell.only_thread != t;
            cell.is_read = cell.is_read || op.reads();
            cell.has_seq_cst = cell.has_seq_cst || op.seq_cst;
            facts[k] = {.cell = at - 1};
        }
    }
    decide_at_once(question);
}

void BufferRealizer::decide_at_once(const Question& question) {
    for (std::uint32_t t = 0; t < question.lengths.size(); ++t) {
        for (std::uint32_t k = 0; k < question.lengths[t]; ++k) {
            const HistoryOp& op = op_of(t, k);
            if (op.kind != OpKind::Write) {
                continue;
            }
            const Cell& cell = cells_[facts_[t][k].cell];
            const bool watched = (cell.shared && (cell.is_read || question.ends_well || question.shown)) ||
                                 (question.order && question.order->second.index == t && question.order->second_op == k);
            facts_[t][k].at_once = !watched && (buffer_ == Buffer::None || !cell.has_seq_cst);
        }
    }
}

bool BufferRealizer::has_pending(const State& s, std::uint32_t t) const {
    return std::ranges::any_of(s.pending, [t](const Pending& p) { return p.thread == t; });
}

bool BufferRealizer::reads_now(const State& s, std::uint32_t t, const HistoryOp& op, const Fact& fact) const {
    // The newest write of the thread to the location, if it is still in the buffer, hides what memory has.
    for (std::size_t k = s.pending.size(); k-- > 0;) {
        const Pending& p = s.pending[k];
        if (p.thread != t) {
            continue;
        }
        const HistoryOp& w = op_of(t, p.op);
        if (w.seq_cst) {
            return false;
        }
        if (w.location == op.location) {
            // An older one that is seq_cst is looked for as well.
            const bool waits = std::ranges::any_of(
                s.pending, [&](const Pending& older) { return older.thread == t && op_of(t, older.op).seq_cst; });
            return !waits && w.written == op.read;
        }
    }
    return s.memory[fact.cell] == op.read;
}

void BufferRealizer::land(State& s, std::uint32_t t, std::uint32_t op) {
    s.memory[facts_[t][op].cell] = op_of(t, op).written;
    run_.push_back({ThreadId(t), op, true});
}

bool BufferRealizer::advance(State& s, std::uint32_t t, const Question& question) {
    const std::uint32_t k = s.done[t];
    const HistoryOp& op = op_of(t, k);
    const Fact& fact = facts_[t][k];
    if (forbids(s, question, t, k) && op.kind != OpKind::Write) {
        return false;
    }
    switch (op.kind) {
    case OpKind::Read:
        if (!reads_now(s, t, op, fact)) {
            return false;
        }
        break;
    case OpKind::Update:
        if (op.writes || has_pending(s, t) || s.memory[fact.cell] != op.read) {
            return false;
        }
        break;
    case OpKind::Write:
        if (fact.at_once) {
            ++s.done[t];
            run_.push_back({ThreadId(t), k, false});
            land(s, t, k);
            return true;
        }
        if (buffer_ == Buffer::None) {
            return false;
        }
        s.pending.push_back({t, k});
        break;
    case OpKind::FullFence:
        if (has_pending(s, t)) {
            return false;
        }
        break;
    case OpKind::Spawn:
        if (has_pending(s, t)) {
            return false;
        }
        if (op.other.index < s.begun.size()) {
            s.begun[op.other.index] = 1;
        }
        break;
    case OpKind::Join: {
        const std::uint32_t other = op.other.index; // beyond the others: it has done nothing
        const bool ended = other >= s.done.size() || s.done[other] == question.lengths[other];
        if (has_pending(s, t) || !ended || has_pending(s, other)) {
            return false;
        }
        break;
    }
    case OpKind::StoreFence:
    case OpKind::Local:
        break;
    }
    ++s.done[t];
    run_.push_back({ThreadId(t), k, false});
    return true;
}

void BufferRealizer::settle(State& s, const Question& question) {
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t t = 0; t < s.done.size(); ++t) {
            while (s.begun[t] != 0 && s.done[t] < question.lengths[t] && advance(s, t, question)) {
                again = true; // a thread before it may wait for its start, its end or its free
            }
        }
    }
}

bool BufferRealizer::may_land(const State& s, const Pending& w, const Question& question) const {
    if (forbids(s, question, w.thread, w.op)) {
        return false;
    }
    const HistoryOp& op = op_of(w.thread, w.op);
    return std::ranges::none_of(s.pending, [&](const Pending& earlier) {
        if (earlier.thread != w.thread || earlier.op >= w.op) {
            return false;
        }
        return buffer_ == Buffer::PerThread || earlier.op < op.flush_after ||
               op_of(earlier.thread, earlier.op).location == op.location;
    });
}

bool BufferRealizer::others_access(const State& s, const Question& question, std::uint32_t t, LocationId l) const {
    for (const Pending& p : s.pending) {
        if (p.thread != t && op_of(p.thread, p.op).location == l) {
            return true;
        }
    }
    for (std::uint32_t u = 0; u < s.done.size(); ++u) {
        const auto ops = history_.thread(ThreadId(u));
        for (std::uint32_t k = s.done[u]; u != t && k < question.lengths[u]; ++k) {
            if (ops[k].is_access() && ops[k].location == l) {
                return true;
            }
        }
    }
    return false;
}

void BufferRealizer::find_options(Level& level, const Question& question) const {
    const State& s = level.state;
    level.options.clear();
    level.next = 0;
    for (const Pending& p : s.pending) {
        if (may_land(s, p, question)) {
            level.options.push_back(p);
        }
    }
    for (std::uint32_t t = 0; t < s.done.size(); ++t) {
        if (s.begun[t] == 0 || s.done[t] >= question.lengths[t] || forbids(s, question, t, s.done[t])) {
            continue;
        }
        const HistoryOp& op = op_of(t, s.done[t]);
        const bool writes = op.kind == OpKind::Write && buffer_ == Buffer::None;
        const bool updates =
            op.kind == OpKind::Update && op.writes && !has_pending(s, t) && s.memory[facts_[t][s.done[t]].cell] == op.read;
        if (writes || updates) {
            level.options.push_back({t, s.done[t]});
        }
    }
    for (const Pending& p : level.options) {
        if (level.options.size() > 1 && !others_access(s, question, p.thread, op_of(p.thread, p.op).location)) {
            level.options = {Pending(p)};
            return;
        }
    }
    std::ranges::sort(level.options, {},
                      [this](const Pending& p) { return std::tuple(history_.rank(ThreadId(p.thread), p.op), p.thread, p.op); });
}

bool BufferRealizer::is_hopeless(const State& s, const Question& question) const {
    for (std::uint32_t t = 0; t < s.done.size(); ++t) {
        if (s.done[t] >= question.lengths[t] || s.begun[t] == 0) {
            continue;
        }
        const HistoryOp& op = op_of(t, s.done[t]);
        if (!op.reads() || s.memory[facts_[t][s.done[t]].cell] == op.read) {
            continue;
        }
        const auto gives = [&](const HistoryOp& w) { return w.stores() && w.location == op.location && w.written == op.read; };
        bool some = std::ranges::any_of(s.pending, [&](const Pending& p) { return gives(op_of(p.thread, p.op)); });
        for (std::uint32_t u = 0; u < s.done.size() && !some; ++u) {
            for (std::uint32_t k = s.done[u]; u != t && k < question.lengths[u] && !some; ++k) {
                some = gives(op_of(u, k));
            }
        }
        if (!some) {
            return true;
        }
    }
    return false;
}

bool BufferRealizer::is_over(const State& s, const Question& question) const {
    for (std::uint32_t t = 0; t < s.done.size(); ++t) {
        if (s.done[t] < question.lengths[t]) {
            return false;
        }
    }
    return !question.ends_well || (s.pending.empty() && question.ends_well([&](LocationId l) {
        const std::uint32_t at = l.index < cell_of_.size() ? cell_of_[l.index] : 0;
        return at == 0 ? initial_(l) : s.memory[at - 1];
    }));
}

const std::u32string& BufferRealizer::key_of(const State& s) {
    key_.clear();
    for (const std::uint32_t done : s.done) {
        key_ += static_cast<char32_t>(done);
    }
    // Under per-thread buffers how many are in there says which; under per-location ones it does not.
    std::vector<Pending> pending = s.pending;
    std::ranges::sort(pending, {}, [](const Pending& p) { return (std::uint64_t{p.thread} << 32) | p.op; });
    for (const Pending& p : pending) {
        key_ += static_cast<char32_t>(p.thread);
        key_ += static_cast<char32_t>(p.op);
    }
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        if (cells_[c].shared) {
            key_ += static_cast<char32_t>(s.memory[c].index);
        }
    }
    return key_;
}

bool BufferRealizer::ask(const Question& question) {
    prepare(question);
    std::size_t depth = 0;
    settle(levels_[0].state, question);
    for (bool arrived = true;;) {
        Level* level = &levels_[depth];
        if (arrived) {
            if (is_over(level->state, question)) {
                break;
            }
            constexpr std::uint64_t kOften = 4096;
            if (++states_ % kOften == 0 && !keeps_going_()) {
                throw Abandoned{};
            }
            level->options.clear();
            level->next = 0;
            if ((failed_.empty() || !failed_.contains(key_of(level->state))) && !is_hopeless(level->state, question)) {
                find_options(*level, question);
            }
            level->moments = run_.size();
        }
        if (level->next == level->options.size()) {
            if (depth == 0) {
                return false;
            }
            if (!level->options.empty()) { // else it is quickly seen again
                failed_.insert(key_of(level->state));
            }
            --depth;
            run_.resize(levels_[depth].moments);
            arrived = false;
            continue;
        }
        const Pending chosen = level->options[level->next++];
        if (levels_.size() == depth + 1) {
            levels_.emplace_back();
            level = &levels_[depth];
        }
        State& next = levels_[++depth].state;
        next = level->state;
        const auto buffered =
            std::ranges::find_if(next.pending, [&](const Pending& p) { return p.thread == chosen.thread && p.op == chosen.op; });
        if (buffered != next.pending.end()) {
            next.pending.erase(buffered);
        } else {
            ++next.done[chosen.thread];
            run_.push_back({ThreadId(chosen.thread), chosen.op, false});
        }
        land(next, chosen.thread, chosen.op);
        settle(next, question);
        arrived = true;
    }
    for (std::uint32_t k = 0; k < run_.size(); ++k) {
        if (run_[k].lands) {
            history_.set_rank(run_[k].thread, run_[k].op, k);
        }
    }
    return true;
}

} // namespace heddle
