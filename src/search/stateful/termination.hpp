// Does a program end, if everybody who can go on does?
//
// It does not if there is an infinite execution that is fair: a thread that from some point on could always take a step takes one again and again, and
// so does a store buffer that is never empty. With finitely many states that is a set of states, each reachable from each by steps within it, in which every
// thread (and buffer) takes a step somewhere or somewhere cannot. If some such set does, so does the largest set around it: the strongly connected
// components of the graph of states are all there is to look at.
#pragma once

#include "search/stateful/state_set.hpp"

#include <optional>
#include <vector>

namespace heddle::stateful {

struct Step {
    StateSet::Id from;
    StateSet::Id to;
    std::uint32_t mover; ///< who takes it: a thread's number, or kFlush and something that tells buffers apart
};
constexpr std::uint32_t kFlush = 0x8000'0000;

/// A step of a thread in an infinite fair execution, if there is one.
std::optional<Step> endless_step(const std::vector<Step>& steps);

} // namespace heddle::stateful
