#include "search/value/known_execution.hpp"

#include "machine/action.hpp"
#include "search/dpor/steps.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

void KnownExecution::see(View& view, LocationId l, Time time) {
    if (l.index >= view.size()) {
        view.resize(l.index + 1);
    }
    view[l.index] = std::max(view[l.index], time);
}

void KnownExecution::join(View& view, const View& other) {
    if (other.size() > view.size()) {
        view.resize(other.size());
    }
    for (std::size_t l = 0; l < other.size(); ++l) {
        view[l] = std::max(view[l], other[l]);
    }
}

KnownExecution::Thread& KnownExecution::thread(ThreadId t) {
    if (t.index >= at_.threads.size()) {
        at_.threads.resize(t.index + 1);
    }
    return at_.threads[t.index];
}

const KnownExecution::View& KnownExecution::view_of(ThreadId t) const {
    static const View kNothing;
    if (t.index >= at_.threads.size()) {
        return kNothing;
    }
    const Thread& thread = at_.threads[t.index];
    return thread.done == 0 ? thread.begin : thread.entries[thread.done - 1].view;
}

bool KnownExecution::follows(const HistoryOp& op) const {
    if (at_.operations >= kMost || (op.is_access() && op.location.index >= kFarthest)) {
        return false;
    }
    const Action& a = op.step->action;
    return !laws_.orders_seq_cst || (a.kind != ActionKind::Fence && (a.order != Order::SeqCst || at_.seq_cst == 0));
}

std::optional<KnownExecution::Place> KnownExecution::place_for(ThreadId t, const HistoryOp& op, const Lengths* lengths) const {
    if (!follows(op)) {
        return std::nullopt;
    }
    if (!op.is_access()) {
        return Place{};
    }
    const auto list = stores(op.location);
    if (!op.reads()) {
        return Place{(list.empty() ? 0 : list.back().time) + kGap, std::nullopt};
    }
    const bool takes = op.stores();
    const Time known = time_in(view_of(t), op.location);
    std::optional<Place> oldest; // by which the thread learns least
    const Store* next = nullptr;
    // Behind what is there at `time`: no other update is, and there is room.
    const auto behind = [&](Time time) {
        const bool is_taken = next && op_of(*next).kind == OpKind::Update;
        return is_taken ? 0 : !next ? time + kGap : next->time - time > 1 ? time + (next->time - time) / 2 : 0;
    };
    for (std::size_t k = list.size(); k-- > 0;) {
        const Store& s = list[k];
        if (lengths && (s.at.thread.index >= lengths->size() || s.at.op >= (*lengths)[s.at.thread.index])) {
            continue;
        }
        if (s.time < known) {
            return oldest;
        }
        if (op_of(s).written == op.read) {
            const Time time = takes ? behind(s.time) : 0;
            if (!takes) {
                oldest = Place{0, s.at};
            } else if (time != 0) {
                return Place{time, s.at};
            }
        }
        next = &s;
    }
    if (known == 0 && initial_(op.location) == op.read) {
        const Time time = takes ? behind(0) : 0;
        if (!takes || time != 0) {
            return Place{time, std::nullopt};
        }
    }
    return oldest;
}

void KnownExecution::access(const HistoryOp& op, Entry& entry) {
    const Action& a = op.step->action;
    const Entry* source = nullptr;
    if (op.reads() && entry.place.source) {
        const OpAt from = *entry.place.source;
        source = &at_.threads[from.thread.index].entries[from.op];
        see(entry.view, op.location, source->place.time);
        if (source->told() && (laws_.all_synchronize || is_acquire(order_of_read(a, op.writes)))) {
            join(entry.view, *source->told());
        }
    }
    entry.tells = Message::None;
    if (!op.stores()) {
        return;
    }
    see(entry.view, op.location, entry.place.time);
    const Order order = op.reads() ? order_of_write(a) : a.order;
    const View* const passed = source && order != Order::NonAtomic ? source->told() : nullptr; // a release sequence goes on
    if (laws_.all_synchronize || is_release(order)) {
        entry.tells = passed ? Message::Own : Message::View;
        entry.message = passed ? entry.view : View();
    } else if (passed) {
        entry.tells = Message::Own;
        entry.message.clear();
    }
    if (passed) {
        join(entry.message, *passed);
    }
}

void KnownExecution::push(ThreadId t, const HistoryOp& op, const std::optional<Place>& place) {
    if (!is_kept_) {
        return;
    }
    Thread& thread = this->thread(t);
    if (thread.done == thread.entries.size()) {
        thread.entries.emplace_back();
    }
    Entry& entry = thread.entries[thread.done];
    entry.known = place && at_.unknown == 0;
    if (!entry.known) {
        ++at_.unknown;
        ++thread.done;
        return;
    }
    entry.place = *place;
    entry.view = view_of(t);
    if (op.is_access()) {
        access(op, entry);
    } else if (op.kind == OpKind::Join) {
        join(entry.view, view_of(op.other));
    } else if (op.kind == OpKind::Spawn) {
        const View begin = entry.view;
        this->thread(op.other).begin = begin;
    }
    Thread& same = at_.threads[t.index]; // the list may have grown
    if (op.stores()) {
        if (op.location.index >= at_.stores.size()) {
            at_.stores.resize(op.location.index + 1);
        }
        auto& list = at_.stores[op.location.index];
        list.insert(std::ranges::upper_bound(list, place->time, {}, &Store::time), {place->time, {t, same.done}});
    }
    ++same.done;
    ++at_.operations;
    at_.seq_cst += op.step->action.order == Order::SeqCst ? 1 : 0;
}

void KnownExecution::pop(ThreadId t) {
    if (!is_kept_) {
        return;
    }
    Thread& thread = at_.threads[t.index];
    --thread.done;
    if (!thread.entries[thread.done].known) {
        --at_.unknown;
        return;
    }
    const HistoryOp& op = history_.thread(t)[thread.done];
    if (op.stores()) {
        std::erase_if(at_.stores[op.location.index], [&](const Store& s) { return s.at == OpAt{t, thread.done}; });
    }
    --at_.operations;
    at_.seq_cst -= op.step->action.order == Order::SeqCst ? 1 : 0;
}

KnownExecution::State KnownExecution::replace(const Saved& execution) {
    State before = std::exchange(at_, {});
    at_.version = ++versions_;
    std::vector<std::uint8_t> begun(std::max<std::size_t>(execution.size(), 1));
    begun[0] = 1;
    const auto done = [&](ThreadId t) { return t.index < at_.threads.size() ? at_.threads[t.index].done : 0; };
    const auto is_ready = [&](const HistoryOp& op, const Place& place) {
        if (op.reads() && place.source) {
            return done(place.source->thread) > place.source->op;
        }
        return op.kind != OpKind::Join || op.other.index >= execution.size() ||
               done(op.other) == execution[op.other.index].size();
    };
    std::size_t left = 0;
    for (const auto& ops : execution) {
        left += ops.size();
    }
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (std::uint32_t k = 0; k < execution.size(); ++k) {
            const ThreadId t(k);
            while (begun[k] != 0 && done(t) < execution[k].size()) {
                const HistoryOp& op = history_.thread(t)[done(t)];
                const Place& place = execution[k][done(t)];
                if (!is_ready(op, place)) {
                    break;
                }
                push(t, op, place);
                if (op.kind == OpKind::Spawn && op.other.index < begun.size()) {
                    begun[op.other.index] = 1;
                }
                --left;
                moved = true;
            }
        }
    }
    HEDDLE_CHECK(left == 0, "an execution in which somebody reads what comes later");
    return before;
}

} // namespace heddle
