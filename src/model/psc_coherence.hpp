// PscCoherence: is there a coherence with which an execution is consistent under rc11, where seq_cst accesses and fences are part of it?
//
// Two kinds of order are kept. Of each location that of its writes, as far as it is known: what happens-before forces (a write, or a read of it, that happens before another or before a
// read of that), with updates right behind what they update. And psc between seq_cst events, closed: what it has whatever coherence is (seq_cst_events.hpp), and what the known pairs of writes bring.
// For w before w' in coherence these are the edges, by the definition of psc,
//   from a seq_cst access that is w or reads it, or a seq_cst fence that one of these comes after (in hb),
//   to w' if it is seq_cst, or a seq_cst fence that comes after w';
//   and from such a fence to a seq_cst fence that a read of w' happens before (eco goes on to reads, and counts between fences only).
// What is open and would close a cycle of psc one way is forced the other way, until nothing changes (saturation, as in saturated_order.hpp). A contradiction: there is none. What is still open then is
// tried, first as in the coherence found last.
//
// Why not SaturatedOrder: that has one order of all events, of which co and fr are part, so that what comes before a read of a write comes before the write. Here an access that is not seq_cst
// is in no order but happens-before and the coherence of its location; putting it into psc would make too much of it. Only pairs of writes carry anything over.
//
// Nothing is followed as the graph grows and is cut: the rows that cost most never change, and the rest is small.
#pragma once

#include "model/seq_cst_events.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace heddle {

class Places;

class PscCoherence {
  public:
    /// `is_given`: of which locations coherence is as the graph has it. `places`: what is open is tried in this order first.
    PscCoherence(const ExecutionGraph& graph, const HappensBefore& hb, const Births& births, Places& places,
                 std::function<bool(LocationId)> is_given)
        : graph_(graph), hb_(hb), places_(places), is_given_(std::move(is_given)), events_(graph, hb, births) {}

    /// Is there a coherence of the execution made of the included events, with `latest`, if that is an event, the latest write of its location?
    [[nodiscard]] bool exists(EventTest included, EventId latest = kNoEvent);
    /// Foresight, where there are no fences: leaves of the writes of the location, by rank, those that the next read of a thread could read which knows this and is not seq_cst. Asked about are those
    /// with a 1 (more: it is certain). Pre: the graph is consistent, and happens-before allows those that are given.
    void restrict(LocationId location, ConstClock known, std::vector<std::uint8_t>& readable);
    [[nodiscard]] SeqCstEvents& events() { return events_; }
    /// The places of writes become as the coherence found last has them.
    void remember();
    /// That coherence: visits each location with its writes in order, Init first.
    template <class F> void for_each_location(F&& visit) {
        for (const Here& here : locations_) {
            order_writes(here);
            visit(here.location, std::span<const EventId>(ordered_));
        }
    }

  private:
    static constexpr std::uint32_t kNone = ~0u;
    /// In `numbers_`, seq_cst events by their numbers.
    struct Range {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        [[nodiscard]] bool empty() const { return begin == end; }
    };
    struct Write {
        EventId event;
        std::uint32_t updated = kNone; ///< what it updates, and ...
        std::uint32_t taker = kNone;   ///< ... what updates it, as numbers at their location
        Range accesses{};              ///< seq_cst ones that are it or read it
        Range fences{};                ///< the last of each thread before it or a read of it
        Range targets{};               ///< itself, if it is seq_cst, and the first fence of each thread after it
        Range after_reads{};           ///< the first fence of each thread after a read of it
    };
    /// A location, and its writes: those from `first` on; Init is the first. They have numbers there, from 0.
    struct Here {
        LocationId location;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t bits = 0;  ///< where its order begins in State::co, a row for each write: those before it
        std::uint32_t words = 0; ///< of a row
        bool orders = false;     ///< can its coherence matter to psc?
    };
    struct Pair {
        std::uint32_t where; ///< into locations_
        std::uint32_t a;
        std::uint32_t b;
    };
    struct State {
        std::vector<std::uint64_t> co;
        std::vector<std::uint32_t> psc; ///< a clock for each seq_cst event
    };

    // What there is.
    void list_locations(EventTest included);
    void list_writes(Here& here, EventTest included);
    void list_effects(Write& write, EventTest included);
    void list_fences(Write& write, EventTest included);

    // What is known.
    /// What is known of a location to begin with.
    [[nodiscard]] bool force(std::uint32_t where, EventTest included, EventId latest);
    [[nodiscard]] bool force_by_happens_before(std::uint32_t where, EventTest included);
    /// Puts one write of the location before the other, with what follows in coherence. False: it is the other way round.
    bool put(std::uint32_t where, std::uint32_t a, std::uint32_t b);
    /// What follows from the pairs that are new.
    bool settle();
    bool put_updates(const Pair& pair);
    bool put_into_psc(const Pair& pair);
    /// Would psc have a cycle with this pair?
    bool is_forbidden(const Here& here, std::uint32_t a, std::uint32_t b);
    bool saturate();
    bool decide(std::size_t depth);
    /// Two writes that are in no order, as they are to be tried first; of a location that matters to psc, or of one that does not.
    [[nodiscard]] std::optional<Pair> open_pair(bool orders) const;
    /// What is to be known of the included events before anything that is open is decided. False: a contradiction.
    [[nodiscard]] bool begin(EventTest included, EventId latest);
    bool order_the_rest(EventTest included, EventId latest);

    [[nodiscard]] Clock row(std::uint32_t n) { return {state_.psc.data() + n * width_, width_}; }
    /// What comes before any of these, and they themselves; `more`: and what was asked for last.
    ConstClock joined(Range of, bool more = false);
    /// Puts all that is in the clock before an event. False: it is in it.
    bool put_before(ConstClock earlier, std::uint32_t target);
    [[nodiscard]] bool is_in(ConstClock clock, std::uint32_t n) const {
        const GraphEvent& e = graph_[events_[n]];
        return clock[e.thread.index] > e.index;
    }
    [[nodiscard]] const Write& write(const Here& here, std::uint32_t number) const { return writes_[here.first + number]; }
    [[nodiscard]] std::uint64_t* row(const Here& here, std::uint32_t number) {
        return state_.co.data() + here.bits + number * here.words;
    }
    [[nodiscard]] bool is_before(const Here& here, std::uint32_t a, std::uint32_t b) const {
        return (state_.co[here.bits + b * here.words + a / 64] >> (a % 64) & 1) != 0;
    }
    void order_writes(const Here& here);

    const ExecutionGraph& graph_;
    const HappensBefore& hb_;
    Places& places_;
    std::function<bool(LocationId)> is_given_;
    SeqCstEvents events_;
    std::size_t width_ = 0; ///< of clocks
    std::vector<Here> locations_;
    std::vector<Write> writes_;
    std::vector<std::uint32_t> numbers_;
    State state_;
    State begun_;                        ///< see restrict
    std::vector<std::uint8_t> is_known_; ///< to who reads, by number
    std::vector<State> saved_;           ///< by depth
    std::vector<Pair> news_;             ///< pairs that were put and not settled
    std::vector<std::uint32_t> scratch_; ///< a clock
    std::vector<std::uint32_t> known_;   ///< of the writes of a location: what they and their reads know
    std::vector<EventId> ordered_;
};

} // namespace heddle
