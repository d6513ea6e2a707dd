#include "search/single/single_run.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace heddle {

SingleRun::SingleRun(Machine& machine, ThreadNames& names, Options options)
    : machine_(machine), names_(names), options_(std::move(options)), memory_(machine.program()),
      random_(options_.seed.value_or(0)) {}

RunEnd SingleRun::run() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    threads_.push_back({.state = machine_.start_main()});
    alive_ = 1;
    for (std::uint64_t steps = 0;; ++steps) {
        const auto index = next_thread();
        if (!index) {
            return alive_ == 0 ? exited(0) : stuck();
        }
        current_ = *index;
        if (auto end = step(*index)) {
            return std::move(*end);
        }
        // The clock is looked at now and then; a Pause comes at least every few tenths of a second.
        const bool look = std::exchange(looks_, false) || steps % 1024 == 0 ||
                          (threads_[current_].waiting && threads_[current_].waiting->kind == ActionKind::Pause);
        if (options_.timeout && look && std::chrono::duration<double>(Clock::now() - start).count() > *options_.timeout) {
            return {.kind = RunEnd::Kind::OutOfBudget};
        }
    }
}

bool SingleRun::may_go_on(const Thread& thread) const {
    if (thread.done) {
        return false;
    }
    if (!thread.waiting) {
        return true;
    }
    const Action& a = *thread.waiting;
    switch (a.kind) {
    // The object may have been freed meanwhile: let the machine see it and report.
    case ActionKind::Lock:
    case ActionKind::Load:
    case ActionKind::Rmw:
        return !memory_.objects().accessible(a.address, a.size, true) ||
               !effect_of_read(a, memory_.load(a.address, a.size)).waits;
    case ActionKind::Join:
        return std::ranges::any_of(threads_, [&](const Thread& t) { return t.state.id.index == a.value.lo && t.done; });
    case ActionKind::Pause:
        return true;
    default:
        return false; // Block
    }
}

std::optional<std::size_t> SingleRun::next_thread() {
    if (atomic_ && may_go_on(threads_[*atomic_])) {
        return atomic_;
    }
    if (options_.seed) {
        std::vector<std::size_t> able;
        for (std::size_t k = 0; k < threads_.size(); ++k) {
            if (may_go_on(threads_[k])) {
                able.push_back(k);
            }
        }
        return able.empty() ? std::nullopt : std::optional(able[random_() % able.size()]);
    }
    for (std::size_t k = 1; k <= threads_.size(); ++k) {
        const std::size_t index = (current_ + k) % threads_.size();
        if (may_go_on(threads_[index])) {
            return index;
        }
    }
    return std::nullopt;
}

std::optional<RunEnd> SingleRun::step(std::size_t index) {
    Thread& t = threads_[index];
    t.waiting.reset();
    const bool alone = alive_ == 1 && !options_.stepwise;
    const Action action = alone ? machine_.run(t.state, memory_) : machine_.run(t.state, memory_.objects());
    return perform(index, action);
}

std::optional<RunEnd> SingleRun::perform(std::size_t index, const Action& action) {
    Thread& t = threads_[index];
    std::optional<Value> outcome;
    if (decides_by_value(action) && !memory_.load(action.address, action.size).defined()) {
        return trapped(index, machine_.trap_here(t.state, TrapKind::UninitializedRead, kUninitializedLock));
    }
    switch (action.kind) {
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::Rmw:
    case ActionKind::Fence:
    case ActionKind::Lock:
    case ActionKind::Unlock:
        outcome = memory_.perform(action);
        break;
    case ActionKind::Alloc:
        looks_ = true; // it may be large, and a loop of them long
        [[fallthrough]];
    case ActionKind::Free:
        outcome = memory_.perform(action);
        break;
    case ActionKind::Spawn:
        return spawn(index, action);
    case ActionKind::Join:
        outcome = join(index, action);
        if (bad_) {
            return std::move(bad_);
        }
        break;
    case ActionKind::Detach:
        if (Thread* other = find(action.value.lo); !other || other->joined || other->detached) {
            return trapped(index, machine_.trap_here(t.state, TrapKind::ThreadMisuse, "detach of a thread that is not joinable"));
        } else {
            other->detached = true;
        }
        outcome = Value{};
        break;
    case ActionKind::Choose:
        outcome = Value{.lo = choose(action.count)};
        break;
    case ActionKind::Nondet:
        outcome = Value{.lo = options_.seed ? random_() & mask_of_bits(static_cast<unsigned>(action.count)) : 0};
        break;
    case ActionKind::Output:
        options_.output(static_cast<int>(action.count), *action.text);
        outcome = Value{};
        break;
    case ActionKind::AtomicBegin:
        atomic_ = index;
        ++atomic_depth_;
        outcome = Value{};
        break;
    case ActionKind::AtomicEnd:
        if (atomic_ != index) {
            return trapped(index,
                           machine_.trap_here(t.state, TrapKind::LockMisuse, "the end of an atomic section that was not begun"));
        }
        if (--atomic_depth_ == 0) {
            atomic_.reset();
        }
        outcome = Value{};
        break;
    case ActionKind::Yield:
    case ActionKind::Loop:
        outcome = Value{};
        break;
    case ActionKind::Block:
    case ActionKind::Pause:
        break;
    case ActionKind::Exit:
        return exited(static_cast<int>(action.count & 0xff));
    case ActionKind::Done:
        t.done = true;
        t.result = action.value;
        --alive_;
        return std::nullopt;
    case ActionKind::Trap:
        return trapped(index, *action.trap);
    }
    if (outcome) {
        machine_.resume(t.state, *outcome);
    } else {
        t.waiting = action;
    }
    return std::nullopt;
}

