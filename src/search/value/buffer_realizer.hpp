// BufferRealizer: a Realizer for the models that are machines with store buffers.
//
// The models sc, tso and pso are machines: one memory, and store buffers through which the writes of a thread reach it. A history is realizable when
// the machine has a run in which every thread does what the history says. Only values count, so a state of the machine is small: how far each thread
// is, which of its writes are still in the buffer, and the value of each location. The states are searched depth first, none twice. There is one state,
// and a list of what was done to it: going back undoes. Writes are tried in the order in which they reached memory in the last run found, so as long as that
// can be gone on with (known_run.hpp), a question is a run along it.
//
// This decides the same as the axioms, "some rf and co make it consistent", without trying every rf and co: writes of the same value are not told
// apart. (The replay of the MCR paper, algorithms 1 to 3, is this machine following a given order.)
//
// What is never a choice is done at once, in any state:
//   - a write enters the buffer: nobody but its own thread can tell;
//   - a read whose value is there is done: it changes nothing for anybody, and its thread needs it done;
//   - a fence, a start or an end whose condition holds, for the same reason;
//   - a write to a location that no other thread accesses, or that nobody reads, reaches memory as soon as it may.
// What is left to choose is which write reaches memory next, or which update happens. One of these comes next without a choice
//   - if it is to a location that no other thread accesses any more: nobody can tell;
//   - if no other thread writes there any more, and no other thread has yet to read what is there now: it can only come too late.
//
// A state is given up when somebody waits for a value that nobody has left to write. A write is not tried if it replaces the last of a value that somebody
// has yet to read.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/known_run.hpp"
#include "search/value/realizer.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heddle {

class BufferRealizer final : public Realizer {
  public:
    /// `known`: whose order is tried first. `quick`: see is_no_choice, is_fatal and state.
    BufferRealizer(const History& history, const KnownRun& known, Buffer buffer, Initial initial, KeepsGoing keeps_going,
                   bool quick)
        : history_(history), known_(known), buffer_(buffer), initial_(std::move(initial)), keeps_going_(std::move(keeps_going)),
          quick_(quick) {}

    /// Pre: not about races.
    bool ask(const Question& question) override;
    [[nodiscard]] std::span<const Moment> run() const override;
    [[nodiscard]] bool is_machine() const override { return true; }

  private:
    /// A write in a buffer, or an operation.
    struct Buffered {
        std::uint32_t thread;
        std::uint32_t op;
    };
    /// What was done, with what must be put back when it is undone.
    struct Change {
        enum class Kind : std::uint8_t {
            Done,       ///< an operation
            Buffered,   ///< a write, into the buffer
            Landed,     ///< a write, or that of an update, in memory
            LeftBuffer, ///< the same, out of the buffer's place `slot`
        } kind;
        std::uint32_t thread;
        std::uint32_t op;
        std::uint32_t slot;
        ValueId before; ///< of what landed: what memory had, and
        std::uint32_t held;
    };
    /// A choice: which write reaches memory next, or which update happens next.
    struct Level {
        std::size_t changes = 0; ///< that led here
        bool tried = false;
        bool settled = false; ///< what was tried is no choice
        KnownRun::Time rank = 0;
        Buffered last{}; ///< tried, with its rank in the known run: options are tried in the order of (rank, thread, op)
    };
    /// A location, for one question.
    struct Cell {
        LocationId location;
        ValueId memory;
        std::uint32_t holds = 0; ///< that is, the index into contents_ of that; kNobodys: nobody reads or writes it
        std::uint32_t only_thread = 0;
        std::uint32_t users = 0;  ///< threads that still access it
        std::uint32_t stores = 0; ///< writes that are not in memory
        bool shared = false;      ///< more than one thread accesses it
        bool is_read = false;
        bool at_once = false; ///< its writes reach memory as soon as they may
    };
    /// A value at a location, for one question.
    struct Content {
        ContentId id;
        std::uint32_t supply = 0; ///< writes that are not in memory
        std::uint32_t wanted = 0; ///< reads that are not done
        bool is_read = false;
    };
    /// Of a thread and a Cell.
    struct Use {
        std::uint32_t accesses = 0; ///< that are not done, and writes that are not in memory
        std::uint32_t stores = 0;   ///< writes that are not in memory
    };
    /// Of a thread and a Content.
    struct Need {
        std::uint32_t own = 0;    ///< writes that are not done
        std::uint32_t wanted = 0; ///< reads that are not done
    };
    static constexpr std::uint32_t kNobodys = 0xffff'ffff;

