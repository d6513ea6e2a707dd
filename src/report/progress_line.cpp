#include "report/progress_line.hpp"

#include <fmt/format.h>
#include <utility>

namespace heddle {
namespace {

constexpr double kTerminalPause = 0.1;
constexpr double kPlainPause = 1;
constexpr const char* kEraseLine = "\r\x1b[K";

} // namespace

std::string progress_text(const Progress& p, double seconds) {
    if (p.states != 0) {
        return fmt::format("{} states, {:.0f}/s, {} to look at, {:.1f} MB, {} violation{}", p.states,
                           seconds > 0 ? static_cast<double>(p.states) / seconds : 0, p.frontier,
                           static_cast<double>(p.memory) / (1u << 20), p.violations, p.violations == 1 ? "" : "s");
    }
    const std::uint64_t executions = p.complete + p.blocked;
    return fmt::format("{} executions, {:.0f}/s, {} blocked, {} violation{}, longest {} events", executions,
                       seconds > 0 ? static_cast<double>(executions) / seconds : 0, p.blocked, p.violations,
                       p.violations == 1 ? "" : "s", p.longest);
}

ProgressLine::ProgressLine(std::FILE* to, bool terminal, std::function<double()> seconds)
    : to_(to), terminal_(terminal), seconds_(std::move(seconds)) {}

void ProgressLine::show(const Progress& progress) {
    const double now = seconds_();
    if (now < next_) {
        return;
    }
    next_ = now + (terminal_ ? kTerminalPause : kPlainPause);
    const std::string text = progress_text(progress, now);
    std::fputs(terminal_ ? (kEraseLine + text).c_str() : ("heddle: " + text + "\n").c_str(), to_);
    std::fflush(to_);
    shown_ = terminal_;
}

void ProgressLine::erase() {
    if (std::exchange(shown_, false)) {
        std::fputs(kEraseLine, to_);
        std::fflush(to_);
    }
}

} // namespace heddle
