// How much memory this process has in use.
#pragma once

#include <cstdint>

namespace heddle {

/// In bytes; 0 when the system does not say.
std::uint64_t resident_memory();

} // namespace heddle
