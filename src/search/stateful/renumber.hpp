// Renumbering: made objects (heap, escaping locals) under numbers that depend on the state alone, and those that nothing can reach forgotten.
//
// The machine numbers the objects of a thread one after the other, so a program that allocates for ever would never come back to a state. Here the
// objects that something still points to, and those that a frame will end, are numbered again from 0, in the order they have; what a dangling
// pointer points to keeps a number of its own, so that it dangles still. A heap object that is forgotten while it is alive is noted as
// lost: should the program end, that is a leak.
//
// The order is kept, and not that in which a search from the roots meets the objects, because programs compare addresses: a pair of locks taken in
// the order of their addresses must be taken in one order in all states of a path. The price is that states in which only the order of objects
// differs are not merged.
//
// What is a pointer is told by looking: an aligned word whose value is an address of a made object. A program that keeps one elsewhere (in pieces,
// shifted, at an odd address) is not renumbered rightly: `Stepper` refuses loads and stores of shared memory that do so, and the verdict lists that no
// thread does so in its own memory (whole-pointers).
#pragma once

#include "search/stateful/contents.hpp"
#include "search/stateful/state.hpp"
#include "search/stateful/threads.hpp"

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle::stateful {

class Renumbering {
  public:
    Renumbering(const Program& program, Threads& threads, ObjectTables& tables, Contents& contents)
        : program_(program), threads_(threads), tables_(tables), contents_(contents) {}

    void apply(World& world);
    /// Is `address` in a made object that nobody but `thread` can reach, now or by what is pending?
    bool is_private(const World& world, std::uint32_t thread, Address address);
    /// Forgets what it has met if that is more.
    void trim(std::size_t many);
    /// Numbers of threads and tables of objects become invalid.
    void forget_ways();

  private:
    struct Region {
        Address first; ///< address of the first byte of the first region
        std::uint64_t count;
        Address fresh = 0; ///< where it goes
    };
    void reach_all(const World& world);
    /// What can be reached from the globals and from what is pending joins what is reached.
    void reach_shared(const World& world, const ObjectTable& table);
    void follow(const World& world, const ObjectTable& table);
    void mention(const ObjectTable& table, std::uint64_t word);
    /// False: every number stays.
    bool number(const World& world, const ObjectTable& table);
    [[nodiscard]] std::uint64_t renamed(const ObjectTable& table, std::uint64_t word) const;
    const std::vector<Address>& pointers_in(PartId contents);
    /// The number of the way in which objects are numbered again. Pre: `number` was asked, of a world with these objects.
    std::uint32_t way_of(PartId objects);
    /// What a thread, or contents, becomes in this way; kNoPart, to be filled in: not met yet.
    PartId& known_as(std::uint32_t way, PartId part, bool thread);

    const Program& program_;
    Threads& threads_;
    ObjectTables& tables_;
    Contents& contents_;
    std::unordered_map<PartId, std::vector<Address>> pointers_;            ///< by contents
    std::unique_ptr<Interner> ways_ = std::make_unique<Interner>(nullptr); ///< in which objects were numbered again
    std::array<std::unordered_map<std::uint64_t, PartId>, 2>
        renumbered_;                   ///< of contents, of threads: by way and part, what they become
    std::uint32_t most_ways_ = 0;      ///< the last number that ways_ gave
    std::vector<std::uint64_t> words_; ///< of way_of
    // Of the world at hand:
    std::vector<std::uint8_t> reached_; ///< by position in ObjectTable::made
    std::vector<std::size_t> pending_;  ///< reached, and not looked through yet
    std::vector<Region> regions_;       ///< of what is kept and of what dangling pointers point to, by address
    std::vector<Region> dangling_;
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>
        next_; ///< thread -> its next heap and stack region
};

} // namespace heddle::stateful
