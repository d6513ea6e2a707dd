// RaceState: of a state, what has to be remembered to tell whether accesses race: who knows of which access.
//
// Two conflicting accesses race if neither happens before the other (property/races.hpp). Happens-before is a matter of what is known: an access happens
// before an event if the event's thread knows of it by then, and knowledge is passed on as model/happens_before.hpp says: by program order, by starting and joining threads, and by
// *messages*. A write carries a message, which an acquire that reads it learns. So it is enough to keep
//
//   - *records*: of each thread its last accesses to memory that others may still race with;
//   - of each thread how much it knows, how much it knew at its last release fence, and what an acquire fence would teach it (what was read by
//     atomic reads since the last one);
//   - the messages of what memory has, by bytes, and of the stores that are pending.
//
// Knowledge is a vector clock: a number for each thread, of whose accesses those up to that number are known (what a thread knows of another is always a prefix of what that
// one did). Clocks that count would make the states of an endless program infinite. What matters is only the question *who knows of which record*, the idea of Goldilocks (Elmas,
// Qadeer, Tasiran, PLDI 2007); so a state that is kept has its clocks in a form that says that and no more (`settle`):
//
//   - a record that all threads that run know of is forgotten, since whom they start will know of it too. So is one that those who do not know of it will never conflict with;
//   - a record is forgotten when its thread makes another that races with all that it would race with: whoever knows of the later one knows of the earlier;
//   - records of a thread that the same clocks know of get the same number, the numbers of a thread's records are 1, 2, 3 ..., and
//     a clock says how many of these are known.
//
// Records are finitely many (bytes, kinds and places of accesses are), so the states of a program with finitely many states stay finitely many.
//
// The end of an object ends its records and messages: who accesses it later has another problem (use after free).
#pragma once

#include "program/address.hpp"
#include "search/stateful/pending_stores.hpp"
#include "support/function_ref.hpp"
#include "support/ids.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heddle::stateful {

/// An access that somebody may yet race with.
struct RaceRecord {
    Address address = 0;
    std::uint32_t thread = 0;
    std::uint32_t number = 0; ///< from 1; who has at least this number for the thread in its clock knows of it
    PlaceId place{};          ///< 0 in a state that was kept, unless races are told apart by their places
    std::uint8_t size = 0;
    bool writes = false; ///< else it reads
    bool atomic = false;

    [[nodiscard]] bool overlaps(Address from, std::uint64_t bytes) const {
        return address < from + bytes && from < address + size;
    }
    /// Would the two race if neither happened before the other?
    [[nodiscard]] bool conflicts(const RaceRecord& o) const {
        return thread != o.thread && (writes || o.writes) && !(atomic && o.atomic) && overlaps(o.address, o.size);
    }
    /// Does this record, the later one of the same thread, race with all that the other would race with?
    [[nodiscard]] bool replaces(const RaceRecord& o, bool by_place) const {
        return thread == o.thread && address <= o.address && o.address + o.size <= address + size && (writes || !o.writes) &&
               (!atomic || o.atomic) && (!by_place || place == o.place);
    }
};

class RaceState {
  public:
    using MessageId = std::uint32_t; ///< 0: nothing is learnt

    RaceState() = default;
    RaceState(const RaceState&) = default;
    RaceState& operator=(const RaceState& other) {
        if (is_on() || other.is_on()) { // mostly nobody asks for races
            width_ = other.width_;
            clocks_ = other.clocks_;
            records_ = other.records_;
            messages_ = other.messages_;
            section_ = other.section_;
        }
        return *this;
    }
    RaceState(RaceState&&) = default;
    RaceState& operator=(RaceState&&) = default;
    ~RaceState() = default;

    /// False: races are not asked for, and there is nothing in it.
    [[nodiscard]] bool is_on() const { return width_ != 0; }
    /// There are so many threads (those that were not started here counted). The first call turns it on.
    void widen(std::size_t threads);

    /// The thread acquires what was written to those of these bytes that `from_memory` has a bit for; of a relaxed read, only once it acquires by a fence.
    void read(std::uint32_t thread, Address address, unsigned size, Order order, std::uint32_t from_memory);
    /// The message of a write of the thread that was recorded last. Of an update also what the write that it updates carries.
    MessageId message_of_write(std::uint32_t thread, Address address, unsigned size, Order order, bool update);
    /// A write with this message reaches memory.
    void lands(Address address, unsigned size, MessageId message);
    /// Calls `races` with every record that races with this access, of a thread that knows what it knows now, and then keeps it. `number` does not matter.
    void access(RaceRecord access, bool by_place, FunctionRef<void(const RaceRecord&)> races);

    void fence(std::uint32_t thread, Order order);
    void spawn(std::uint32_t thread, std::uint32_t child);
    void join(std::uint32_t thread, std::uint32_t ended);
    /// Sections that are executed without anybody else acting are ordered as by a lock.
    void begin_section(std::uint32_t thread);
    void end_section(std::uint32_t thread);
    /// Nobody accesses these bytes any more.
    void forget(Address from, std::uint64_t bytes);
    /// Every address becomes what `renamed` makes of it; nothing: it is forgotten.
    void rename(FunctionRef<std::optional<Address>(Address)> renamed);

    /// How far a thread is, as far as it matters here.
    enum class Life : std::uint8_t {
        Runs,
        Ended, ///< and may be joined
        Gone,
    };
    /// Puts it into the form in which equal states are equal. `minds`: may the thread (that runs and does not know of it) still conflict with the record?
    void settle(std::span<const Life> lives, PendingStores& pending, bool by_place,
                FunctionRef<bool(std::uint32_t, const RaceRecord&)> minds);

    /// As words, the same for equal settled states; and back.
    void encode(std::vector<std::uint64_t>& into, bool by_place) const;
    void decode(std::span<const std::uint64_t> words);
    void clear() { *this = {}; }

  private:
    struct Message {
        Address address;
        std::uint8_t size;
        MessageId id;
    };
    using Row = std::span<std::uint32_t>;
    // Clocks: of each thread three, then those of messages 1, 2, ...
    enum Of : std::uint32_t { kNow, kReleased, kUnacquired, kClocksOfThread };
    [[nodiscard]] Row row(std::size_t k) { return std::span(clocks_).subspan(k * width_, width_); }
    [[nodiscard]] Row clock(std::uint32_t thread, Of of) { return row(std::size_t{thread} * kClocksOfThread + of); }
    [[nodiscard]] Row message(MessageId id) { return row(std::size_t{width_} * kClocksOfThread + id - 1); }
    [[nodiscard]] std::size_t message_count() const {
        return width_ == 0 ? 0 : clocks_.size() / width_ - std::size_t{width_} * kClocksOfThread;
    }
    [[nodiscard]] bool is_empty(MessageId id) const;
    /// A new message that says what the clock says.
    MessageId make_message(std::size_t row_to_copy);
    MessageId join_messages(MessageId a, MessageId b);
    static void join_into(Row into, std::span<const std::uint32_t> from);
    void drop_records(std::span<const Life> lives, FunctionRef<bool(std::uint32_t, const RaceRecord&)> minds);
    void forget_what_is_known();
    void number_records();
    void number_messages(PendingStores& pending);

    std::uint32_t width_ = 0;           ///< numbers in a clock: threads. 0: off
    std::vector<std::uint32_t> clocks_; ///< rows of width_ numbers
    std::vector<RaceRecord> records_;
    std::vector<Message> messages_; ///< of memory; no two have a byte in common
    MessageId section_ = 0;         ///< what the last atomic section that ended knew
};

} // namespace heddle::stateful
