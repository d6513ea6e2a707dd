// Is there a coherence order that makes an execution consistent? For equivalences that do not distinguish executions by coherence.
//
// First what is forced: a write that comes before another, or before a read of it, is earlier in coherence; an update stands right behind what it
// updates; under models whose order contains co and fr, each forced pair may force more (saturation). Where pairs stay open, one after
// the other is tried both ways. Deciding this is NP-hard for sc, tso and pso, but open pairs are rarely wrong.
#pragma once

#include "model/axioms.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace heddle {

struct CoherenceQuestion {
    /// In `x.coherence` every location has all its writes, Init first.
    const Execution& x;
    const Axioms& axioms;
    /// Locations whose order in x.coherence is given; that of the others means nothing.
    std::function<bool(Address)> is_given;
    /// Must come in this order, in a model whose order contains coherence.
    std::optional<std::pair<std::size_t, std::size_t>> also{};
    /// Must be the latest write of its location.
    std::optional<std::size_t> latest{};
};

/// x.coherence, ordered consistently; nothing when there is no such order. What is open is first tried as x.coherence has it.
std::optional<std::map<Address, std::vector<std::size_t>>> find_coherence(const CoherenceQuestion& question);

} // namespace heddle
