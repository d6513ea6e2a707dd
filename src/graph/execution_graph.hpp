// ExecutionGraph: one execution, whole or partial, as the searches grow and shrink it in place.
//
// Events sit in slots with stable names. Three structures run through them: each thread's events in program order, each location's writes
// in coherence order with the reads of each write, and `order`, the order in which the search added them (an event's position there is its
// stamp). Every edit has its inverse, and edits are undone in the reverse order:
//   add       <-> remove     the newest event, or a read put back at an older place of `order`
//   cut       <-> restore    taking away a set of events that nothing else in the graph needs (backward revisiting)
// Events that a cut takes away keep their slots until it is restored, so whatever is stored by slot (clocks, values) need not be saved.
//
// Holes. Under a model in which an event does not need all that comes before it in its thread, a cut may leave a later event of a thread and take
// an earlier one away, which comes back afterwards (add, with its position in the thread). Until then there is a hole in the thread's order.
//
// A read of its own thread's write need not need it: a processor forwards the value before the write is done (MemoryModel::needs_source). Then a cut may take
// the write away and leave the read, whose source is not `present` until the write is back at its place in the thread.
//
// A Wait is a mark in `order` only: a thread could not go on there. It is in no thread's program order and is no part of the execution.
#pragma once

#include "graph/clocks.hpp"
#include "graph/event_id.hpp"
#include "graph/execution.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

/// What an event depends on in its own thread: the positions there of reads (and choices), ascending. Only kept under models that ask for it.
struct Needs {
    std::vector<std::uint32_t> address{};
    std::vector<std::uint32_t> data{};
    std::vector<std::uint32_t> control{};
    std::vector<std::uint32_t> earlier_addresses{}; ///< "addr ; po": of all accesses before it
    friend bool operator==(const Needs&, const Needs&) = default;
};

struct GraphEvent {
    EventKind kind = EventKind::Init;
    Order order = Order::NonAtomic;
    FenceKind fence = FenceKind::C11;
    bool update = false;     ///< the read or the write of an atomic update (also of a compare-exchange that fails)
    bool present = false;    ///< false in free slots and while cut away
    ThreadId thread{};       ///< meaningless for Init
    std::uint32_t index = 0; ///< in its thread
    std::uint32_t stamp = 0; ///< its position in order(), from 1; 0: Init
    LocationId location{};   ///< of Init, Read, Write, Wait
    ThreadId other{};        ///< of Spawn and Join
    EventId source =
        kNoEvent; ///< of Read: the Init or Write it reads from; of Begin: the Spawn; of Join: the End. Of a Wait: the write that
                  ///< took its chance away, if one did
    EventId update_read = kNoEvent;  ///< of the Write of an update: its Read
    const Needs* needs = nullptr;    ///< kept by the search
    std::uint32_t rank = 0;          ///< of Init and Write: its position in the coherence of its location; 0: Init
    EventId first_reader = kNoEvent; ///< of Init and Write: head of the list of its readers (Waits with this source included)
    EventId next_reader = kNoEvent;
    EventId previous_reader = kNoEvent;

    [[nodiscard]] bool is_read() const { return kind == EventKind::Read; }
    [[nodiscard]] bool is_write() const { return kind == EventKind::Write || kind == EventKind::Init; }
    [[nodiscard]] bool is_access() const { return is_read() || is_write(); }
    /// The write of an update that has no place in coherence as things are: see search/dpor. It is no part of any execution.
    [[nodiscard]] bool is_void() const { return kind == EventKind::Choose && update; }
    [[nodiscard]] bool is_seq_cst() const { return order == Order::SeqCst && (is_access() || kind == EventKind::Fence); }
};

static_assert(sizeof(GraphEvent) == 64, "slots are looked up all the time: a shift must find one");

/// Are both accesses, of one location?
[[nodiscard]] inline bool same_location(const GraphEvent& a, const GraphEvent& b) {
    return a.is_access() && b.is_access() && a.location == b.location;
}

