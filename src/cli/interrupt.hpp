// Interrupt: while one lives, the first ctrl-C (or SIGTERM) only asks the check to stop with what it knows; the second kills.
#pragma once

#include <csignal>

namespace heddle::cli {

/// One at a time: signals belong to the process.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] static bool requested();

  private:
    struct sigaction old_int_{};
    struct sigaction old_term_{};
};

} // namespace heddle::cli
