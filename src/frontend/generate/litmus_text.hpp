// A cycle as a litmus test in herd's format.
#pragma once

#include "frontend/generate/cycle.hpp"

#include <expected>
#include <string>

namespace heddle::generate {

/// The whole file. Refused when a thread needs more registers than there are.
std::expected<std::string, Diagnostic> litmus_text(const Vocabulary& vocabulary, const Cycle& cycle);

} // namespace heddle::generate