struct Location {
    Address address = 0;
    std::uint8_t size = 0;
    EventId init = kNoEvent;
    std::vector<EventId> coherence{}; ///< Init first; see GraphEvent::rank
    /// How many reads and writes there are, in all and of each thread: so that a location which one thread keeps to itself costs nothing.
    std::uint32_t reads = 0;
    std::uint32_t writes = 0;
    std::uint32_t plain = 0;                ///< of both, those that are not atomic
    std::vector<std::uint32_t> reads_of{};  ///< by ThreadId
    std::vector<std::uint32_t> writes_of{}; ///< by ThreadId
    std::vector<EventId> first_read_of{};   ///< by ThreadId: its first read there, if it has one and there are no holes

    /// Does another thread read it?
    [[nodiscard]] bool has_other_reader(ThreadId t) const { return reads > (t.index < reads_of.size() ? reads_of[t.index] : 0); }
    [[nodiscard]] bool has_other_writer(ThreadId t) const {
        return writes > (t.index < writes_of.size() ? writes_of[t.index] : 0);
    }
};

class ExecutionGraph {
  public:
    /// `holes`: see above.
    explicit ExecutionGraph(bool holes = false);

    [[nodiscard]] bool may_have_holes() const { return holes_; }
    [[nodiscard]] const GraphEvent& operator[](EventId e) const { return events_[e.index]; }
    [[nodiscard]] std::span<const EventId> order() const { return order_; }
    [[nodiscard]] std::size_t size() const { return order_.size(); }
    /// Changes whenever `order` changes other than at its end.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// Stays the same as long as events are only added, at the end of `order`.
    [[nodiscard]] std::uint64_t losses() const { return revision_ + removals_; }
    /// What has been asked about the execution as it is need not be asked again about the events that are then still there, all of them as they were: so
    /// many of `order`, from the first. A cut is undone with what was known before it.
    void settle() { settled_ = order_.size(); }
    [[nodiscard]] std::size_t settled() const { return settled_; }
    /// All slots are below: for tables by slot.
    [[nodiscard]] std::size_t slots() const { return events_.size(); }
    /// All threads' indices are below, those without events included.
    [[nodiscard]] std::size_t threads() const { return thread_count_; }
    /// How many events each thread has, holes included: a clock that has all of them. (There may be zeros behind the last thread's.)
    [[nodiscard]] ConstClock lengths() const { return lengths_; }
    /// In program order; kNoEvent: a hole.
    [[nodiscard]] std::span<const EventId> thread(ThreadId t) const {
        return t.index < thread_count_ ? std::span<const EventId>(threads_[t.index]) : std::span<const EventId>();
    }
    /// The thread's event at this position; none if there is a hole or nothing yet.
    [[nodiscard]] EventId at(ThreadId t, std::uint32_t index) const {
        const auto events = thread(t);
        return index < events.size() ? events[index] : kNoEvent;
    }
    [[nodiscard]] bool has_events(ThreadId t) const { return t.index < thread_count_ && !threads_[t.index].empty(); }
    [[nodiscard]] EventId last(ThreadId t) const { return has_events(t) ? threads_[t.index].back() : kNoEvent; }
    [[nodiscard]] const Location& location(LocationId l) const { return locations_[l.index]; }
    [[nodiscard]] std::size_t locations() const { return locations_.size(); }
    /// The write of the same location that comes next in coherence, if any.
    [[nodiscard]] EventId co_next(EventId write) const {
        const auto& co = locations_[events_[write.index].location.index].coherence;
        const std::uint32_t next = events_[write.index].rank + 1;
        return next < co.size() ? co[next] : kNoEvent;
    }
    template <class F> void for_each_reader(EventId write, F&& visit) const {
        for (EventId r = events_[write.index].first_reader; r != kNoEvent; r = events_[r.index].next_reader) {
            visit(r);
        }
    }
    /// The write of the update that this is the read of; none if it has none, or not yet.
    [[nodiscard]] EventId write_of_update(EventId read) const {
        const EventId next = at(events_[read.index].thread, events_[read.index].index + 1);
        return next != kNoEvent && events_[next.index].update_read == read ? next : kNoEvent;
    }
    /// The update that took `write` as what it updates: its Write; none if nobody did.
    [[nodiscard]] EventId taker(EventId write) const {
        for (EventId r = events_[write.index].first_reader; r != kNoEvent; r = events_[r.index].next_reader) {
            const EventId w = events_[r.index].update ? write_of_update(r) : kNoEvent;
            if (w != kNoEvent) {
                return w;
            }
        }
        return kNoEvent;
    }

