#include "support/processor_time.hpp"

#include <ctime>

namespace heddle {

std::chrono::nanoseconds processor_time() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

} // namespace heddle
