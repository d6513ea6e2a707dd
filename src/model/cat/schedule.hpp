// Schedule: in which order, and at which choice, a Judge computes the nodes of a model and makes its checks.
//
// A node is computed once for each choice that it depends on, and only if a check needs it. At each level checks come as early as what
// they need allows, those that need the least first: most candidate executions are refused by a small part of the model.
#pragma once

#include "model/cat/code.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::cat {

struct Step {
    enum class Kind : std::uint8_t {
        Compute, ///< node `what`
        Solve,   ///< group `what`: run its steps until no variable changes
        Assign,  ///< node `from` to the variable `what`; notes a change
        Check,   ///< Test `what`; the schedule ends if it fails
    };
    Kind kind = Kind::Compute;
    std::uint32_t what = 0;
    NodeId from = 0;
};

/// A check in the form in which it costs least.
struct Test {
    enum class Kind : std::uint8_t {
        Acyclic,
        Irreflexive,
        Empty,
        NoRoundTrip, ///< irreflexive a ; b, without the composition
    };
    Kind kind = Kind::Acyclic;
    bool negated = false;
    NodeId a = 0, b = 0;
    std::size_t check = 0; ///< into Code::checks
};

struct Schedule {
    explicit Schedule(const Code& code);

    std::array<std::vector<Step>, kLevels> stages; ///< by level
    std::vector<Step> flags;                       ///< what only flags need
    std::vector<Test> tests;                       ///< of the checks, in the order of Code::checks
    std::vector<std::vector<Step>> groups;         ///< the steps of one iteration, by group
    std::vector<std::vector<NodeId>> inputs;       ///< by group: what its definitions use that does not depend on it
    std::vector<NodeId> bases;                     ///< Base and BaseSet nodes that somebody needs
};

} // namespace heddle::cat
