// Reads the threads of a C litmus test.
#pragma once

#include "frontend/litmus/c_ast.hpp"
#include "frontend/litmus/tokens.hpp"

#include <vector>

namespace heddle::litmus {

/// The threads P0, P1, ... from here on, in order. The cursor is left at what follows the last one.
std::vector<CThread> parse_c_threads(Tokens& tokens);

} // namespace heddle::litmus
