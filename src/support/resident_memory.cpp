#include "support/resident_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <unistd.h>

namespace heddle {

std::uint64_t resident_memory() {
    std::ifstream in("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    in >> total >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t usable_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    std::uint64_t usable = pages > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
    // Of version 2 the one group is 0::PATH; of version 1 that of memory is N:memory:PATH. "max" is no number: no limit.
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t path = line.find('/');
        std::string limit_file;
        if (path != std::string::npos && line.starts_with("0::")) {
            limit_file = "/sys/fs/cgroup" + line.substr(path) + "/memory.max";
        } else if (path != std::string::npos && line.substr(0, path).ends_with(":memory:")) {
            limit_file = "/sys/fs/cgroup/memory" + line.substr(path) + "/memory.limit_in_bytes";
        }
        std::uint64_t limit = 0;
        if (!limit_file.empty() && std::ifstream(limit_file) >> limit && limit > 0) {
            usable = usable == 0 ? limit : std::min(usable, limit);
        }
    }
    return usable;
}

} // namespace heddle
