// The search over states: every state that a program can be in under sc, tso or pso, each once. For programs that do not end but have finitely
// many states, and for atomic sections, which the DPOR search does not have.
//
// Breadth first, level by level, so that a violation is found with few steps, and found at all when there are infinitely many
// states. The workers of a level share the set of states; what is found does not depend on how many they are.
#pragma once

#include "search/check_options.hpp"
#include "search/session.hpp"

#include <string>

namespace heddle {

/// Pre: options.model is sc, tso or pso.
CheckResult explore_states(Session& session, const CheckOptions& options);

/// Does the search over states know the model?
bool has_states(const std::string& model);

} // namespace heddle
