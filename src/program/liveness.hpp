// Which registers and locals can still be read at the head of each loop.
#pragma once

#include "program/program.hpp"

namespace heddle {

/// Fills Loop::live and Loop::live_locals of every loop of the program. Pre: all functions are there (a call writes as many slots as its callee
/// has results).
void find_what_loops_need(Program& program);

} // namespace heddle
