#include "cli/interrupt.hpp"

namespace heddle::cli {
namespace {

// The one variable that a signal handler can reach.
volatile std::sig_atomic_t stop_requested = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void request_stop(int /*signal*/) { stop_requested = 1; }

} // namespace

Interrupt::Interrupt() {
    stop_requested = 0;
    struct sigaction action{};
    action.sa_handler = request_stop;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND); // the second one finds the default, which ends the process
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

bool Interrupt::requested() { return stop_requested != 0; }

} // namespace heddle::cli
