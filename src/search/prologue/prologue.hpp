// The prologue: what main does before anybody else is there, run at once. Nothing in it is a choice, so no search needs it as events.
#pragma once

#include "machine/machine.hpp"

namespace heddle {

struct Prologue {
    ThreadState
        main;      ///< standing at the first action that others can see or that is a choice: spawning, an input, the end, a trap
    Memory memory; ///< what everybody finds
};

Prologue run_prologue(Machine& machine);

} // namespace heddle
