// Replay: a path of states told as an execution.
#pragma once

#include "search/stateful/state_set.hpp"
#include "search/stateful/stepper.hpp"

#include <map>
#include <unordered_map>

namespace heddle::stateful {

/// Turns what happened into a Witness.
class Teller {
  public:
    /// The program begins so.
    void begin(const World& world);
    /// `before`, `after`: the worlds around it.
    void tell(Stepper& stepper, const Happened& h, const World& before, const World& after);
    /// `about`: positions of events as `last` gives them, which become positions in the witness.
    Witness finish(std::vector<std::size_t>& about);

    /// The thread's last event; with `access`, its last that is such an access. Pre: there is one.
    [[nodiscard]] std::size_t last(std::uint32_t thread, const RaceRecord* access = nullptr) const;

  private:
    struct Place {
        WitnessEvent init{};
        std::vector<std::size_t> writes{}; ///< positions, in the order they reach memory
    };
    std::size_t add(WitnessEvent e, ThreadId thread);
    Place& place(Stepper& stepper, const Action& a, const World& before, const World& after);
    void other(Stepper& stepper, const Happened& h, const World& before, const World& after);

    World first_;
    std::vector<WitnessEvent> events_;
    std::unordered_map<std::uint32_t, std::uint32_t> next_index_; ///< by thread
    std::unordered_map<std::uint32_t, std::size_t> last_read_;    ///< by thread
    std::unordered_map<std::uint32_t, std::size_t> stores_;       ///< tag -> position
    std::map<Address, std::size_t> bytes_;                        ///< who wrote the byte that memory has
    std::map<Address, Place> places_;
    std::map<Address, Action> made_; ///< objects made on the way
};

/// A violation without its witness.
struct Sighting {
    Violation violation;
    StateSet::Id at;      ///< the state in which it was seen,
    bool in_step = false; ///< or on a step from there
    std::vector<PlaceId>
        places{}; ///< of a race: where the later access is, and the earlier if that is kept (Parts::races_by_place)
};

/// Gives the violation its witness: the execution that leads there, from the state's parents. A race is told anew, with what a state that is kept does not have.
void replay(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, const StateSet& states,
            Sighting& sighting);

} // namespace heddle::stateful
