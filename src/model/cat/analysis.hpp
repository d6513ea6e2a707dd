// What can be said of a model without an execution.
#pragma once

#include "model/cat/code.hpp"

#include <string>

namespace heddle::cat {

/// Do the checks imply acyclic (po-loc | rf | co | fr)? Syntactic: "no" may be wrong, "yes" is not.
bool implies_coherence(const Code& code);

/// Why a broken check might hold again in a larger execution: the check, its place and the reason. Empty: never, the model is monotone.
std::string why_not_monotone(const Code& code);

} // namespace heddle::cat
