#include "search/value/buffer_realizer.hpp"

#include <algorithm>
#include <tuple>

namespace heddle {

// --- the question --------------------------------------------------------------------------------------------------------------------------

std::uint32_t BufferRealizer::cell_of(std::uint32_t t, const HistoryOp& op) {
    if (op.location.index >= cell_of_.size()) {
        cell_of_.resize(op.location.index + 1);
    }
    std::uint32_t& at = cell_of_[op.location.index];
    if (at == 0) {
        const ValueId first = initial_(op.location);
        const auto content = history_.find_content(op.location, first);
        cells_.push_back(
            {.location = op.location, .memory = first, .holds = content ? content_of(*content) : kNobodys, .only_thread = t});
        at = static_cast<std::uint32_t>(cells_.size());
        uses_.resize(cells_.size() * threads_);
    }
    return at - 1;
}

std::uint32_t BufferRealizer::content_of(ContentId id) {
    std::uint32_t& at = content_of_[id.index];
    if (at == 0) {
        contents_.push_back({.id = id});
        at = static_cast<std::uint32_t>(contents_.size());
        needs_.resize(contents_.size() * threads_);
    }
    return at - 1;
}

void BufferRealizer::prepare(const Question& question) {
    for (const Cell& c : cells_) {
        cell_of_[c.location.index] = 0;
    }
    for (const Content& c : contents_) {
        content_of_[c.id.index] = 0;
    }
    cells_.clear();
    contents_.clear();
    uses_.clear();
    needs_.clear();
    pending_.clear();
    changes_.clear();
    failed_.clear();
    threads_ = static_cast<std::uint32_t>(question.lengths.size());
    done_.assign(threads_, 0);
    begun_.assign(threads_, 0);
    buffered_.assign(threads_, 0);
    ops_.resize(threads_);
    if (threads_ > 0) {
        begun_[0] = 1;
    }
    content_of_.resize(std::max(content_of_.size(), history_.contents()));
    for (std::uint32_t t = 0; t < threads_; ++t) {
        ops_[t] = history_.thread(ThreadId(t)).first(question.lengths[t]);
        for (const HistoryOp& op : ops_[t]) {
            if (!op.is_access()) {
                continue;
            }
            const std::uint32_t c = cell_of(t, op);
            Cell& cell = cells_[c];
            cell.shared = cell.shared || cell.only_thread != t;
            cell.is_read = cell.is_read || op.reads();
            start_using(c, t);
            if (op.stores()) {
                const std::uint32_t given = content_of(op.given);
                ++cells_[c].stores;
                ++uses_[c * threads_ + t].stores;
                ++contents_[given].supply;
                ++needs_[given * threads_ + t].own;
            }
            if (op.reads()) {
                const std::uint32_t taken = content_of(op.taken);
                ++contents_[taken].wanted;
                contents_[taken].is_read = true;
                ++needs_[taken * threads_ + t].wanted;
            }
        }
    }
    for (Cell& cell : cells_) {
        cell.at_once = !(cell.shared && (cell.is_read || question.ends_well || question.shown));
    }
}

bool BufferRealizer::lands_at_once(std::uint32_t t, std::uint32_t k, const HistoryOp& op, const Question& question) const {
    return cells_[known_cell(op)].at_once &&
           !(question.order && question.order->second.index == t && question.order->second_op == k);
}

// --- choices -------------------------------------------------------------------------------------------------------------------------------

bool BufferRealizer::may_land(const Buffered& w, const HistoryOp& op, const Question& question) const {
    if (forbids(question, w.thread, w.op)) {
        return false;
    }
    return std::ranges::none_of(pending_, [&](const Buffered& earlier) {
        if (earlier.thread != w.thread || earlier.op >= w.op) {
            return false;
        }
        return buffer_ == Buffer::PerThread || earlier.op < op.flush_after ||
               op_of(earlier.thread, earlier.op).location == op.location;
    });
}

bool BufferRealizer::is_no_choice(std::uint32_t t, const HistoryOp& op) const {
    const std::uint32_t c = known_cell(op);
    if (!others_access(t, c)) {
        return true;
    }
    const Cell& cell = cells_[c];
    return quick_ && cell.stores == uses_[c * threads_ + t].stores &&
           (cell.holds == kNobodys || contents_[cell.holds].wanted == needs_[cell.holds * threads_ + t].wanted);
}

bool BufferRealizer::is_fatal(const HistoryOp& op) const {
    const Cell& cell = cells_[known_cell(op)];
    if (!quick_ || cell.holds == kNobodys || cell.memory == op.written) {
        return false;
    }
    const Content& lost = contents_[cell.holds];
    return lost.supply == 0 && lost.wanted > (op.kind == OpKind::Update ? 1u : 0u);
}

bool BufferRealizer::next_option(Level& level, const Question& question) const {
    if (level.settled) {
        return false;
    }
    bool found = false;
    std::tuple<KnownRun::Time, std::uint32_t, std::uint32_t> best;
    const std::tuple last(level.rank, level.last.thread, level.last.op);
    // True: no more need be looked at.
    const auto consider = [&](const Buffered& b, const HistoryOp& op) {
        if (is_fatal(op)) {
            return false;
        }
        if (!level.tried && is_no_choice(b.thread, op)) {
            best = {0, b.thread, b.op};
            found = level.settled = true;
            return true;
        }
        const std::tuple here(known_.landed(ThreadId(b.thread), b.op), b.thread, b.op);
        if ((!level.tried || here > last) && (!found || here < best)) {
            best = here;
            found = true;
        }
        return false;
    };
    const auto look = [&] {
        for (const Buffered& p : pending_) {
            const HistoryOp& op = op_of(p.thread, p.op);
            if (may_land(p, op, question) && consider(p, op)) {
                return;
            }
        }
        for (std::uint32_t t = 0; t < threads_; ++t) {
            const std::uint32_t k = done_[t];
            if (begun_[t] == 0 || k >= question.lengths[t]) {
                continue;
            }
            const HistoryOp& op = op_of(t, k);
            const bool writes = op.kind == OpKind::Write && buffer_ == Buffer::None;
            const bool updates =
                op.kind == OpKind::Update && op.writes && buffered_[t] == 0 && cells_[known_cell(op)].memory == op.read;
            if ((writes || updates) && !forbids(question, t, k) && consider({t, k}, op)) {
                return;
            }
        }
    };
    look();
    if (found) {
        level.tried = true;
        std::tie(level.rank, level.last.thread, level.last.op) = best;
    }
    return found;
}

bool BufferRealizer::is_hopeless() const {
    for (std::uint32_t t = 0; t < threads_; ++t) {
        if (begun_[t] == 0 || done_[t] >= ops_[t].size()) {
            continue;
        }
        const HistoryOp& op = op_of(t, done_[t]);
        if (!op.reads() || cells_[known_cell(op)].memory == op.read) {
            continue;
        }
        const std::uint32_t taken = known_content(op.taken);
        if (contents_[taken].supply == needs_[taken * threads_ + t].own) {
            return true;
        }
    }
    return false;
}

bool BufferRealizer::is_over(const Question& question) const {
    for (std::uint32_t t = 0; t < threads_; ++t) {
        if (done_[t] < question.lengths[t]) {
            return false;
        }
    }
    return !question.ends_well || (pending_.empty() && question.ends_well([&](LocationId l) {
        const std::uint32_t at = l.index < cell_of_.size() ? cell_of_[l.index] : 0;
        return at == 0 ? initial_(l) : cells_[at - 1].memory;
    }));
}

// --- the search ----------------------------------------------------------------------------------------------------------------------------

void BufferRealizer::find_prospects(const Question& question) {
    prospects_.resize(std::max<std::size_t>(prospects_.size(), threads_));
    special_.assign(threads_, question.order || !quick_ ? 1 : 0);
    special_values_ = question.ends_well || !quick_;
    for (std::uint32_t t = 0; t < threads_; ++t) {
        auto& prospects = prospects_[t];
        prospects.assign(ops_[t].size() + 1, Fingerprint{});
        bool matters = false; // what comes last and changes nothing does not
        for (std::size_t k = ops_[t].size(); k-- > 0;) {
            const HistoryOp& op = ops_[t][k];
            matters = matters || (op.kind != OpKind::Join && op.kind != OpKind::Local);
            if (!matters) {
                continue;
            }
            const auto flags =
                static_cast<std::uint64_t>(op.kind) | (op.writes ? 8u : 0u) | (op.release ? 16u : 0u) | (op.seq_cst ? 32u : 0u);
            Fingerprint f = prospects[k + 1].with(flags);
            f = op.reads() ? f.with(op.taken.index) : f;
            if (op.stores()) { // what nobody reads is as good as any other such value
                const bool told_apart = contents_[known_content(op.given)].is_read || question.ends_well;
                f = f.with(op.location.index).with(told_apart ? op.given.index + 1 : 0);
            }
            f = op.kind == OpKind::Spawn || op.kind == OpKind::Join ? f.with(op.other.index) : f;
            prospects[k] = f;
            if (op.kind == OpKind::Join && op.other.index < threads_) {
                special_[op.other.index] = 1;
            }
        }
    }
}

Fingerprint BufferRealizer::state() const {
    Fingerprint all;
    for (std::uint32_t t = 0; t < threads_; ++t) {
        const bool alike = special_[t] == 0 && begun_[t] != 0 && buffered_[t] == 0;
        all += alike ? prospects_[t][done_[t]] : Fingerprint{}.with(1 + ((std::uint64_t{t} << 32) | done_[t]));
    }
    // Under per-thread buffers how many are in there says which; under per-location ones it does not.
    for (const Buffered& p : pending_) {
        all += Fingerprint{}.with((std::uint64_t{p.thread} << 32) | p.op).with(1);
    }
    for (const Cell& cell : cells_) {
        if (cell.shared) {
            const bool told_apart = special_values_ || (cell.holds != kNobodys && contents_[cell.holds].wanted > 0);
            all = all.with(told_apart ? cell.memory.index + 1 : 0);
        }
    }
    return all;
}

bool BufferRealizer::ask(const Question& question) {
    prepare(question);
    levels_.clear();
    settle(question);
    while (!is_over(question)) {
        constexpr std::uint64_t kOften = 4096;
        if (++states_ % kOften == 0 && !keeps_going_()) {
            throw Abandoned{};
        }
        levels_.push_back({.changes = changes_.size()});
        if ((!failed_.empty() && failed_.find(state())) || is_hopeless() || !next_option(levels_.back(), question)) {
            levels_.pop_back(); // it is quickly seen again
            for (;; levels_.pop_back()) {
                if (levels_.empty()) {
                    return false;
                }
                undo(levels_.back().changes);
                if (next_option(levels_.back(), question)) {
                    break;
                }
                if (failed_.empty()) {
                    find_prospects(question);
                }
                failed_.insert(state(), 1);
            }
        }
        choose(levels_.back().last);
        settle(question);
    }
    return true;
}

std::span<const Moment> BufferRealizer::run() const {
    run_.clear();
    for (const Change& c : changes_) {
        run_.push_back({ThreadId(c.thread), c.op, c.kind >= Change::Kind::Landed});
    }
    return run_;
}

} // namespace heddle
