// History: what each thread has done and which values it has read, without saying from which write, nor in which order writes reached memory.
//
// What a thread does is decided by the values it reads, so a history is decided by them: two executions with the same values read have the same
// history. A history is *realizable* when some execution of the model has it (realizer.hpp).
//
// Locations and values are small numbers here. An HistoryOp says of its thread's writes when they may leave the store buffer.
#pragma once

#include "graph/event_id.hpp"
#include "graph/execution.hpp"
#include "machine/value.hpp"
#include "machine/value_hash.hpp"
#include "search/value/fingerprint.hpp"
#include "support/ids.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

struct Step;

using ValueId = Id<struct ValueTag>;     ///< into the values of a History
using ContentId = Id<struct ContentTag>; ///< a value at a location; into the contents of a History

enum class OpKind : std::uint8_t {
    Read,
    Write,
    Update, ///< waits until the thread's writes have reached memory; reads there and, if it `writes`, writes in the same moment
    FullFence,  ///< waits until the thread's writes have reached memory
    StoreFence, ///< later writes of the thread reach memory after earlier ones
    Spawn,      ///< of `other`; a full fence
    Join,       ///< of `other`, which has ended; a full fence
    Local,      ///< an allocation, a free, a choice: nobody can tell its time
};

struct HistoryOp {
    OpKind kind = OpKind::Local;
    bool writes = false;           ///< of Update
    bool release = false;          ///< of Write: it reaches memory after all earlier writes of its thread
    bool seq_cst = false;          ///< of Write: nothing later of its thread happens before it has reached memory
    std::uint8_t part = 0;         ///< of an access in pieces: which
    LocationId location{};         ///< of Read, Write, Update
    ValueId read{};                ///< of Read, Update
    ValueId written{};             ///< of Write, and of an Update that writes
    ContentId taken{};             ///< of Read, Update: what it reads, see History::push
    ContentId given{};             ///< of what stores: what it writes
    ThreadId other{};              ///< of Spawn, Join
    std::uint64_t chosen = 0;      ///< of a choice
    Step* step = nullptr;          ///< where the thread stood
    std::uint32_t flush_after = 0; ///< of Write, see History::push
    std::uint32_t barrier = 0;     ///< see History::push

    [[nodiscard]] bool is_access() const { return kind <= OpKind::Update; }
    [[nodiscard]] bool reads() const { return kind == OpKind::Read || kind == OpKind::Update; }
    /// What it is in an execution; of an Update, its read.
    [[nodiscard]] EventKind event_kind() const;
    [[nodiscard]] bool stores() const { return kind == OpKind::Write || (kind == OpKind::Update && writes); }
};

/// An operation of a history.
struct OpAt {
    ThreadId thread;
    std::uint32_t op; ///< of the thread's operations
    friend bool operator==(const OpAt&, const OpAt&) = default;
};

/// How many operations of each thread; threads beyond have none.
using Lengths = std::vector<std::uint32_t>;

class History {
  public:
    /// A value that somebody has written to a location, and how often.
    struct Written {
        ValueId value;
        std::uint32_t times;
    };

    /// Appends to what thread `t` has done. Fills in `flush_after` (the writes of the thread before this position must have reached memory before
    /// this one does, besides those to the same location) and `barrier` (the same for writes that come later), as under per-location buffers;
    /// `taken` and `given`.
    void push(ThreadId t, HistoryOp op);
    void pop(ThreadId t);

