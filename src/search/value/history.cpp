#include "search/value/history.hpp"

#include "search/dpor/steps.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <span>

namespace heddle {

EventKind HistoryOp::event_kind() const {
    switch (kind) {
    case OpKind::Read:
    case OpKind::Update:
        return EventKind::Read;
    case OpKind::Write:
        return EventKind::Write;
    case OpKind::Spawn:
        return EventKind::Spawn;
    case OpKind::Join:
        return EventKind::Join;
    default:
        break;
    }
    switch (step->action.kind) {
    case ActionKind::Alloc:
        return EventKind::Alloc;
    case ActionKind::Free:
        return EventKind::Free;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        return EventKind::Choose;
    default:
        return EventKind::Fence;
    }
}

std::optional<ContentId> History::find_content(LocationId l, ValueId v) const {
    if (l.index < contents_.size()) {
        for (const auto& [value, id] : contents_[l.index]) {
            if (value == v) {
                return id;
            }
        }
    }
    return std::nullopt;
}

ContentId History::content(LocationId l, ValueId v) {
    if (const auto known = find_content(l, v)) {
        return *known;
    }
    contents_.resize(std::max<std::size_t>(contents_.size(), l.index + 1));
    contents_[l.index].emplace_back(v, ContentId(content_count_++));
    return contents_[l.index].back().second;
}

void History::push(ThreadId t, HistoryOp op) {
    if (t.index >= threads_.size()) {
        threads_.resize(t.index + 1);
    }
    Thread& thread = threads_[t.index];
    const auto at = static_cast<std::uint32_t>(thread.ops.size());
    const std::uint32_t before = at == 0 ? 0 : thread.ops.back().barrier;
    op.flush_after = op.release ? at : before;
    const bool orders_stores = op.kind == OpKind::StoreFence || (op.kind == OpKind::Write && op.seq_cst);
    op.barrier = orders_stores ? at + 1 : before;
    if (op.stores()) {
        op.given = content(op.location, op.written);
        if (op.location.index >= written_.size()) {
            written_.resize(op.location.index + 1);
        }
        auto& values = written_[op.location.index];
        const auto known = std::ranges::find(values, op.written, &Written::value);
        if (known == values.end()) {
            values.push_back({op.written, 1});
        } else {
            ++known->times;
        }
    }
    if (op.reads()) {
        op.taken = content(op.location, op.read);
        if (op.location.index >= reads_.size()) {
            reads_.resize(op.location.index + 1);
        }
        ++reads_[op.location.index];
    }
    // What was read and chosen says what was done.
    const std::uint64_t outcome = op.reads() ? op.read.index + 1 : op.chosen;
    const Fingerprint old = at == 0 ? Fingerprint{t.index + 1, ~std::uint64_t{t.index}} : thread.prints.back();
    const Fingerprint now = old.with(outcome);
    whole_ += now;
    if (at > 0) {
        whole_ -= old;
    }
    thread.ops.push_back(op);
    thread.prints.push_back(now);
}

void History::pop(ThreadId t) {
    Thread& thread = threads_[t.index];
    HEDDLE_CHECK(!thread.ops.empty(), "nothing to take back");
    const HistoryOp& op = thread.ops.back();
    if (op.stores()) {
        auto& values = written_[op.location.index];
        const auto known = std::ranges::find(values, op.written, &Written::value);
        if (--known->times == 0) {
            values.erase(known);
        }
    }
    if (op.reads()) {
        --reads_[op.location.index];
    }
    const Fingerprint gone = thread.prints.back();
    thread.ops.pop_back();
    thread.prints.pop_back();
    whole_ -= gone;
    if (!thread.prints.empty()) {
        whole_ += thread.prints.back();
    }
}

Lengths History::lengths() const {
    Lengths all;
    all.reserve(threads_.size());
    for (const Thread& t : threads_) {
        all.push_back(static_cast<std::uint32_t>(t.ops.size()));
    }
    return all;
}

template <class Meet> void History::walk(LocationId l, const Lengths& lengths, const Meet& meet) const {
    for (std::uint32_t t = 0; t < lengths.size() && t < threads_.size(); ++t) {
        std::optional<ValueId> before;
        for (const HistoryOp& op : std::span(threads_[t].ops).first(lengths[t])) {
            if (!op.is_access() || op.location != l) {
                continue;
            }
            if (op.reads()) {
                meet(t, before, op.read, false);
                before = op.read;
            }
            if (op.stores()) {
                meet(t, before, op.written, true);
                before = op.written;
            }
        }
    }
}

bool History::is_certain(LocationId l, ValueId initial) const {
    return std::ranges::all_of(written(l), [&](const Written& w) { return w.times == 1 && w.value != initial; });
}

bool History::is_past(ThreadId t, const HistoryOp& next, ValueId initial, const Lengths& lengths) const {
    const LocationId l = next.location;
    const ValueId v = next.read;
    const bool repeats = next.stores() && (next.written == initial ||
                                           std::ranges::find(written(l), next.written, &Written::value) != written(l).end());
    if (repeats || !is_certain(l, initial)) {
        return false;
    }
    std::vector<std::pair<ValueId, ValueId>> steps; // a thread has met the first and then the second
    std::optional<ValueId> now;                     // what `t` has met last
    walk(l, lengths, [&](std::uint32_t u, std::optional<ValueId> before, ValueId met, bool) {
        if (before && *before != met) {
            steps.emplace_back(*before, met);
        }
        now = u == t.index ? met : now;
    });
    if (!now || *now == v) {
        return false;
    }
    if (v == initial) {
        return true;
    }
    // Is there a way from v to it?
    std::vector<ValueId> later{v};
    for (std::size_t k = 0; k < later.size(); ++k) {
        if (later[k] == *now) {
            return true;
        }
        for (const auto& [first, second] : steps) {
            if (first == later[k] && std::ranges::find(later, second) == later.end()) {
                later.push_back(second);
            }
        }
    }
    return false;
}

std::vector<ValueId> History::may_be_last(LocationId l, ValueId initial, bool& certain) const {
    certain = is_certain(l, initial);
    if (written(l).empty()) {
        return {initial};
    }
    std::vector<ValueId> followed;
    std::vector<std::optional<ValueId>> stored(threads_.size()); // by thread: last
    walk(l, lengths(), [&](std::uint32_t t, std::optional<ValueId> before, ValueId met, bool stores) {
        if (before && *before != met) {
            followed.push_back(*before);
        }
        stored[t] = stores ? met : stored[t];
    });
    std::vector<ValueId> last;
    for (const auto& v : stored) {
        if (!v) {
            continue;
        }
        const auto known = std::ranges::find(written(l), *v, &Written::value);
        const bool is_only_one = known->times == 1 && *v != initial;
        if (!is_only_one || std::ranges::find(followed, *v) == followed.end()) {
            last.push_back(*v);
        }
    }
    return last;
}

History::Turnover History::turnover(LocationId l, ValueId v, const Lengths& lengths) const {
    Turnover all;
    for (std::size_t t = 0; t < lengths.size() && t < threads_.size(); ++t) {
        for (const HistoryOp& op : std::span(threads_[t].ops).first(lengths[t])) {
            if (!op.stores() || op.location != l) {
                continue;
            }
            const bool takes = op.kind == OpKind::Update && op.read == v;
            all.replaced += takes && op.written != v ? 1 : 0;
            all.stored += !takes && op.written == v ? 1 : 0;
        }
    }
    return all;
}

bool History::is_stored_only_instead_of(LocationId l, ValueId v, ValueId old) const {
    return std::ranges::all_of(threads_, [&](const Thread& t) {
        return std::ranges::all_of(t.ops, [&](const HistoryOp& op) {
            return !op.stores() || op.location != l || op.written != v || (op.kind == OpKind::Update && op.read == old);
        });
    });
}

Fingerprint History::fingerprint(const Lengths& lengths) const {
    Fingerprint all;
    for (std::size_t t = 0; t < lengths.size(); ++t) {
        if (lengths[t] > 0) {
            all += threads_[t].prints[lengths[t] - 1];
        }
    }
    return all;
}

ValueId History::id_of(const Value& v) {
    const auto [it, fresh] = ids_.try_emplace(v, ValueId(static_cast<std::uint32_t>(values_.size())));
    if (fresh) {
        values_.push_back(v);
    }
    return it->second;
}

} // namespace heddle
