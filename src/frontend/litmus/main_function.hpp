// The functions that make a litmus test an ordinary program: what starts its threads, and what a thread is started through.
#pragma once

#include "frontend/litmus/litmus_test.hpp"

namespace heddle::litmus {

/// Adds to the program `main`, which starts all threads, waits for them and looks at the final state: when the state is the one that `exists` or
/// `~exists` speaks of, or one that `forall` excludes, it fails, so that `heddle check` reports it. Also the message of that failure and
/// Program::thread_main. The test is otherwise complete.
void add_main(LitmusTest& test, PlaceId question);

} // namespace heddle::litmus
