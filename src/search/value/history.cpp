#include "search/value/history.hpp"

#include "search/dpor/steps.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <span>

namespace heddle {
namespace {

Fingerprint print_of_content(ContentId c) { return Fingerprint{}.with(c.index); }

} // namespace

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
            stores_print_ += print_of_content(op.given);
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
    if (op.is_access()) {
        accesses_.resize(std::max<std::size_t>(accesses_.size(), op.location.index + 1));
        accesses_[op.location.index].push_back({t, at});
        access_prints_.resize(accesses_.size());
        access_prints_[op.location.index] += now;
    } else if (op.kind == OpKind::Local) {
        stores_print_ += now;
    }
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
            stores_print_ -= print_of_content(op.given);
        }
    }
    if (op.reads()) {
        --reads_[op.location.index];
    }
    if (op.is_access()) {
        accesses_[op.location.index].pop_back(); // what is added last is taken back first
        access_prints_[op.location.index] -= thread.prints.back();
    } else if (op.kind == OpKind::Local) {
        stores_print_ -= thread.prints.back();
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
    lengths(all);
    return all;
}

void History::lengths(Lengths& all) const {
    all.resize(threads_.size());
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        all[t] = static_cast<std::uint32_t>(threads_[t].ops.size());
    }
}

template <class Meet> void History::walk(LocationId l, const Lengths* lengths, const Meet& meet) const {
    met_.assign(threads_.size(), std::nullopt);
    for (const OpAt at : accesses(l)) {
        if (lengths && !is_within(at, *lengths)) {
            continue;
        }
        const HistoryOp& access = op(at);
        std::optional<ValueId>& before = met_[at.thread.index];
        if (access.reads()) {
            meet(at.thread.index, before, access.read, false);
            before = access.read;
        }
        if (access.stores()) {
            meet(at.thread.index, before, access.written, true);
            before = access.written;
        }
    }
}

bool History::is_read_by_others(ThreadId t, LocationId l, ValueId v) const {
    return std::ranges::any_of(accesses(l), [&](OpAt at) { return at.thread != t && op(at).reads() && op(at).read == v; });
}

bool History::is_certain(LocationId l, ValueId initial) const {
    return std::ranges::all_of(written(l), [&](const Written& w) { return w.times == 1 && w.value != initial; });
}

bool History::is_past(ThreadId t, const HistoryOp& next, ValueId initial, const Lengths& lengths) const {
    const LocationId l = next.location;
    const ValueId v = next.read;
    std::optional<ValueId> now; // what `t` has met last
    const auto all = accesses(l);
    for (std::size_t k = all.size(); k-- > 0 && !now;) {
        if (all[k].thread == t && is_within(all[k], lengths)) {
            now = op(all[k]).stores() ? op(all[k]).written : op(all[k]).read;
        }
    }
    if (!now || *now == v) {
        return false;
    }
    const bool repeats = next.stores() && (next.written == initial ||
                                           std::ranges::find(written(l), next.written, &Written::value) != written(l).end());
    if (repeats || !is_certain(l, initial)) {
        return false;
    }
    if (v == initial) {
        return true;
    }
    met_in_turn_.clear();
    walk(l, &lengths, [&](std::uint32_t, std::optional<ValueId> before, ValueId met, bool) {
        if (before && *before != met) {
            met_in_turn_.emplace_back(*before, met);
        }
    });
    // Is there a way from v to it?
    later_.assign(1, v);
    for (std::size_t k = 0; k < later_.size(); ++k) {
        if (later_[k] == *now) {
            return true;
        }
        for (const auto& [first, second] : met_in_turn_) {
            if (first == later_[k] && std::ranges::find(later_, second) == later_.end()) {
                later_.push_back(second);
            }
        }
    }
    return false;
}

bool History::may_be_last(LocationId l, ValueId initial, std::vector<ValueId>& last) const {
    last.clear();
    if (written(l).empty()) {
        last.push_back(initial);
        return true;
    }
    std::vector<ValueId>& followed = later_;
    followed.clear();
    stored_last_.assign(threads_.size(), std::nullopt);
    walk(l, nullptr, [&](std::uint32_t t, std::optional<ValueId> before, ValueId met, bool stores) {
        if (before && *before != met) {
            followed.push_back(*before);
        }
        stored_last_[t] = stores ? met : stored_last_[t];
    });
    for (const auto& v : stored_last_) {
        if (!v) {
            continue;
        }
        const auto known = std::ranges::find(written(l), *v, &Written::value);
        const bool is_only_one = known->times == 1 && *v != initial;
        if (!is_only_one || std::ranges::find(followed, *v) == followed.end()) {
            last.push_back(*v);
        }
    }
    return is_certain(l, initial);
}

History::Turnover History::turnover(LocationId l, ValueId v, const Lengths& lengths) const {
    Turnover all;
    for (const OpAt at : accesses(l)) {
        const HistoryOp& access = op(at);
        if (!access.stores() || !is_within(at, lengths)) {
            continue;
        }
        const bool takes = access.kind == OpKind::Update && access.read == v;
        all.replaced += takes && access.written != v ? 1 : 0;
        all.stored += !takes && access.written == v ? 1 : 0;
    }
    return all;
}

bool History::is_stored_only_instead_of(LocationId l, ValueId v, ValueId old) const {
    return std::ranges::all_of(accesses(l), [&](OpAt at) {
        const HistoryOp& access = op(at);
        return !access.stores() || access.written != v || (access.kind == OpKind::Update && access.read == old);
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