    [[nodiscard]] std::size_t threads() const { return threads_.size(); }
    [[nodiscard]] std::span<const HistoryOp> thread(ThreadId t) const {
        return t.index < threads_.size() ? std::span<const HistoryOp>(threads_[t.index].ops) : std::span<const HistoryOp>();
    }
    [[nodiscard]] Lengths lengths() const;
    /// The same, into this.
    void lengths(Lengths& all) const;
    /// The values that location `l` has been given, the one it starts with apart.
    [[nodiscard]] std::span<const Written> written(LocationId l) const {
        return l.index < written_.size() ? std::span<const Written>(written_[l.index]) : std::span<const Written>();
    }
    /// What `l` may hold in the end, if nobody stores there any more; it begins with `initial`. A write is not the last one if its thread has written there
    /// later, nor if it is the only one of its value and somebody who has read that has read or written another one there later: accesses of one
    /// location are seen in one order under all models. Says whether that is certain, because no value is there twice: then it is so whatever else happens.
    bool may_be_last(LocationId l, ValueId initial, std::vector<ValueId>& last) const;
    /// Has the thread, which is about to do `next`, certainly met something there that came later than what it would read? Then it cannot; of so much of the
    /// history. (Not certain if it is an update that stores what is there already: others may have read that from it.)
    [[nodiscard]] bool is_past(ThreadId t, const HistoryOp& next, ValueId initial, const Lengths& lengths) const;
    /// Has a thread other than `t` read `v` there?
    [[nodiscard]] bool is_read_by_others(ThreadId t, LocationId l, ValueId v) const;
    [[nodiscard]] bool is_read(LocationId l) const { return l.index < reads_.size() && reads_[l.index] > 0; }
    /// How often updates replace `v` at `l` by another value, and how often it is stored there; of so much of the history.
    struct Turnover {
        std::uint32_t replaced = 0;
        std::uint32_t stored = 0;
    };
    [[nodiscard]] Turnover turnover(LocationId l, ValueId v, const Lengths& lengths) const;
    /// Is `v` stored at `l` only by updates that replace `old`?
    [[nodiscard]] bool is_stored_only_instead_of(LocationId l, ValueId v, ValueId old) const;
    /// Is it so of one of the accesses of `l`?
    template <class Test> [[nodiscard]] bool any_access(LocationId l, const Test& test) const {
        const auto there = accesses(l);
        return std::any_of(there.begin(), there.end(), [&](OpAt at) { return test(at, op(at)); });
    }
    /// Of the whole history, or of so much of it.
    [[nodiscard]] Fingerprint fingerprint() const { return whole_; }
    [[nodiscard]] Fingerprint fingerprint(const Lengths& lengths) const;

    /// Of what has been stored where, by whomever, and of what threads did that nobody can see: which objects there are.
    [[nodiscard]] Fingerprint print_of_stores() const { return stores_print_; }
    /// Of the accesses of a location, and what their threads did before.
    [[nodiscard]] Fingerprint print_of(LocationId l) const {
        return l.index < access_prints_.size() ? access_prints_[l.index] : Fingerprint{};
    }

    [[nodiscard]] std::size_t contents() const { return content_count_; }
    /// Nothing: nobody has read or stored it.
    [[nodiscard]] std::optional<ContentId> find_content(LocationId l, ValueId v) const;

    ValueId id_of(const Value& v);
    [[nodiscard]] const Value& value(ValueId v) const { return values_[v.index]; }

  private:
    ContentId content(LocationId l, ValueId v);
    /// Is no value there twice?
    [[nodiscard]] bool is_certain(LocationId l, ValueId initial) const;
    /// What accesses `l`, in the order in which it was added: so each thread's in program order.
    [[nodiscard]] std::span<const OpAt> accesses(LocationId l) const {
        return l.index < accesses_.size() ? std::span<const OpAt>(accesses_[l.index]) : std::span<const OpAt>();
    }
    [[nodiscard]] const HistoryOp& op(OpAt at) const { return threads_[at.thread.index].ops[at.op]; }
    [[nodiscard]] static bool is_within(OpAt at, const Lengths& lengths) {
        return at.thread.index < lengths.size() && at.op < lengths[at.thread.index];
    }
    /// Of what each thread meets at `l`, one by one: which thread, what it met there before, what it meets now, does it store that? Null: of the whole history.
    template <class Meet> void walk(LocationId l, const Lengths* lengths, const Meet& meet) const;

    struct Thread {
        std::vector<HistoryOp> ops;
        std::vector<Fingerprint> prints; ///< prints[k]: of the first k + 1 operations
    };

    std::vector<Thread> threads_;
    std::vector<std::vector<Written>> written_;                        ///< by location
    std::vector<std::vector<OpAt>> accesses_;                          ///< by location
    std::vector<std::uint32_t> reads_;                                 ///< by location: how many
    std::vector<std::vector<std::pair<ValueId, ContentId>>> contents_; ///< by location
    std::uint32_t content_count_ = 0;
    std::vector<Value> values_;
    std::unordered_map<Value, ValueId, HashOfValue> ids_;
    Fingerprint whole_;
    Fingerprint stores_print_;
    std::vector<Fingerprint> access_prints_; ///< by location
    // Used while something is being found; kept so that they need not be made each time.
    mutable std::vector<std::optional<ValueId>> met_; ///< by thread
    mutable std::vector<std::optional<ValueId>> stored_last_;
    mutable std::vector<ValueId> later_;
    mutable std::vector<std::pair<ValueId, ValueId>> met_in_turn_;
};

} // namespace heddle
