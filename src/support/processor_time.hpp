// How long the calling thread has been running.
#pragma once

#include <chrono>

namespace heddle {

/// Without the time in which it waited for a processor: what a thread has done by then depends less on what else the machine does. Costs a call of the system.
std::chrono::nanoseconds processor_time();

} // namespace heddle
