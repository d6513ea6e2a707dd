// What went wrong, in words for a person at a terminal.
#pragma once

#include "machine/action.hpp"
#include "program/program.hpp"

#include <string>

namespace heddle {

/// Several lines, each ended by a newline; the first starts with the kind.
std::string describe(const Program& program, const Trap& trap, ThreadId thread);

} // namespace heddle
