// The prologue: what main does before anybody else is there, run at once. Nothing in it is a choice, so no search needs it as events.
#pragma once

#include "machine/machine.hpp"

#include <functional>

namespace heddle {

struct Prologue {
    ThreadState
        main;      ///< standing at the first action that others can see or that is a choice: spawning, an input, the end, a trap
    Memory memory; ///< what everybody finds
};

/// Stops wherever it is, too, when `gives_up` says true, which is asked now and then.
Prologue run_prologue(Machine& machine, const std::function<bool()>& gives_up = {});

} // namespace heddle
