// Foreknowledge: what threads may still do, as far as is known.
//
// What a thread will do is not known before the end of the search. What it has done in some execution is. It is taken for granted that threads do nothing
// else: that a thread which has done n operations does not store to a location later if no store of its to there at position n or later has been seen, and so
// on. Whoever relies on it says so (a claim). When something is seen that contradicts a claim, that is a surprise: the search starts again, knowing it (Lessons).
//
// Sound: let P' be the program in which a thread stops right before it does something that was never seen. In P' the claims hold, so the search of
// P' misses nothing. The search of P is the same as long as nobody does such a thing. If some execution of P does, take one that does as little as possible
// before: up to there it is one of P' in which the thread has stopped, so the search of P' comes to a history with the thread at that point, and so does that of P,
// where it is a surprise (or no claim was about it). An update that is stopped before it stores has read, though, as a read that does not store: the search of P must
// ask whether it could have if it cannot store (ValueExplorer::note_prevented_store; random programs showed it).
//
// What a thread may still do is also known by where in the program it stands: that it does not store there any more once it has stood at this place. With loops that try again, the
// same place is reached after more and more operations. (Loops that count are the other way round.) If either says so, it is so, and that is what is relied on; the place if both do. If there are
// loops that try again and are done as a whole, only the place is: some history fails once more than all before it, late, and the search would start again.
//
// Of locations that somebody waits on it is also known which values are stored there, by whomever: who waits for its turn is not helped by who announces another
// one's. (By whom each was tried: in a ticket lock every thread stores every value, which took many attempts to see.)
#pragma once

#include "graph/event_id.hpp"
#include "search/dpor/cells.hpp"
#include "search/value/history.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace heddle {

class Foreknowledge {
  public:
    explicit Foreknowledge(Lessons& lessons);

    // --- what is seen. True: it contradicts a claim.
    /// A thread reads `l`, or stands before doing so.
    bool reads(ThreadId t, LocationId l, Address address);
    /// A thread stores there as its operation `at`, or stands before an update, which may. `places`: where it has stood up to now.
    bool stores(OpAt at, LocationId l, Address address, const PlaceSet& places);
    /// A thread stands before reading `l`, and some values may not let it go on. From then on values are kept of its stores.
    bool is_waited_on(LocationId l, Address address);
    /// Are values kept of stores there, and it is not known that this one is stored?
    [[nodiscard]] bool is_news(LocationId l, Address address, const Value& stored);
    /// A thread stores this there as its operation `at`.
    bool stores_value(OpAt at, LocationId l, Address address, const Value& stored);
    /// A value is stored there that was stored there before, or was there from the beginning.
    bool repeats(LocationId l, Address address);
    [[nodiscard]] bool is_known_to_repeat(LocationId l, Address address) { return known(l, address).lesson->repeats; }

    // --- claims. True: it is so, as far as is known, and is relied on from now on.
    static constexpr std::uint32_t kNothingMore = std::numeric_limits<std::uint32_t>::max();
    /// How far a thread is.
    struct Standing {
        std::uint32_t done =
            0; ///< how many operations it has done; kNothingMore: it will do nothing more, or that does not count
        std::uint32_t place = 0; ///< where in the program it stands; 0: that is not known, or it does not stand anywhere
    };
    using Now = std::vector<Standing>; ///< by thread; those beyond have done nothing
    /// No thread but `t` ever stores to `l`; `even_reading`: nor reads it.
    bool is_left_alone(ThreadId t, LocationId l, Address address, bool even_reading);
    /// Which values are meant. Empty: all, and where nobody waits all are.
    using Meant = std::function<bool(const Value&)>;
    /// Will nobody store one of these values to `l`? Not a claim before it is made one, about all that is asked of `l` and `now`.
    [[nodiscard]] bool nobody_stores_there(LocationId l, Address address, const Now& now, const Meant& meant);
    void claim_nobody_stores_there(LocationId l, Address address, const Now& now);
    /// Will nobody store to a location where somebody else reads and the same value is stored more than once? The same.
    [[nodiscard]] bool nobody_frees(const Now& now) const { return freeing_.is_over(now, goes_by_count_); }
    void claim_nobody_frees(const Now& now) { freeing_.claim_over(now, true); }
    /// Nobody will store anything.
    bool nobody_stores(const Now& now);

  private:
    /// Of a thread, with regard to a set of locations: it stores there as operations before `until`; and the claim that it does not from `claimed` on.
    struct Storing {
        std::uint32_t until = 0;
        std::uint32_t claimed = kNothingMore;
        PlaceSet after{};         ///< it stores there after it has stood at these
        PlaceSet claimed_after{}; ///< the claim that it does not
        [[nodiscard]] bool is_claimed() const { return claimed < until || claimed_after.meets(after); }
        /// Does it not store there after having stood at this place?
        [[nodiscard]] bool is_past(std::uint32_t place) const { return place != 0 && !after.contains(place); }
    };
    /// By thread. Of those that were not there yet when something was claimed of all others, it was claimed from the beginning on.
    struct StoringThreads {
        std::vector<Storing> threads;
        bool claimed_beyond = false;
        Storing& of(std::uint32_t t);
        [[nodiscard]] bool is_over(const Now& now, bool by_count) const;
        /// `by_place`: false: only by how many operations they have done.
        void claim_over(const Now& now, bool by_place);
    };
    struct Alone {
        std::uint32_t thread;
        bool even_reading;
    };
    /// A location.
    struct Known {
        LocationUse* lesson = nullptr;
        StoringThreads storing;
        StoringThreads
            storing_others;       ///< only claims: that no other values are stored than was known, and none twice if !repeats
        std::vector<Alone> alone; ///< claims of is_left_alone
        std::vector<std::uint8_t> readers; ///< by thread
    };
    Known& known(LocationId l, Address address);
    bool uses(ThreadId t, Known& k, bool writes);
    bool frees(const LocationUse& lesson);

    Lessons& lessons_;
    bool goes_by_count_; ///< false: there are loops that try again; of a thread that stands somewhere only the place counts
    std::vector<Known> locations_; ///< by LocationId
    StoringThreads anywhere_;      ///< stores to any location
    StoringThreads freeing_;       ///< to those that somebody else reads and where values repeat
};

} // namespace heddle
