#include "support/resident_memory.hpp"

#include <fstream>
#include <unistd.h>

namespace heddle {

std::uint64_t resident_memory() {
    std::ifstream in("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    in >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace heddle
