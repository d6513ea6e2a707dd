#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace heddle::cli {
namespace {

// What a signal handler can reach: when it was first called, in milliseconds of a clock that begins at 1; 0: never.
std::atomic<std::int64_t> first_request = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Who sends a signal to a process and to its group (timeout does) sends it twice in a moment, and means it once.
constexpr std::int64_t kOneRequest = 300;

void request_stop(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t milliseconds = 1 + now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    std::int64_t first = 0;
    if (!first_request.compare_exchange_strong(first, milliseconds) && milliseconds - first > kOneRequest) {
        std::signal(signal, SIG_DFL); // the second one ends the process
        std::raise(signal);
    }
}

} // namespace

Interrupt::Interrupt() {
    first_request = 0;
    struct sigaction action{};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
    if (old_int_.sa_handler == SIG_IGN) { // a shell's background job: ctrl-C is meant for somebody else
        sigaction(SIGINT, &old_int_, nullptr);
    }
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
}

bool Interrupt::requested() { return first_request != 0; }

} // namespace heddle::cli
