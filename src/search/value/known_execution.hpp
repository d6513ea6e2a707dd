// KnownExecution: an execution of the history at hand, kept while the history grows and shrinks; under ra and rc11. What known_run.hpp is under the machines.
//
// It is kept as these models may be run, too (Kang, Hur, Lahav, Vafeiadis, Dreyer, POPL 2017, without promises): each store has a *time*, its place in the coherence of its location, and
// each thread a *view*: of each location the time of the latest store that it knows of. That is one that happens before whatever the thread does next, or that somebody has read who
// happens before it. A store carries a *message*, the view of who acquires by reading it (as in model/happens_before.hpp).
//
// What is added last can read any store that its thread does not know to be overwritten: happens-before ends with it, so there is nothing else that it could contradict. An update that
// stores is put right behind what it reads, if no other update is there. A store comes last at its location. So nearly all questions, "can this be read?", are answered yes at once.
// The others are about executions with another coherence, or in which others have read the same value from somewhere else (forced_order_cases.cpp).
//
// Not followed are, under rc11, fences and the second seq_cst access (psc), and histories that are long: then there is no known execution.
#pragma once

#include "search/value/history.hpp"
#include "search/value/realizer.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class KnownExecution {
  public:
    using Time = std::uint64_t;
    static constexpr Time kGap = Time{1} << 30; ///< between stores, for updates that are put in between
    struct Laws {
        bool all_synchronize = false; ///< whatever is read happens before
        bool orders_seq_cst = false;  ///< rc11
    };
    /// What an operation reads and where it stores.
    struct Place {
        Time time = 0;                ///< of what stores
        std::optional<OpAt> source{}; ///< of what reads; nothing: what was there at first
    };
    /// A whole execution: by thread and operation.
    using Saved = std::vector<std::vector<Place>>;

    /// `laws`: nothing: none is kept.
    KnownExecution(const History& history, std::optional<Laws> laws, Realizer::Initial initial)
        : history_(history), initial_(std::move(initial)), is_kept_(laws.has_value()), laws_(laws.value_or(Laws{})) {}

    [[nodiscard]] bool is_kept() const { return is_kept_; }
    /// Is this an execution of the whole history?
    [[nodiscard]] bool is_known() const { return is_kept_ && at_.unknown == 0; }
    /// Changes when another execution is put into its place.
    [[nodiscard]] std::uint64_t version() const { return at_.version; }

    /// How the thread could do `op` next. Nothing: not in this execution. `lengths`: in it as it was when the history had only so much, if the version is the same and the thread has done
    /// nothing since. Pre: it is known, or was then.
    [[nodiscard]] std::optional<Place> place_for(ThreadId t, const HistoryOp& op, const Lengths* lengths = nullptr) const;
    /// The thread does `op` next; asked before it is in the history. Nothing: then there is no known execution any more, until it is taken back.
    void push(ThreadId t, const HistoryOp& op, const std::optional<Place>& place);
    void pop(ThreadId t);

    struct State;
    /// Puts this one in its place. Pre: it is one of the history at hand.
    [[nodiscard]] State replace(const Saved& execution);
    void restore(State&& before) { at_ = std::move(before); }

  private:
    /// By location; those beyond: 0.
    using View = std::vector<Time>;
    enum class Message : std::uint8_t { None, View, Own };
    struct Entry {
        Place place;
        bool known = false;
        View view;                     ///< of the thread, with it
        Message tells = Message::None; ///< of what stores: nothing, `view`, or
        View message;                  ///< this
        [[nodiscard]] const View* told() const {
            return tells == Message::None ? nullptr : tells == Message::View ? &view : &message;
        }
    };
    struct Store {
        Time time;
        OpAt at;
    };
    struct Thread {
        std::vector<Entry> entries; ///< more than are done: what is taken back leaves its memory
        std::uint32_t done = 0;
        View begin; ///< its view before
    };

  public:
    struct State {
        std::vector<Thread> threads;
        std::vector<std::vector<Store>> stores; ///< by location, in the order of their times
        std::uint32_t operations = 0;
        std::uint32_t seq_cst = 0; ///< of the operations
        std::uint32_t unknown = 0; ///< operations that have no place, or come after one
        std::uint64_t version = 0;
    };

  private:
    static constexpr std::uint32_t kMost = 256;     ///< operations
    static constexpr std::uint32_t kFarthest = 512; ///< locations
    [[nodiscard]] bool follows(const HistoryOp& op) const;
    [[nodiscard]] const View& view_of(ThreadId t) const;
    [[nodiscard]] Thread& thread(ThreadId t);
    [[nodiscard]] std::span<const Store> stores(LocationId l) const {
        return l.index < at_.stores.size() ? std::span<const Store>(at_.stores[l.index]) : std::span<const Store>();
    }
    [[nodiscard]] const HistoryOp& op_of(const Store& s) const { return history_.thread(s.at.thread)[s.at.op]; }
    [[nodiscard]] static Time time_in(const View& view, LocationId l) { return l.index < view.size() ? view[l.index] : 0; }
    static void see(View& view, LocationId l, Time time);
    static void join(View& view, const View& other);
    void access(const HistoryOp& op, Entry& entry);

    const History& history_;
    Realizer::Initial initial_;
    bool is_kept_;
    Laws laws_;
    State at_;
    std::uint64_t versions_ = 0;
};

} // namespace heddle
