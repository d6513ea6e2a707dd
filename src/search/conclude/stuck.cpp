#include "search/conclude/stuck.hpp"

#include "search/conclude/conclude.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace heddle {

bool is_cut(const Action& a) {
    return a.kind == ActionKind::Trap || (a.kind == ActionKind::Block && a.reason != BlockReason::Lock);
}

Violation::Other stuck_waiting(const Machine& machine, ThreadId t, const ThreadState& state, const Action& action,
                               const Value& word, const Objects& objects) {
    return {machine.trap_here(state, TrapKind::Deadlock,
                              fmt::format("thread {} {}", t.index, what_it_waits_for(action, word, objects))),
            t};
}

Violation::Other stuck_spinning(const Machine& machine, ThreadId t, const ThreadState& state, bool reads) {
    return {machine.trap_here(state, TrapKind::Liveness,
                              fmt::format("thread {} goes round a loop for ever{}", t.index,
                                          reads ? ": nobody writes what would let it out" : "")),
            t};
}

std::optional<Violation> violation_of(std::vector<StuckThread> stuck) {
    const auto rank = [](const StuckThread& s) {
        return s.what.trap.kind == TrapKind::Liveness ? 0 : s.waits_at == ActionKind::Join ? 2 : 1;
    };
    if (const auto worst = std::ranges::min_element(stuck, {}, rank); worst != stuck.end()) {
        std::rotate(stuck.begin(), worst, std::next(worst));
    }
    std::vector<Violation::Other> all;
    for (StuckThread& s : stuck) {
        all.push_back(std::move(s.what));
    }
    return together(std::move(all));
}

const char* join_fault(bool exists, bool joined) {
    return !exists ? "join of a thread that does not exist" : joined ? "join of a thread that was joined before" : nullptr;
}

std::optional<Assumption> loop_bound(const Action& a, std::uint64_t unroll) {
    if (a.kind != ActionKind::Block || a.reason != BlockReason::LoopBound) {
        return std::nullopt;
    }
    return Assumption{
        .kind = "loop-bound", .place = a.place, .detail = fmt::format("cut after {} iterations (--unroll)", unroll)};
}

} // namespace heddle
