#include "search/value/known_run.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

KnownRun::Time KnownRun::earliest(ThreadId t, const HistoryOp& op) const {
    const Time begun = t.index < begun_.size() ? begun_[t.index] : 0;
    if (t.index >= threads_.size() || threads_[t.index].empty()) {
        return begun;
    }
    const Entry& last = threads_[t.index].back();
    switch (op.kind) {
    case OpKind::Read:
        return std::max(last.done, last.reads_after);
    case OpKind::Update:
    case OpKind::FullFence:
    case OpKind::Spawn:
    case OpKind::Join:
        return std::max(last.done, last.drained);
    default:
        return last.done;
    }
}

KnownRun::Place KnownRun::last_place(ThreadId t, const HistoryOp& op) const {
    Time done = earliest(t, op);
    if (op.kind == OpKind::Join && op.other.index < threads_.size() && !threads_[op.other.index].empty()) {
        const Entry& last = threads_[op.other.index].back();
        done = std::max({done, last.done, last.drained});
    }
    if (op.stores()) {
        const Time last = end_ + kGap;
        return {buffer_ == Buffer::None || op.kind == OpKind::Update ? last : done, last};
    }
    return {done, kNever};
}

std::optional<KnownRun::Place> KnownRun::place_for(ThreadId t, const HistoryOp& op, const Lengths* lengths) const {
    if (!op.reads()) {
        return last_place(t, op);
    }
    if (op.stores()) {
        return place_for_update(t, op, lengths);
    }
    Time from = earliest(t, op);
    Time until = kNever; // of what memory holds, going back
    std::optional<Place> first;
    const auto list = stores(op.location);
    bool is_newest = true; // of those of the thread
    for (std::size_t k = list.size(); k-- > 0;) {
        const auto& [landed, at] = list[k];
        if (lengths && (at.thread.index >= lengths->size() || at.op >= (*lengths)[at.thread.index])) {
            continue;
        }
        if (at.thread == t && is_newest) {
            is_newest = false;
            if (landed > from) { // it is in the buffer, and hides what memory holds
                if (written(list[k]) == op.read) {
                    return Place{from, kNever};
                }
                from = landed;
            }
        }
        if (until <= from) {
            return first;
        }
        if (written(list[k]) == op.read) {
            first = Place{std::max(from, landed), kNever};
        }
        until = landed;
    }
    if (until > from && initial_(op.location) == op.read) {
        return Place{from, kNever};
    }
    return first;
}

std::optional<KnownRun::Place> KnownRun::place_for_update(ThreadId t, const HistoryOp& op, const Lengths* lengths) const {
    const Time from = earliest(t, op);
    Time next = kNever;         // when the value is replaced
    bool is_in_the_way = false; // by an update that reads it
    // Right before `next`: then nobody reads there in between.
    const auto place = [&]() -> std::optional<Place> {
        if (next == kNever) {
            return Place{end_ + kGap, end_ + kGap};
        }
        if (is_in_the_way || next <= from) {
            return std::nullopt;
        }
        Time before = from;
        for (const auto& thread : threads_) {
            for (const Entry& e : thread) {
                before = e.done < next ? std::max(before, e.done) : before;
                before = e.landed < next ? std::max(before, e.landed) : before;
            }
        }
        const Time between = before + (next - before) / 2;
        return between > before ? std::optional(Place{between, between}) : std::nullopt;
    };
    const auto list = stores(op.location);
    for (std::size_t k = list.size(); k-- > 0 && next > from;) {
        const auto& [landed, at] = list[k];
        if (lengths && (at.thread.index >= lengths->size() || at.op >= (*lengths)[at.thread.index])) {
            continue;
        }
        const HistoryOp& store = history_.thread(at.thread)[at.op];
        if (store.written == op.read) {
            if (const auto found = place()) {
                return found;
            }
        }
        next = landed;
        is_in_the_way = store.reads() && store.read != op.written;
    }
    return initial_(op.location) == op.read ? place() : std::nullopt;
}