    void prepare(const Question& question);
    std::uint32_t cell_of(std::uint32_t t, const HistoryOp& op);
    std::uint32_t content_of(ContentId id);
    /// Does all that is no choice.
    void settle(const Question& question);
    /// Does the thread's next operation if that is no choice.
    bool advance(std::uint32_t t, const Question& question);
    [[nodiscard]] bool reads_now(std::uint32_t t, const HistoryOp& op) const;
    [[nodiscard]] bool lands_at_once(std::uint32_t t, std::uint32_t k, const HistoryOp& op, const Question& question) const;
    void do_op(std::uint32_t t, std::uint32_t k, const HistoryOp& op, Change::Kind kind);
    void land(std::uint32_t t, std::uint32_t k, const HistoryOp& op);
    void leave_buffer(std::uint32_t slot);
    void choose(const Buffered& chosen);
    void undo(std::size_t changes);
    void start_using(std::uint32_t cell, std::uint32_t t);
    void stop_using(std::uint32_t cell, std::uint32_t t);
    [[nodiscard]] bool may_land(const Buffered& w, const HistoryOp& op, const Question& question) const;
    [[nodiscard]] bool is_hopeless() const;
    [[nodiscard]] bool is_over(const Question& question) const;
    /// The next to try; false: all were.
    bool next_option(Level& level, const Question& question) const;
    void find_prospects(const Question& question);
    /// Of the state of the machine. Threads that have the same left to do are not told apart, unless somebody else can tell them apart: who starts or joins
    /// them, or what is in their buffers. Nor are values that nobody has yet to read, unless what memory holds in the end matters.
    [[nodiscard]] Fingerprint state() const;
    [[nodiscard]] bool others_access(std::uint32_t t, std::uint32_t cell) const {
        return cells_[cell].users > (uses_[cell * threads_ + t].accesses > 0 ? 1u : 0u);
    }
    /// May the thread's write come next, whatever else there is?
    [[nodiscard]] bool is_no_choice(std::uint32_t t, const HistoryOp& op) const;
    /// Does somebody need what it replaces, and nobody has it left to write?
    [[nodiscard]] bool is_fatal(const HistoryOp& op) const;
    [[nodiscard]] std::uint32_t known_content(ContentId id) const { return content_of_[id.index] - 1; }
    [[nodiscard]] Need& need(ContentId id, std::uint32_t t) { return needs_[known_content(id) * threads_ + t]; }
    [[nodiscard]] const HistoryOp& op_of(std::uint32_t t, std::uint32_t k) const { return ops_[t][k]; }
    [[nodiscard]] std::uint32_t known_cell(const HistoryOp& op) const { return cell_of_[op.location.index] - 1; }
    [[nodiscard]] bool forbids(const Question& question, std::uint32_t t, std::uint32_t k) const {
        const auto& o = question.order;
        return o && o->second.index == t && o->second_op == k && done_[o->first.index] <= o->first_op;
    }

    const History& history_;
    const KnownRun& known_;
    Buffer buffer_;
    Initial initial_;
    KeepsGoing keeps_going_;
    bool quick_;

    // The question.
    std::uint32_t threads_ = 0;
    std::vector<std::span<const HistoryOp>> ops_; ///< by thread, as many as are asked about
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> cell_of_; ///< by location: index into cells_ plus one; 0: none
    std::vector<Content> contents_;
    std::vector<std::uint32_t> content_of_; ///< by ContentId: index into contents_ plus one; 0: none
    // The state of the machine: these, and what cells hold.
    std::vector<std::uint32_t> done_; ///< by thread: how many of its operations
    std::vector<std::uint8_t> begun_; ///< by thread
    std::vector<Buffered> pending_;   ///< in the order in which they were buffered
    // What follows from it.
    std::vector<std::uint32_t> buffered_; ///< by thread: how many of pending_
    std::vector<Use> uses_;               ///< by cell and thread
    std::vector<Need> needs_;             ///< by content and thread

    std::vector<Change> changes_;
    std::vector<Level> levels_;
    std::vector<std::vector<Fingerprint>>
        prospects_;                         ///< by thread and operation: of what it has left to do. Only if something has failed
    std::vector<std::uint8_t> special_;     ///< by thread: it is told apart from others
    bool special_values_ = false;           ///< values that nobody reads any more are told apart, too
    FingerprintTable<std::uint8_t> failed_; ///< states from which no run was found
    mutable std::vector<Moment> run_;
    std::uint64_t states_ = 0;
};

} // namespace heddle
