// BufferRealizer: a Realizer for the models that are machines with store buffers.
//
// The models sc, tso and pso are machines: one memory, and store buffers through which the writes of a thread reach it. A history is realizable when
// the machine has a run in which every thread does what the history says. Only values count, so a state of the machine is small: how far each thread
// is, which of its writes are still in the buffer, and the value of each location. The states are searched depth first, none twice.
//
// This decides the same as the axioms, "some rf and co make it consistent", without trying every rf and co: writes of the same value are not told
// apart. (The replay of the MCR paper, algorithms 1 to 3, is this machine following a given order.)
//
// What is never a choice is done at once, in any state:
//   - a write enters the buffer: nobody but its own thread can tell;
//   - a read whose value is there is done: it changes nothing for anybody, and its thread needs it done;
//   - a fence, a start or an end whose condition holds, for the same reason;
//   - a write to a location that no other thread accesses, or that nobody reads, reaches memory (unless it is seq_cst: later reads wait for it, and it
//     waits for earlier writes).
// What is left to choose is which write reaches memory next, or which update happens. If one of these is to a location that no other thread accesses any
// more, it comes next: nobody can tell.
//
// A state is given up when somebody waits for a value that nobody has left to write.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace heddle {

class BufferRealizer final : public Realizer {
  public:
    BufferRealizer(History& history, Buffer buffer, Initial initial, KeepsGoing keeps_going)
        : history_(history), buffer_(buffer), initial_(std::move(initial)), keeps_going_(std::move(keeps_going)) {}

    /// The history's ranks are then the run's. Pre: not about races.
    bool ask(const Question& question) override;
    [[nodiscard]] std::span<const Moment> run() const override { return run_; }
    [[nodiscard]] bool is_machine() const override { return true; }

  private:
    /// A write in a buffer.
    struct Pending {
        std::uint32_t thread;
        std::uint32_t op;
    };
    struct State {
        std::vector<std::uint32_t> done; ///< by thread: how many of its operations
        std::vector<std::uint8_t> begun; ///< by thread
        std::vector<ValueId> memory;     ///< by cell
        std::vector<Pending> pending;    ///< in the order in which they were buffered
    };
    /// The choice of a level, and what is left to try there.
    struct Level {
        State state;
        std::vector<Pending> options; ///< writes that may reach memory next, updates that may happen next
        std::size_t next = 0;
        std::size_t moments = 0; ///< of the run, that led here
    };
    /// What is known of an operation for one question.
    struct Fact {
        std::uint32_t cell = 0; ///< of an access: its location, as an index into State::memory
        bool at_once = false;   ///< a write that reaches memory when it is done
    };

    void prepare(const Question& question);
    void decide_at_once(const Question& question);
    /// Does all that is no choice.
    void settle(State& s, const Question& question);
    /// Does the thread's next operation if that is no choice.
    bool advance(State& s, std::uint32_t t, const Question& question);
    bool reads_now(const State& s, std::uint32_t t, const HistoryOp& op, const Fact& fact) const;
    void land(State& s, std::uint32_t t, std::uint32_t op);
    [[nodiscard]] bool has_pending(const State& s, std::uint32_t t) const;
    [[nodiscard]] bool may_land(const State& s, const Pending& w, const Question& question) const;
    [[nodiscard]] bool is_hopeless(const State& s, const Question& question) const;
    [[nodiscard]] bool is_over(const State& s, const Question& question) const;
    void find_options(Level& level, const Question& question) const;
    /// Does any thread but `t` still access the location?
    [[nodiscard]] bool others_access(const State& s, const Question& question, std::uint32_t t, LocationId l) const;
    const std::u32string& key_of(const State& s);
    [[nodiscard]] const HistoryOp& op_of(std::uint32_t t, std::uint32_t k) const { return history_.thread(ThreadId(t))[k]; }
    [[nodiscard]] bool forbids(const State& s, const Question& question, std::uint32_t t, std::uint32_t k) const {
        const auto& o = question.order;
        return o && o->second.index == t && o->second_op == k && s.done[o->first.index] <= o->first_op;
    }

    History& history_;
    Buffer buffer_;
    Initial initial_;
    KeepsGoing keeps_going_;

    std::vector<std::vector<Fact>> facts_; ///< by thread and operation
    struct Cell {
        LocationId location;
        std::uint32_t only_thread = 0;
        bool shared = false; ///< more than one thread accesses it
        bool is_read = false;
        bool has_seq_cst = false; ///< one of its writes is seq_cst
    };
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> cell_of_; ///< by location: index into cells_ plus one; 0: none
    std::vector<Level> levels_;          ///< reused from question to question
    std::vector<Moment> run_;
    std::unordered_set<std::u32string> failed_; ///< states from which no run was found
    std::u32string key_;
    std::uint64_t states_ = 0;
};

} // namespace heddle
