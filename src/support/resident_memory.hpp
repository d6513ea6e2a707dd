// How much memory this process has in use, and how much there is for it.
#pragma once

#include <cstdint>

namespace heddle {

/// In bytes; 0 when the system does not say.
std::uint64_t resident_memory();

/// What the machine has, or less if this process is in a control group that may use less. In bytes; 0 when the system does not say.
std::uint64_t usable_memory();

} // namespace heddle
