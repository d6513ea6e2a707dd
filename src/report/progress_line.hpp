// ProgressLine: the line that shows a person how far a search has come, and leaves no trace.
#pragma once

#include "search/check_result.hpp"

#include <cstdio>
#include <functional>
#include <string>

namespace heddle {

/// Shows nothing in the first second: a short check is over before anybody wonders. On a terminal it rewrites one line, at most ten times a
/// second; elsewhere it writes a line a second.
class ProgressLine {
  public:
    /// `seconds` is the time since the search began.
    ProgressLine(std::FILE* to, bool terminal, std::function<double()> seconds);
    ~ProgressLine() { erase(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const Progress& progress);
    void erase();

  private:
    std::FILE* to_;
    bool terminal_;
    std::function<double()> seconds_;
    double next_ = 1;    ///< when a line may be shown again
    bool shown_ = false; ///< there is something to erase
};

/// "1200 executions, 400/s, 30 blocked, 0 violations, longest 25 events"; of a search over states
/// "120000 states, 40000/s, 310 to look at, 7.5 MB, 0 violations"
std::string progress_text(const Progress& progress, double seconds);

} // namespace heddle
