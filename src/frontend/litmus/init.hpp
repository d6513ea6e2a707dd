// The initial state of a litmus test: locations and registers, with types or without.
#pragma once

#include "frontend/litmus/frame.hpp"

namespace heddle::litmus {

/// Reads what stands between the braces into `frame`.
void parse_init(Tokens& tokens, Frame& frame);

} // namespace heddle::litmus
