// KnownRun: a run of the history at hand, kept while the history grows and shrinks; under the models that are machines with store buffers.
//
// What does not read can always come last, and so can what reads what memory holds in the end. A read can also be put into the middle of the run: it changes
// nothing for anybody, so it may stand wherever its thread has come so far and finds the value. An update that stores may stand right before the next write to its location,
// unless that is an update itself and would read another value. So most questions, "can this be read?", are answered yes by looking at the run, without a search.
//
// The run is an order: each operation has a moment at which it is done, and each store one at which it is in memory. No two stores have the same; what is done at the moment at
// which a store reaches memory is done right after it.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class KnownRun {
  public:
    using Time = std::uint64_t;
    /// When an operation happens.
    struct Place {
        Time done = 0;
        Time landed = 0; ///< of what stores: it is in memory
    };
    /// `buffer`: nothing if no machine is run; then there is never a run.
    KnownRun(const History& history, std::optional<Buffer> buffer, Realizer::Initial initial)
        : history_(history), initial_(std::move(initial)), is_kept_(buffer.has_value()), buffer_(buffer.value_or(Buffer::None)) {}

    /// Is this a run of the whole history? If not, its order is a guess.
    [[nodiscard]] bool is_known() const { return is_kept_ && unknown_ == 0; }
    /// Changes when another run is put into its place.
    [[nodiscard]] std::uint64_t version() const { return version_; }

    /// Where the thread could do `op` next. Nothing: nowhere, as far as this run goes. `lengths`: in the run as it was when the history had only so much, if the version is
    /// the same and the thread has done nothing since. Pre: is_known().
    [[nodiscard]] std::optional<Place> place_for(ThreadId t, const HistoryOp& op, const Lengths* lengths = nullptr) const;
    /// The thread does `op` next; asked before it is in the history. Nothing: then there is no known run any more, until it is taken back.
    void push(ThreadId t, const HistoryOp& op, std::optional<Place> place);
    void pop(ThreadId t);

    /// When each store was in memory in the last run known.
    [[nodiscard]] Time landed(ThreadId t, std::uint32_t op) const {
        return t.index < threads_.size() && op < threads_[t.index].size() ? threads_[t.index][op].landed : kNever;
    }

    /// A whole run.
    struct Saved {
        std::vector<std::vector<Place>> threads;
        std::uint64_t version = 0;
    };
    /// Of the question that the realizer has just answered with yes. `without_last`: but for the last operation of that thread.
    [[nodiscard]] Saved saved(std::span<const Moment> run, const Lengths& lengths, std::optional<ThreadId> without_last);
    /// Is this the run from now on; what there was before. Pre: it is of a history as long as that at hand.
    class State;
    [[nodiscard]] State replace(const Saved& run);
    void restore(State&& state);

  private:
    static constexpr Time kNever = ~Time{0};
    static constexpr Time kGap = Time{1} << 20; ///< between what comes one after the other, for what is put in between
    struct Entry {
        Time done = 0;
        Time landed = kNever;
        Time drained = 0;     ///< by then its thread's writes so far are in memory
        Time reads_after = 0; ///< the same of its seq_cst writes: the thread reads nothing before
        bool known = true;
    };
    /// A store in memory.
    struct Store {
        Time landed;
        OpAt at;
    };
    /// Before it the thread cannot do `op`.
    [[nodiscard]] Time earliest(ThreadId t, const HistoryOp& op) const;
    [[nodiscard]] std::optional<Place> place_for_update(ThreadId t, const HistoryOp& op, const Lengths* lengths) const;
    [[nodiscard]] std::span<const Store> stores(LocationId l) const {
        return l.index < stores_.size() ? std::span<const Store>(stores_[l.index]) : std::span<const Store>();
    }
    [[nodiscard]] ValueId written(const Store& s) const { return history_.thread(s.at.thread)[s.at.op].written; }
    [[nodiscard]] Place last_place(ThreadId t, const HistoryOp& op) const;
    void add(ThreadId t, const HistoryOp& op, const Place& place, bool known);

    const History& history_;
    Realizer::Initial initial_;
    bool is_kept_;
    Buffer buffer_;
    std::vector<std::vector<Entry>> threads_;
    std::vector<std::vector<Store>> stores_; ///< by location, in the order in which they reach memory
    std::vector<Time> begun_;                ///< by thread: when it is started
    Time end_ = 0;                           ///< nothing happens after it
    std::uint32_t unknown_ = 0;              ///< operations that have no place in the run
    std::uint64_t version_ = 0;
    std::uint64_t versions_ = 0;
};

/// All that a run is.
class KnownRun::State {
    friend class KnownRun;
    std::vector<std::vector<Entry>> threads_;
    std::vector<std::vector<Store>> stores_;
    std::vector<Time> begun_;
    Time end_ = 0;
    std::uint32_t unknown_ = 0;
    std::uint64_t version_ = 0;
};

} // namespace heddle