std::optional<RunEnd> SingleRun::spawn(std::size_t index, const Action& action) {
    const auto id = names_.child(threads_[index].state.id, action.count);
    if (!id) {
        return trapped(index, machine_.trap_here(threads_[index].state, TrapKind::OutOfBudget,
                                                 fmt::format("more than {} threads", kMaxThreads)));
    }
    machine_.resume(threads_[index].state, {.lo = id->index});
    threads_.push_back({.state = machine_.start_thread(action, *id)});
    ++alive_;
    return std::nullopt;
}

SingleRun::Thread* SingleRun::find(std::uint64_t id) {
    const auto it = std::ranges::find_if(threads_, [&](const Thread& t) { return t.state.id.index == id; });
    return it == threads_.end() ? nullptr : &*it;
}

std::optional<Value> SingleRun::join(std::size_t index, const Action& action) {
    Thread* other = find(action.value.lo);
    const char* wrong = !other            ? "join of a thread that does not exist"
                        : other->detached ? "join of a thread that was detached"
                        : other->joined   ? "join of a thread that was joined before"
                                          : nullptr;
    if (wrong) {
        bad_ = trapped(index, machine_.trap_here(threads_[index].state, TrapKind::ThreadMisuse, wrong));
        return std::nullopt;
    }
    if (!other->done) {
        return std::nullopt;
    }
    other->joined = true;
    return other->result;
}

std::uint64_t SingleRun::choose(std::uint64_t count) { return options_.seed ? random_() % count : 0; }

RunEnd SingleRun::trapped(std::size_t index, Trap trap) {
    const auto kind = trap.kind == TrapKind::Unsupported   ? RunEnd::Kind::Unsupported
                      : trap.kind == TrapKind::OutOfBudget ? RunEnd::Kind::OutOfBudget
                                                           : RunEnd::Kind::Violation;
    return {.kind = kind, .status = 0, .trap = std::move(trap), .thread = threads_[index].state.id, .also = {}};
}

/// Nobody can go on. An assumption that failed explains it; otherwise it is a deadlock.
RunEnd SingleRun::stuck() {
    const auto assumes = [](const Thread& t) {
        return t.waiting && t.waiting->kind == ActionKind::Block && t.waiting->reason != BlockReason::Lock;
    };
    const bool assumption = std::ranges::any_of(threads_, assumes);
    RunEnd end{.kind = assumption ? RunEnd::Kind::Assumption : RunEnd::Kind::Violation};
    for (const Thread& t : threads_) {
        if (t.done || (assumption && !assumes(t))) {
            continue;
        }
        Trap trap = machine_.trap_here(
            t.state, TrapKind::Deadlock,
            fmt::format("thread {} {}", t.state.id.index,
                        what_it_waits_for(*t.waiting,
                                          t.waiting->kind == ActionKind::Lock ? memory_.load(t.waiting->address, t.waiting->size)
                                                                              : Value{},
                                          memory_.objects())));
        if (!end.trap) {
            end.trap = std::move(trap);
            end.thread = t.state.id;
        } else {
            end.also.push_back({std::move(trap), t.state.id});
        }
    }
    return end;
}

RunEnd SingleRun::exited(int status) {
    RunEnd end{.kind = RunEnd::Kind::Exited, .status = status};
    if (!options_.leaks) {
        return end;
    }
    std::vector<Ref<Block>> kept;
    for (const Thread& t : threads_) {
        for (auto& block : machine_.roots(t.state)) {
            kept.push_back(std::move(block));
        }
    }
    std::vector<const Block*> roots;
    std::ranges::transform(kept, std::back_inserter(roots), [](const Ref<Block>& b) { return b.raw(); });
    for (const Object& o : memory_.leaks(roots)) {
        Trap trap = leak_of(o);
        if (!end.trap) {
            end.kind = RunEnd::Kind::Violation;
            end.trap = std::move(trap);
            end.thread = thread_of(o.base);
        } else {
            end.also.push_back({std::move(trap), thread_of(o.base)});
        }
    }
    return end;
}

} // namespace heddle
