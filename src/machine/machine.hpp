// Machine: runs one thread of a Program until it does something that others can see.
//
// The machine decides nothing and remembers nothing: a thread's state is a value of the caller's, shared memory is the caller's, and what a
// thread does next depends on its state alone. It never calls back.
#pragma once

#include "machine/action.hpp"
#include "machine/deps.hpp"
#include "machine/memory.hpp"
#include "machine/thread_state.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <vector>

namespace heddle {

class Machine {
  public:
    struct Options {
        bool dependencies = false;     ///< track the syntactic dependencies of each action
        bool loops = false;            ///< the iterations of loops that act are actions (ActionKind::Loop)
        bool spurious_wakeups = false; ///< condition variables may wake by themselves
        std::uint64_t max_stack_bytes = 8u << 20;
        std::uint64_t max_object_bytes = 1u << 30;
        std::uint64_t unroll = 0;          ///< iterations of a loop before a Block (BlockReason::LoopBound); 0: any number
        std::uint64_t patience = 1u << 24; ///< backward jumps and calls without an action before a Pause
    };

    /// The program must outlive the machine. A machine is used by one worker at a time (it keeps the pool of dependency sets).
    explicit Machine(const Program& program) : Machine(program, Options{}) {}
    Machine(const Program& program, Options options) : program_(&program), options_(options) {}

    /// The main thread at its first instruction.
    [[nodiscard]] ThreadState start_main() const;
    /// A thread at the first instruction of a function without parameters; it ends when that function returns.
    [[nodiscard]] ThreadState start_at(FunctionId function, ThreadId id) const;
    /// The thread that `spawn` asks for, under the name that ThreadNames gave it.
    [[nodiscard]] ThreadState start_thread(const Action& spawn, ThreadId id) const;

    /// Runs until the next action. Pre: `objects` knows every object whose address the thread may hold.
    Action run(ThreadState& thread, const Objects& objects);
    /// The same while nobody else is there: ordinary accesses, updates, fences, frees and allocations (but large ones) go to `memory` at once and are not
    /// actions. For single runs and for what main does before it spawns.
    Action run(ThreadState& thread, Memory& memory);
    /// The action that `run` returned has happened, with this outcome.
    void resume(ThreadState& thread, const Value& outcome);

    /// A trap at the thread's present instruction, for what only the driver can see (deadlock, a bad join, ...).
    [[nodiscard]] Trap trap_here(const ThreadState& thread, TrapKind kind, std::string message) const;
    /// The user's line where the thread stands, runtime functions skipped.
    [[nodiscard]] PlaceId place(const ThreadState& thread) const;
    /// Blocks of memory private to the thread, registers included: the roots of the search for leaks.
    [[nodiscard]] std::vector<Ref<Block>> roots(const ThreadState& thread) const;

    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] DepPool& deps() { return deps_; }

  private:
    const Program* program_;
    Options options_;
    DepPool deps_;
};

} // namespace heddle
