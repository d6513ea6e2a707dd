// A state of the program, in two forms: a World to work on, and a Packed to keep.
//
// Everything in a state is a number of a part in `Parts`: where a thread stands, the bytes of an object, the table of objects, the pending stores.
// So a step that moves one thread and writes one object changes two numbers, and states that differ in one thread share the rest.
#pragma once

#include "search/stateful/image_interner.hpp"
#include "search/stateful/interner.hpp"
#include "search/stateful/local_images.hpp"
#include "search/stateful/pending_stores.hpp"
#include "search/stateful/race_state.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

using PartId = Interner::Id;

/// What states are made of, once for the whole search.
struct Parts {
    /// `workforce`: who will use them; null: one worker. `by_place`: races between the same bytes and threads are told apart by their places, so that all can be reported.
    explicit Parts(Workforce* workforce, bool by_place = false)
        : threads(workforce), contents(workforce), objects(workforce), shapes(workforce), pending(workforce), races(workforce),
          tuples(workforce), races_by_place(by_place) {}

    ImageInterner threads; ///< where a thread stands (Threads, threads.hpp)
    Interner contents;     ///< the bytes of an object (contents.hpp)
    ImageInterner objects; ///< the objects that are not global variables (ObjectTables, object_table.hpp)
    Interner shapes;       ///< of pending stores (PendingStores::encode_shape)
    Interner pending;      ///< pending stores: the number of their shape, and their values
    Interner races;        ///< RaceState::encode
    Interner tuples;       ///< numbers of the above, in several sorts of lists (packed_list.hpp)

    const bool races_by_place;
    std::atomic<bool> objects_made = false; ///< some state may have objects besides the globals, or a thread has made some

    [[nodiscard]] std::size_t bytes() const {
        return threads.bytes() + contents.bytes() + objects.bytes() + shapes.bytes() + pending.bytes() + races.bytes() +
               tuples.bytes();
    }
};

/// The parts that a worker has numbers of its own for.
struct LocalParts {
    explicit LocalParts(Parts& parts) : threads(parts.threads), objects(parts.objects) {}
    LocalImages threads;
    LocalImages objects;
};

struct World {
    std::vector<LocalImages::Id> threads; ///< by thread id
    std::vector<PartId>
        contents; ///< by Object::handle: the mutable globals, then the made objects in the order of their addresses
    LocalImages::Id objects = 0;
    PendingStores pending;
    RaceState races;          ///< off unless races are asked for
    std::uint32_t atomic = 0; ///< 1 + the thread in an atomic section; 0: nobody
    std::uint32_t depth = 0;  ///< of atomic sections in each other; and kTorn
    /// Others have acted in the section, since its thread had to wait there; or the stores of others have reached memory.
    static constexpr std::uint32_t kTorn = 1u << 31;

    /// Becomes a copy: what assignment does, quicker.
    void copy(const World& from) {
        copy_list(threads, from.threads);
        copy_list(contents, from.contents);
        objects = from.objects;
        pending = from.pending;
        if (races.is_on() || from.races.is_on()) {
            races = from.races;
        }
        atomic = from.atomic;
        depth = from.depth;
    }
};

constexpr PartId kNoPart = ~PartId{0};

struct Packed {
    PartId threads = 0;       ///< of Parts::tuples
    PartId memory = 0;        ///< of Parts::tuples
    PartId rest = 0;          ///< of Parts::tuples: objects, atomic, depth and, if they are asked for, races
    PartId pending = kNoPart; ///< of Parts::pending; kNoPart: nothing is
    friend bool operator==(const Packed&, const Packed&) = default;
};

/// What a list becomes when one of its numbers is another: remembered for some, so that most lists are found without being put together.
class ListChanges {
  public:
    /// Of the list `before`, with `part` at position `at`. kNoPart: not known.
    [[nodiscard]] PartId after(PartId before, std::size_t at, PartId part) const {
        if (slots_.empty()) {
            return kNoPart;
        }
        const Change& c = slots_[slot(before, at, part)];
        return c.before == before && c.at == at && c.part == part ? c.after : kNoPart;
    }
    void learn(PartId before, std::size_t at, PartId part, PartId after);

  private:
    struct Change {
        PartId before = kNoPart;
        std::uint32_t at = 0;
        PartId part = 0;
        PartId after = 0;
    };
    [[nodiscard]] std::size_t slot(PartId before, std::size_t at, PartId part) const {
        const std::uint64_t h = ((std::uint64_t{before} << 32 | part) + at * 0x9e3779b97f4a7c15u) * 0xc4ceb9fe1a85ec53u;
        return (h >> 32 ^ h >> 15) & (slots_.size() - 1);
    }
    std::vector<Change> slots_; ///< one for each place: the newest stays
    std::size_t learnt_ = 0;    ///< since it has this size
};

/// To work with, so that nothing is allocated. Of one worker.
struct PackScratch {
    std::vector<std::uint64_t> wide{};
    std::vector<std::uint32_t> list{};
    std::vector<std::uint32_t> pending{};
    std::vector<PartId> shared{}; ///< numbers of threads that all know
    // Not one for both: a list of threads may have the same number as a list of contents, and the numbers that change in it are this worker's, which others' are not.
    ListChanges thread_changes{};
    ListChanges memory_changes{};
    std::vector<PartId>
        shapes{}; ///< by number of a passing shape (PendingStores::kPassing): its number in Parts::shapes; kNoPart: not asked
    bool remember = true; ///< Tuning::remember_moves: whether the changes are used
};
/// `from`, `packed_from`: a world that is packed already, and may have much in common with this one.
Packed pack(Parts& parts, LocalParts& locals, const World& world, PackScratch& scratch, const World* from = nullptr,
            const Packed& packed_from = {});
/// `held`: what `into` was made from and still is; null: anything else.
void unpack(const Parts& parts, LocalParts& locals, const Packed& packed, World& into, std::vector<std::uint32_t>& scratch,
            const Packed* held = nullptr);

/// The state will be unpacked; and `soon`: next but for a few, after it was expected. What it is made of may be anywhere in memory.
inline void expect(const Parts& parts, const Packed& packed) {
    parts.tuples.expect(packed.threads);
    parts.tuples.expect(packed.memory);
    if (packed.pending != kNoPart) {
        parts.pending.expect(packed.pending);
    }
}
inline void expect_soon(const Parts& parts, const Packed& packed) {
    parts.tuples.expect_soon(packed.threads);
    parts.tuples.expect_soon(packed.memory);
    if (packed.pending != kNoPart) {
        parts.pending.expect_soon(packed.pending);
    }
}

/// The same for equal states of one search, in which parts are numbered in another order from run to run.
inline std::uint64_t hash_of(const Packed& p) {
    const std::uint32_t words[4] = {p.threads, p.memory, p.rest, p.pending};
    return hash_words(words, 4);
}

} // namespace heddle::stateful
