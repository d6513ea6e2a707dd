// Cells: which bytes of shared memory are one location.
//
// A graph speaks of locations; a program may read in one piece what it wrote in several. Where accesses of different extents meet, memory
// is cut at their borders, and a plain access that spans several cells becomes one event a cell. What is cut where is known only
// after the accesses have been seen: when one shows that a location in use was too large, the cut is noted and the search starts again. There are as
// many restarts as cuts at most, usually within the first execution. An atomic access is never split: see TornAtomic.
#pragma once

#include "graph/execution_graph.hpp"
#include "machine/objects.hpp"
#include "machine/value_hash.hpp"
#include "support/processor_time.hpp"

#include <algorithm>
#include <chrono>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle {

struct Function;

/// A set of places of the program.
class PlaceSet {
  public:
    [[nodiscard]] bool contains(std::uint32_t place) const {
        return place / 64 < words_.size() && ((words_[place / 64] >> (place % 64)) & 1) != 0;
    }
    void insert(std::uint32_t place) {
        words_.resize(std::max<std::size_t>(words_.size(), place / 64 + 1));
        words_[place / 64] |= std::uint64_t{1} << (place % 64);
    }
    void insert(const PlaceSet& others) {
        words_.resize(std::max(words_.size(), others.words_.size()));
        for (std::size_t k = 0; k < others.words_.size(); ++k) {
            words_[k] |= others.words_[k];
        }
    }
    [[nodiscard]] bool meets(const PlaceSet& others) const {
        for (std::size_t k = 0; k < std::min(words_.size(), others.words_.size()); ++k) {
            if ((words_[k] & others.words_[k]) != 0) {
                return true;
            }
        }
        return false;
    }

  private:
    std::vector<std::uint64_t> words_;
};

/// What threads were seen to do with a location (search/value/foreknowledge.hpp).
struct LocationUse {
    struct Thread {
        std::uint32_t stores_until = 0; ///< one more than the last position at which it stores there; 0: it does not
        bool reads = false;
        PlaceSet stores_after; ///< the places at which it has stood when it stores there, or before
    };
    std::map<std::uint32_t, Thread> threads; ///< that access it
    bool repeats = false;                    ///< a value is stored there more than once, or stored and there from the beginning
    bool is_waited_on = false;               ///< somebody stands there whom some values may not let go on. Only then:
    std::unordered_set<Value, HashOfValue> values; ///< that are stored there, by whomever
};

/// A loop of the program, whatever thread is in it.
struct LoopKey {
    const Function* function = nullptr;
    std::uint32_t loop = 0; ///< into Function::loops
    friend auto operator<=>(const LoopKey&, const LoopKey&) = default;
};

/// What a search had to learn about the program before it could explore it. Outlives restarts.
struct Lessons {
    /// Where objects have to be cut, by what they are: a global, or all that is allocated at one place.
    std::map<std::uint64_t, std::set<std::uint64_t>> cuts;
    /// Under equivalence rf: the locations whose coherence has to be tracked, since threads wait on them or what leaks depends on their latest write.
    std::set<Address> tracked;
    /// Loops (search/dpor/explorer_iterations.cpp): those whose iterations are done as a whole, and those that were found to wait and must not be.
    std::set<LoopKey> whole;
    std::set<LoopKey> waiting;
    /// Of those done as a whole: the ones that wait all the same, at their heads (search/dpor/explorer_awaits.cpp).
    std::set<LoopKey> awaiting;
    /// Of these: the ones that read several locations in an iteration. The others wait for one.
    std::set<LoopKey> scattered;
    /// Under equivalence value: objects end while there are other threads, so no loop's are done as a whole (search/value/value_iterations.cpp).
    bool objects_end = false;
    /// Under equivalence value: the program has to be explored under its model, not as if that were sc (search/value/value_sequential.cpp).
    bool is_weak = false;
    /// Under equivalence value: who accesses a location.
    std::map<Address, LocationUse> users;
    /// How often the search has started again because of them.
    unsigned surprises = 0;
    /// It should begin by looking around (search/value/value_explorer.hpp).
    bool look_around = false;
    /// When the first attempt began.
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    /// And how long the thread that makes all attempts had been running then.
    std::chrono::nanoseconds processor_time_before = processor_time();
};

/// Thrown when a lesson was learnt: start again.
struct LessonLearnt {};
/// Thrown when an atomic access meets accesses of other sizes to the same bytes; `place` is that of the access that showed it.
struct TornAtomic {
    PlaceId place;
};

struct Step;

class Cells {
  public:
    Cells(ExecutionGraph& graph, Lessons& lessons) : graph_(graph), cuts_(lessons.cuts) {}

    /// The locations of an access to `object`, in order of address. Valid until the next call.
    std::span<const LocationId> of(const Objects& objects, Address address, std::uint8_t size, bool atomic, PlaceId place) {
        const auto it = known_.find({address, size});
        if (it != known_.end() && (!atomic || it->second.size() == 1)) {
            return it->second;
        }
        return find(objects, address, size, atomic, place);
    }

    /// Has an access of this extent been made, and is it of one location?
    [[nodiscard]] bool is_one(Address address, std::uint8_t size) const {
        const auto it = known_.find({address, size});
        return it != known_.end() && it->second.size() == 1;
    }

    /// Fills in which locations the access that a thread stands at spans.
    void locate(const Objects& objects, Step& s);
    /// The one that this part of it is of. Both events of an update are of its one location. Pre: it has been located.
    [[nodiscard]] LocationId location(const Objects& objects, const Step& s, std::uint32_t part);
    /// Visits the locations that begin in [from, to).
    template <class F> void for_each_in(Address from, Address to, F&& visit) {
        for (auto cell = cells_.lower_bound(from); cell != cells_.end() && cell->first < to; ++cell) {
            visit(graph_.location_of(cell->first, cell->second.size)); // made when the cell was
        }
    }

  private:
    struct Bytes {
        Address address;
        std::uint8_t size;
        friend bool operator==(const Bytes&, const Bytes&) = default;
    };
    struct Hash {
        std::size_t operator()(const Bytes& b) const { return (b.address ^ (b.address >> 29)) * 31 + b.size; }
    };
    struct Cell {
        std::uint8_t size;
        bool atomic; ///< has been accessed atomically
    };

    std::span<const LocationId> find(const Objects& objects, Address address, std::uint8_t size, bool atomic, PlaceId place);
    /// Makes cells of [from, to), which no cell touches, cut where it must be.
    void fill(Address base, const std::set<std::uint64_t>& cuts, Address from, Address to, bool atomic);

    ExecutionGraph& graph_;
    std::map<std::uint64_t, std::set<std::uint64_t>>& cuts_;
    std::map<Address, Cell> cells_; ///< disjoint
    std::unordered_map<Bytes, std::vector<LocationId>, Hash> known_;
};

} // namespace heddle