    /// Of a Write whose readers stayed when it was cut away, and that has come back: what it was then.
    [[nodiscard]] EventId replaces(EventId write) const { return holes_ ? replaces_[write.index] : kNoEvent; }

    /// The location of these bytes; made, with its Init, when it is new. Locations are never taken away.
    LocationId location_of(Address address, std::uint8_t size);

    /// The newest event. A Read joins its source's readers; a Write goes to `e.rank` of its location's coherence; all but a Wait go to `e.index` of
    /// their thread: behind its last, or into a hole.
    EventId add(const GraphEvent& e) { return add_at(e, order_.size()); }
    /// The same, at a given position of `order`.
    EventId add_at(const GraphEvent& e, std::size_t position);
    /// Undoes add or add_at. Nothing was added after it that is still there.
    void remove(EventId e);

    /// Takes away the events of `order` from `position` on for which `keeps` is false. Pre: no event that stays needs one that goes: nobody who stays
    /// reads from one who goes, and unless there may be holes those that go are the last of their threads.
    template <class F> void cut(std::size_t position, F&& keeps) {
        ++revision_;
        cuts_.push_back({position, cut_away_.size(), settled_});
        settled_ = std::min(settled_, position);
        cut_away_.insert(cut_away_.end(), order_.begin() + static_cast<std::ptrdiff_t>(position), order_.end());
        for (std::size_t k = order_.size(); k-- > position;) {
            if (!keeps(order_[k])) {
                detach(order_[k]);
            }
        }
        const auto gone = [&](EventId e) { return !events_[e.index].present; };
        order_.erase(std::remove_if(order_.begin() + static_cast<std::ptrdiff_t>(position), order_.end(), gone), order_.end());
        renumber(position);
    }
    /// Undoes the newest cut. What was added after it is gone again.
    void restore();

  private:
    struct Cut {
        std::size_t position;
        std::size_t first;   ///< in cut_away_: the part of `order` that it changed
        std::size_t settled; ///< before it
    };

    Location& count(EventId id, std::uint32_t change);
    void attach(EventId e);
    void detach(EventId e);
    void renumber(std::size_t from);
    void link_reader(EventId read);
    void unlink_reader(EventId read);
    void take_readers_over(EventId write);
    void give_readers_back(EventId write);
    EventId new_slot();

    bool holes_;
    std::vector<GraphEvent> events_; ///< by slot
    std::vector<EventId> replaces_;  ///< by slot, where there may be holes
    std::vector<EventId> free_;
    std::vector<EventId> order_;
    std::uint64_t revision_ = 0;
    std::uint64_t removals_ = 0;
    std::size_t settled_ = 0;
    std::vector<std::vector<EventId>> threads_; ///< by ThreadId
    std::uint32_t thread_count_ = 0;            ///< threads_.size(), which takes a division: asked several times an event
    std::vector<std::uint32_t> lengths_;        ///< of each of threads_
    std::vector<Location> locations_;
    struct Bytes {
        Address address;
        std::uint8_t size;
        friend bool operator==(const Bytes&, const Bytes&) = default;
    };
    struct BytesHash {
        std::size_t operator()(const Bytes& b) const { return (b.address ^ (b.address >> 29)) * 31 + b.size; }
    };
    std::unordered_map<Bytes, LocationId, BytesHash> location_ids_;
    std::vector<Cut> cuts_;
    std::vector<EventId> cut_away_;
};

/// The events but for Inits and Waits, those of a thread in program order; otherwise as they were added. (Where there were holes, a thread's events were not added
/// in program order.)
std::vector<EventId> events_in_order(const ExecutionGraph& graph);

/// The plain form of the same execution, or of a part of it: `only` these slots, where what a read of them reads from, and the read of an update
/// whose write is among them, are among them too. Its Inits by location, then `events_in_order`.
Execution to_execution(const ExecutionGraph& graph, const std::vector<bool>* only = nullptr);

} // namespace heddle
