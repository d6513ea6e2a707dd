// SharedMemory: what loads, stores, updates and fences do to a World under sc, tso and pso, in all the ways they can.
#pragma once

#include "search/stateful/contents.hpp"
#include "search/stateful/happened.hpp"
#include "search/stateful/object_table.hpp"
#include "search/stateful/pending_moves.hpp"
#include "search/stateful/world_pool.hpp"
#include "support/function_ref.hpp"

namespace heddle::stateful {

class SharedMemory {
  public:
    struct Options {
        Buffer buffer = Buffer::None;
        std::uint64_t bound = 0; ///< stores in a buffer; 0: any number
        bool delayed = true;     ///< stores leave buffers when somebody could notice; false: each flush is a step of its own
        bool remember = true;    ///< see PendingMoves
    };
    using Reached = FunctionRef<void(World&)>;

    SharedMemory(Options options, Parts& parts, ObjectTables& tables, Contents& contents, WorldPool& pool, Log& log)
        : options_(options), tables_(tables), contents_(contents), pool_(pool), log_(log),
          moves_(parts.shapes, options.buffer, options.bound, options.remember) {}

    [[nodiscard]] bool has_buffers() const { return options_.buffer != Buffer::None; }
    [[nodiscard]] const Options& options() const { return options_; }

    /// Is everything that the thread has stored in memory, or known to get there before anything later? If so, draining changes nothing.
    [[nodiscard]] bool is_drained(const World& w, std::uint32_t thread) const {
        return options_.delayed ? !w.pending.has_unflushed(thread) : !w.pending.has(thread);
    }
    /// Drains the thread's buffer. False: it cannot yet, flushes come first (only when flushing is not delayed).
    [[nodiscard]] bool drain(World& w, std::uint32_t thread);
    void fence_stores(World& w, std::uint32_t thread);
    /// Are there stores of which it is decided only when somebody looks whether they have reached memory?
    [[nodiscard]] bool decides_late() const { return options_.delayed && has_buffers(); }
    /// Every world in which it is decided, of the pending stores that `concerns` names, which have reached memory: these are there, and the others come later. Pre: the thread's buffer is
    /// drained. As with `read`, the world is used up.
    void decide(World& w, std::uint32_t thread, FunctionRef<bool(const PendingStore&)> concerns, const Reached& decided);

    /// Every value that a load of the thread may find now, each with the world in which it does. An update reads with `locked`: its thread's
    /// buffer is drained, and what it finds is in memory. `found(World&, const Value&, bool)`; the last: what was pending is different now, because of what was found.
    template <class F> void read(World& w, std::uint32_t thread, Address address, unsigned size, bool locked, F&& found);
    /// False: the buffer is full (only when flushing is not delayed).
    [[nodiscard]] bool write(World& w, const PendingStore& store, Order order);
    /// Puts the bytes into memory itself. Pre: nothing that is pending there may come before.
    void put(World& w, const PendingStore& store);

    /// Makes the object that the Alloc asks for.
    void allocate(World& w, const Action& alloc);
    /// Ends the object; gives the stores of others into it that may reach memory only later.
    std::vector<PendingStore> free(World& w, std::uint32_t thread, const Action& free);

    /// When flushing is not delayed: every world in which one more store has left its buffer.
    void flush_one(const World& w, FunctionRef<void(World&, const PendingStore&)> reached);
    /// Every world in which all stores have left their buffers.
    void flush_all(const World& w, const Reached& reached);
    [[nodiscard]] Value load(const World& w, Address address, unsigned size);
    /// What the thread reads there if nobody contends: its own store, or what memory has.
    [[nodiscard]] Value uncontended(const World& w, std::uint32_t thread, Address address, unsigned size);

    void trim(std::size_t many) { moves_.trim(many); }

  private:
    /// The world goes this way.
    void take(World& w, const PendingMoves::Way& way);
    /// An operation that can go only one way.
    void move(World& w, const Operation& operation);
    void note_reaches(const PendingStore& store) {
        if (log_.on) {
            log_.note({.kind = Happened::Kind::Reaches, .thread = ThreadId(store.thread), .tag = store.tag});
        }
    }
    using Bytes = std::pair<Address, std::uint8_t>;
    /// `decide`, after a look at these.
    void decide(World& w, std::uint32_t thread, FunctionRef<bool(const PendingStore&)> concerns, std::vector<Bytes>& looked,
                const Reached& decided);

    Options options_;
    ObjectTables& tables_;
    Contents& contents_;
    WorldPool& pool_;
    Log& log_;
    PendingMoves moves_;
};

template <class F>
void SharedMemory::read(World& w, std::uint32_t thread, Address address, unsigned size, bool locked, F&& found) {
    if (w.pending.empty()) {
        found(w, load(w, address, size), false);
        return;
    }
    if (!options_.delayed) {
        if (!locked || !w.pending.has(thread)) {
            found(w, uncontended(w, thread, address, size), false);
        }
        return;
    }
    const bool drains = locked && !is_drained(w, thread);
    const Operation operation{.kind = locked ? Operation::Kind::Update : Operation::Kind::Load,
                              .store = {.address = address, .thread = thread, .size = static_cast<std::uint8_t>(size)}};
    const std::size_t noted = log_.entries.size();
    moves_.each(w.pending, operation, log_.on, [&](const PendingMoves::Way& way) {
        const auto go = [&](World& next) {
            take(next, way);
            found(next, way.own.over([&] { return load(next, address, size); }, size), way.contended || drains);
        };
        if (!way.contended) {
            go(w);
            return;
        }
        auto copy = pool_.copy(w);
        go(*copy);
        log_.entries.resize(noted);
    });
}

} // namespace heddle::stateful
