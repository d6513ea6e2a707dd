// RaceWatch: keeps the RaceState of worlds up to date and tells of races. Only where races are asked for. Of one worker.
#pragma once

#include "search/stateful/independence.hpp"
#include "search/stateful/state.hpp"
#include "search/stateful/threads.hpp"

namespace heddle::stateful {

class Findings;

class RaceWatch {
  public:
    /// `independence`: knows what threads may still do; null: they may do anything.
    RaceWatch(Machine& machine, Threads& threads, ObjectTables& tables, Findings& findings, Independence* independence,
              bool by_place);

    /// The thread, which stands there, has read (the read of an update too).
    void reads(World& w, std::uint32_t thread, const Standing& s, Order order);
    /// It writes. Gives the message that goes with the write.
    RaceState::MessageId writes(World& w, std::uint32_t thread, const Standing& s, Order order, bool update);
    /// Puts w.races into the form in which equal states are equal.
    void settle(World& w);

  private:
    void access(World& w, const Standing& s, const RaceRecord& access);

    Machine& machine_;
    Threads& threads_;
    ObjectTables& tables_;
    Findings& findings_;
    Independence* independence_;
    const bool by_place_;
    std::vector<RaceState::Life> lives_; ///< to work with
};

} // namespace heddle::stateful