void KnownRun::add(ThreadId t, const HistoryOp& op, const Place& place, bool known) {
    if (t.index >= threads_.size()) {
        threads_.resize(t.index + 1);
    }
    auto& thread = threads_[t.index];
    Entry e{.done = place.done, .landed = place.landed, .known = known};
    if (!thread.empty()) {
        e.drained = thread.back().drained;
        e.reads_after = thread.back().reads_after;
    }
    if (op.stores()) {
        e.drained = std::max(e.drained, e.landed);
        e.reads_after = op.seq_cst ? std::max(e.reads_after, e.landed) : e.reads_after;
        end_ = std::max(end_, e.landed);
        if (op.location.index >= stores_.size()) {
            stores_.resize(op.location.index + 1);
        }
        auto& list = stores_[op.location.index];
        const auto behind = std::ranges::upper_bound(list, e.landed, {}, &Store::landed);
        list.insert(behind, {e.landed, {t, static_cast<std::uint32_t>(thread.size())}});
    } else if (op.kind == OpKind::Spawn) {
        begun_.resize(std::max<std::size_t>(begun_.size(), op.other.index + 1));
        begun_[op.other.index] = e.done;
    }
    unknown_ += known ? 0 : 1;
    thread.push_back(e);
}

void KnownRun::push(ThreadId t, const HistoryOp& op, std::optional<Place> place) {
    if (is_kept_) {
        add(t, op, place.value_or(last_place(t, op)), place.has_value());
    }
}

void KnownRun::pop(ThreadId t) {
    if (!is_kept_) {
        return;
    }
    auto& thread = threads_[t.index];
    const auto at = static_cast<std::uint32_t>(thread.size() - 1);
    const HistoryOp& op = history_.thread(t)[at];
    if (op.stores()) {
        std::erase_if(stores_[op.location.index], [&](const Store& s) { return s.at == OpAt{t, at}; });
    }
    unknown_ -= thread.back().known ? 0 : 1;
    thread.pop_back();
}

KnownRun::Saved KnownRun::saved(std::span<const Moment> run, const Lengths& lengths, std::optional<ThreadId> without_last) {
    Saved found{.threads = std::vector<std::vector<Place>>(lengths.size()), .version = ++versions_};
    auto& all = found.threads;
    for (std::size_t t = 0; t < lengths.size(); ++t) {
        all[t].assign(lengths[t], {0, kNever});
    }
    Time now = 0;
    for (const Moment& m : run) {
        Place& place = all[m.thread.index][m.op];
        now += kGap;
        if (!m.lands) {
            place.done = now;
            continue;
        }
        place.landed = now;
        const bool at_once = buffer_ == Buffer::None || history_.thread(m.thread)[m.op].kind == OpKind::Update;
        place.done = at_once ? now : place.done;
    }
    for (const Moment& m : run) { // what is in buffers in the end reaches memory then, in the same order
        Place& place = all[m.thread.index][m.op];
        if (!m.lands && place.landed == kNever && history_.thread(m.thread)[m.op].stores()) {
            place.landed = now += kGap;
        }
    }
    if (without_last) {
        all[without_last->index].pop_back();
    }
    return found;
}

KnownRun::State KnownRun::replace(const Saved& run) {
    State before;
    before.threads_ = std::exchange(threads_, std::vector<std::vector<Entry>>(threads_.size()));
    before.stores_ = std::exchange(stores_, std::vector<std::vector<Store>>(stores_.size()));
    before.begun_ = begun_;
    before.end_ = std::exchange(end_, 0);
    before.unknown_ = std::exchange(unknown_, 0);
    before.version_ = std::exchange(version_, run.version);
    constexpr std::size_t kMore = 4; // that may come
    for (std::size_t l = 0; l < stores_.size(); ++l) {
        stores_[l].reserve(before.stores_[l].empty() ? 0 : before.stores_[l].size() + kMore);
    }
    for (std::uint32_t t = 0; t < run.threads.size(); ++t) {
        const auto ops = history_.thread(ThreadId(t));
        if (t < threads_.size()) {
            threads_[t].reserve(run.threads[t].size() + kMore);
        }
        for (std::size_t k = 0; k < run.threads[t].size(); ++k) {
            add(ThreadId(t), ops[k], run.threads[t][k], true);
        }
    }
    return before;
}

void KnownRun::restore(State&& state) {
    threads_ = std::move(state.threads_);
    stores_ = std::move(state.stores_);
    begun_ = std::move(state.begun_);
    end_ = state.end_;
    unknown_ = state.unknown_;
    version_ = state.version_;
}

} // namespace heddle
