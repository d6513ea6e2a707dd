// SingleRun: one execution of a program under sequential consistency. Threads take turns at their actions; with a seed, at random.
#pragma once

#include "machine/machine.hpp"
#include "machine/thread_names.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace heddle {

/// How a run ended, and where.
struct RunEnd {
    enum class Kind {
        Exited,      ///< `status` is the program's
        Violation,   ///< `trap`, in `thread`
        Unsupported, ///< `trap` names what is missing
        OutOfBudget, ///< a time limit, or `trap`
        Assumption,  ///< a failed assumption left nobody to go on; `trap` says where
    };
    Kind kind = Kind::Exited;
    int status = 0;
    std::optional<Trap> trap{};
    ThreadId thread{};
    struct Other {
        Trap trap;
        ThreadId thread;
    };
    std::vector<Other> also{}; ///< of a deadlock: where each other thread waits; of a leak: the other leaks
};

class SingleRun {
  public:
    struct Options {
        std::optional<std::uint64_t> seed; ///< absent: round robin, and the first of every choice
        std::optional<double> timeout;     ///< seconds
        bool leaks = true;                 ///< unreachable heap at the end is a violation
        bool stepwise = false;             ///< stop at every action, also while there is one thread only
        std::function<void(int fd, std::string_view text)> output;
    };

    SingleRun(Machine& machine, ThreadNames& names, Options options);
    RunEnd run();

  private:
    struct Thread {
        ThreadState state;
        bool done = false;
        bool joined = false;
        bool detached = false;
        Value result{};
        std::optional<Action> waiting{}; ///< the action that could not happen when it was last tried
    };

    /// One thread's next action; the end of the run, if that is it.
    std::optional<RunEnd> step(std::size_t index);
    std::optional<RunEnd> perform(std::size_t index, const Action& action);
    std::optional<RunEnd> spawn(std::size_t index, const Action& action);
    /// Nothing: it has to wait (or the run ended: `bad_`).
    std::optional<Value> join(std::size_t index, const Action& action);
    std::optional<std::size_t> next_thread();
    [[nodiscard]] bool may_go_on(const Thread& thread) const;
    [[nodiscard]] Thread* find(std::uint64_t id);
    std::uint64_t choose(std::uint64_t count);
    RunEnd stuck();
    RunEnd exited(int status);
    RunEnd trapped(std::size_t index, Trap trap);

    Machine& machine_;
    ThreadNames& names_;
    Options options_;
    Memory memory_;
    std::vector<Thread> threads_;
    std::size_t current_ = 0;           ///< whose turn it was
    std::size_t alive_ = 0;             ///< threads that are not done
    bool looks_ = false;                ///< at the clock, after this step
    std::optional<std::size_t> atomic_; ///< the thread inside an atomic section
    unsigned atomic_depth_ = 0;
    std::mt19937_64 random_;
    std::optional<RunEnd> bad_;
};

} // namespace heddle
